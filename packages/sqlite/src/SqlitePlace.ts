/**
 * Whether a database file is still where it was opened.
 *
 * **Details**
 *
 * A file that is removed, moved or replaced stays open, and SQLite goes on writing into it: what is committed then is
 * gone at the next start, without a word. The same is true of its write-ahead log. A file that is overwritten in place
 * (`cp copy.db sandbox.db`) keeps its identity, so that is not noticed here.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlError from "effect/sql/SqlError"
import { statSync } from "node:fs"

/**
 * @category models
 * @since 0.1.0
 */
export interface SqlitePlace {
  /** Looks now: two calls of the system, some microseconds. */
  readonly look: () => boolean
  /** What the last look saw. */
  readonly isKept: () => boolean
  readonly failure: (operation: string) => SqlError.SqlError
}

/**
 * The place of a file that was opened with a write-ahead log.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (filename: string): SqlitePlace => {
  const log = `${filename}-wal`
  const file = identityOf(filename)
  // The log comes with the first transaction and stays as long as a connection is open.
  let firstLog = identityOf(log)
  let kept = file !== undefined
  return {
    look() {
      const currentLog = identityOf(log)
      firstLog ??= currentLog
      kept = file !== undefined && identityOf(filename) === file && currentLog === firstLog
      return kept
    },
    isKept: () => kept,
    failure(operation) {
      const message =
        `The database "${filename}" or its "-wal" was removed, moved or replaced while it was open, so nothing is read ` +
        "or written any more. Stop the program, put the files back, and start it again."
      return new SqlError.SqlError({
        reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation })
      })
    }
  }
}

/**
 * Looks each second for as long as the scope lives, and logs what it sees: at once, then once a minute, and when the
 * file is back.
 *
 * @category running
 * @since 0.1.0
 */
export const watch = (place: SqlitePlace) =>
  Effect.gen(function* () {
    let secondsLost = 0
    for (;;) {
      yield* Effect.sleep("1 second")
      if (place.look()) {
        if (secondsLost > 0) yield* Effect.logWarning("The database is in its place again, and is used again")
        secondsLost = 0
      } else {
        if (secondsLost % 60 === 0) yield* Effect.logError(place.failure("watch").message)
        secondsLost += 1
      }
    }
  }).pipe(Effect.forkScoped, Effect.asVoid)

const identityOf = (path: string): string | undefined => {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true })
    return found === undefined ? undefined : `${found.dev}:${found.ino}`
  } catch {
    // A folder that may not be searched any more hides what is in it.
    return undefined
  }
}
