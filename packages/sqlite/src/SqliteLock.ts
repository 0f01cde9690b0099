/**
 * A lock on a database file for one process. The kernel releases the lock when the process ends for any reason.
 *
 * **Details**
 *
 * Node has no `flock`, but SQLite locks files by the kernel: an open transaction on an empty database in `<file>.lock` is such a lock. Nothing
 * is ever written to that file, so it cannot be damaged, and the file alone is no lock. The file stays when the process ends: if it were
 * removed, two processes could each lock a file of that name.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SqlError from "effect/sql/SqlError"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createPrivately } from "./DatabaseFiles.ts"
import { codeOf, fromThrown } from "./SqliteErrors.ts"

/** The kernel releases the lock of a process a moment after its end is visible. */
const patience = 250

/**
 * Holds the lock of a database file until the scope ends. Fails at once if another process, or another part of this process, holds it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const hold = Effect.fnUntraced(function* (
  filename: string
): Effect.fn.Return<void, SqlError.SqlError, Scope.Scope> {
  const file = lockOf(filename)
  yield* Effect.acquireRelease(
    Effect.try({ try: () => take(file), catch: (thrown) => explain(fromThrown(thrown, file, "open"), filename, file) }),
    (lock) => Effect.sync(() => lock.close())
  )
})

/** The same lock for all names of the database: a link must not avoid the lock. */
const lockOf = (filename: string): string =>
  `${existsSync(filename) ? realpathSync(filename) : join(realpathSync(dirname(filename)), basename(filename))}.lock`

const take = (file: string): DatabaseSync => {
  createPrivately(file)
  const lock = new DatabaseSync(file, { timeout: patience })
  try {
    lock.exec("BEGIN EXCLUSIVE")
    return lock
  } catch (thrown) {
    lock.close()
    throw thrown
  }
}

const explain = (error: SqlError.SqlError, filename: string, file: string): SqlError.SqlError => {
  const holder = holderOf(file)
  const message =
    codeOf(error) === "SQLITE_BUSY"
      ? `The database "${filename}" is in use by another program${holder === undefined ? "" : ` (process ${holder})`}: ` +
        "stop that one, or choose another file. Two on one file are not safe."
      : `The lock "${file}" of the database cannot be taken: ${error.message}`
  return new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: error, message, operation: "open" })
  })
}

/** The process that holds the lock, if the kernel lists locks (Linux, proc_locks(5)). */
const holderOf = (file: string): number | undefined => {
  try {
    const inode = statSync(file, { bigint: true }).ino
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      // "1: POSIX  ADVISORY  WRITE 1234 08:01:5678 1073741824 1073742335"
      const [, , , , pid, place] = line.trim().split(/\s+/)
      if (place?.split(":")[2] === String(inode) && Number(pid) > 0) return Number(pid)
    }
  } catch {
    // Another kernel, or a container that hides the list: the error names no process.
  }
  return undefined
}
