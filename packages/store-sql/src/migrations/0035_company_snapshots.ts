/**
 * Snapshots of companies, and how often each company was restored.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const companySnapshots = Effect.gen(function* () {
  const { increment, integer, numbered, sql, strict } = yield* words
  // Rises with each restore and each reset: what was begun before writes nothing any more.
  yield* sql`ALTER TABLE companies ADD COLUMN restores ${integer} NOT NULL DEFAULT 0`
  // layout: the migrations of the databases that the rows are from.
  yield* sql`
    CREATE TABLE company_snapshots (
      id ${numbered} PRIMARY KEY ${increment},
      company_id ${integer} NOT NULL REFERENCES companies (id),
      name TEXT NOT NULL,
      layout TEXT NOT NULL,
      clock_offset ${integer} NOT NULL,
      kept_rows ${integer} NOT NULL,
      taken_at ${integer} NOT NULL,
      CONSTRAINT "company_snapshots.name" UNIQUE (company_id, name)
    ) ${strict}
  `
  yield* sql`
    CREATE TABLE snapshot_rows (
      snapshot_id ${integer} NOT NULL,
      table_name TEXT NOT NULL,
      position ${integer} NOT NULL,
      row_data TEXT NOT NULL,
      CONSTRAINT "snapshot_rows.position" PRIMARY KEY (snapshot_id, table_name, position)
    ) ${strict}
  `
  // A restore that has begun; of a reset snapshot_id is null.
  yield* sql`
    CREATE TABLE company_restores (
      company_id ${integer} NOT NULL REFERENCES companies (id),
      snapshot_id ${integer},
      begun_at ${integer} NOT NULL,
      CONSTRAINT "company_restores.company" PRIMARY KEY (company_id)
    ) ${strict}
  `
})
