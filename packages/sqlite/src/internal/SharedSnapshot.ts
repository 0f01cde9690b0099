/**
 * A snapshot that concurrent reads within one callback of the event loop share.
 *
 * **Details**
 *
 * For each statement SQLite takes a lock on the file, looks how far the log goes, and gives the lock back: two thirds of what a
 * statement that finds one row takes. A statement that has not ended keeps the lock, and others read beside it under the same one.
 * It ends when the callback of the event loop that began it is over, and before anything else is done with the connection: a write
 * would fail where another process wrote meanwhile, and the log could not be moved into the file.
 *
 * @since 0.1.0
 */
import type { DatabaseSync, StatementSync } from "node:sqlite"

/**
 * @category models
 * @since 0.1.0
 */
export class SharedSnapshot {
  private readonly native: DatabaseSync
  private statement: StatementSync | undefined
  private rows: ReturnType<StatementSync["iterate"]> | undefined

  constructor(native: DatabaseSync) {
    this.native = native
  }

  /** Begins it, unless it has begun. Throws what `node:sqlite` throws. */
  begin(): void {
    if (this.rows !== undefined) return
    // Any table will do, and this one is in every database.
    this.statement ??= this.native.prepare("SELECT 1 FROM sqlite_schema")
    const rows = this.statement.iterate()
    rows.next()
    this.rows = rows
    process.nextTick(this.end)
  }

  readonly end = (): void => {
    const { rows } = this
    if (rows === undefined) return
    this.rows = undefined
    // A database that was closed has ended it.
    if (this.native.isOpen) rows.return?.()
  }
}
