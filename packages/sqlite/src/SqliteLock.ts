/**
 * A lock on a database file that one process at a time holds, and that the kernel releases when the process ends,
 * however it ends.
 *
 * **Details**
 *
 * Node has no `flock`. What it has is SQLite, which locks with the means of the kernel: an open transaction on an empty
 * database beside the file is such a lock. Nothing is ever written to that file, so it cannot be damaged, and a process that
 * finds it there finds no lock in it. It stays when the process ends: removing it would let two processes each hold
 * one of its name.
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

/** A process that ends gives its lock back a moment after its end was seen. */
const patience = 250

/**
 * Holds the lock of a database file until the scope ends; fails at once when another process, or another part of this
 * one, holds it.
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

/** The same for every name that leads to the database: a link must not be a way around the lock. */
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

/** The process that holds the lock, where the kernel lists locks (Linux, proc_locks(5)). */
const holderOf = (file: string): number | undefined => {
  try {
    const inode = statSync(file, { bigint: true }).ino
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      // "1: POSIX  ADVISORY  WRITE 1234 08:01:5678 1073741824 1073742335"
      const [, , , , pid, place] = line.trim().split(/\s+/)
      if (place?.split(":")[2] === String(inode) && Number(pid) > 0) return Number(pid)
    }
  } catch {
    // Another kernel, or a container that hides it: the holder stays unnamed.
  }
  return undefined
}
