/**
 * When rows are counted for SQLite's planner, which takes a table for as small as it was when it was counted last.
 *
 * @since 0.1.0
 */
import { countForPlanner, pagesOf, type SqliteDatabase } from "../SqliteDatabase.ts"

/** After so many commits the size of the database is looked at; rows are counted when it has doubled. */
const commitsToLookAfter = 64

/** Counts the rows of a database that grows. */
export class PlannerCounts {
  private readonly database: SqliteDatabase
  private commits = 0
  /** How many pages the database had when rows were counted. */
  private counted = 0

  constructor(database: SqliteDatabase) {
    this.database = database
  }

  afterCommit(): void {
    if (this.commits++ % commitsToLookAfter !== 0) return
    const { native } = this.database
    const pages = pagesOf(native)
    if (pages < 2 * this.counted) return
    // The first look is at what was counted when the database was opened.
    if (this.counted > 0) countForPlanner(native)
    this.counted = pages
  }
}
