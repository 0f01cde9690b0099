/**
 * The transaction that units share: it begins with the first write of one of them.
 *
 * @since 0.1.0
 */
import type { SQLInputValue } from "node:sqlite"
import { isLost, type Prepared, readQuery, readRows, refused, written } from "../SqliteConnection.ts"
import type { SqliteDatabase } from "../SqliteDatabase.ts"
import { fromThrown } from "../SqliteErrors.ts"
import type { SqliteTurn } from "../SqliteTurn.ts"
import { bind } from "../SqliteValues.ts"
import type { StatementCache } from "../StatementCache.ts"

/** Statements of units, on the connection that writes. Each throws an `SqlError`. */
export class SharedTransaction {
  readonly turn: SqliteTurn
  /** Whether it has begun and has not ended. */
  isOpen = false
  private readonly database: SqliteDatabase
  private readonly cache: StatementCache<Prepared>
  private undone = 0

  constructor(database: SqliteDatabase, cache: StatementCache<Prepared>) {
    this.database = database
    this.cache = cache
    this.turn = {
      read: (text, values) => {
        if (!this.isOpen) this.undo()
        return this.using(text, values, readQuery)
      },
      write: (text, values, safeIntegers = false) => {
        this.begin()
        return this.using(text, values, (prepared, bound) => readRows(prepared, bound, safeIntegers))
      },
      change: (text, values) => {
        this.begin()
        return this.using(text, values, ({ statement }, bound) => Number(statement.run(...bound).changes))
      },
      undone: () => this.undone
    }
  }

  commit(): void {
    this.control("COMMIT")
    this.isOpen = false
  }

  rollBack(): void {
    this.isOpen = false
    this.undone += 1
    try {
      this.undo()
    } catch {
      // The next statement tries again, and its failure is that of its unit.
    }
  }

  private begin(): void {
    if (this.isOpen) return
    this.undo()
    this.database.snapshot.end()
    this.control("BEGIN IMMEDIATE")
    this.isOpen = true
  }

  private undo(): void {
    const { native } = this.database
    if (native.isOpen && native.isTransaction) this.control("ROLLBACK")
  }

  private control(text: string): void {
    this.using(text, [], written)
  }

  private using<A>(
    text: string,
    values: ReadonlyArray<unknown>,
    use: (prepared: Prepared, bound: Array<SQLInputValue>) => A
  ): A {
    const { filename, place } = this.database
    const bound = bind(values)
    if (!Array.isArray(bound)) throw refused(bound, "execute")
    if (place !== undefined && isLost(place, text)) throw place.failure("execute")
    try {
      return use(this.cache.get(text), bound)
    } catch (thrown) {
      throw fromThrown(thrown, filename, "execute")
    }
  }
}
