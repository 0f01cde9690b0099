/**
 * The files of a database: created for their owner alone, and checked while the database is open.
 *
 * **Details**
 *
 * A file that is removed, moved or replaced stays open, and SQLite goes on writing into it: what is committed then is gone at the next
 * start. The same is true of the write-ahead log; of a log that is cut short nothing is read after the cut, and a file that is
 * overwritten in place (`cp backup.db sandbox.db`) no longer fits its log. So the files are compared with what the last commit left
 * before and after each COMMIT, and each second. A checkpoint of another process changes them too, so it is refused as well.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as SqlError from "effect/sql/SqlError"
import { type BigIntStats, chmodSync, closeSync, openSync, readSync, statSync } from "node:fs"

/**
 * Creates an empty file that only its owner may read and write; leaves an existing one as it is. Throws what `open` throws.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createPrivately = (path: string): void => {
  try {
    // Only a file that cannot have been opened before is closed here: closing another would drop this process's locks
    // on it (POSIX, fcntl).
    closeSync(openSync(path, "wx", 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && (thrown.code === "EEXIST" || thrown.code === "EISDIR")))
      throw thrown
  }
}

/**
 * Restricts a file that was copied or restored to its owner. Returns the mode that others could read it with; undefined when they could
 * not, when the file is another user's, or when its file system has no modes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePrivate = (path: string): number | undefined => {
  const { mode, uid } = statSync(path)
  if (isPrivate(mode) || uid !== process.geteuid?.()) return undefined
  try {
    chmodSync(path, 0o600)
  } catch {
    // A database that could be opened before still can.
    return undefined
  }
  return isPrivate(statSync(path).mode) ? mode & 0o777 : undefined
}

const isPrivate = (mode: number): boolean => (mode & 0o077) === 0

/**
 * The checked files of an open database.
 *
 * @category models
 * @since 0.1.0
 */
export interface DatabaseFiles {
  /** Compares the files with what the last commit left: two calls of the system, some microseconds. */
  readonly check: () => boolean
  /** As `check`, after a commit of this process, which may have changed both files. */
  readonly committed: () => boolean
  /** The result of the last check. */
  readonly areIntact: () => boolean
  /** Returns when a check fails after one that did not. */
  readonly lost: Effect.Effect<void>
  readonly failure: (operation: string) => SqlError.SqlError
}

/** The part of the file's header that a checkpoint changes: size in pages, change counter, version. https://www.sqlite.org/fileformat.html */
const headerSize = 100

/**
 * The files of a database that is open with a write-ahead log. `descriptor` is the open file, whose header is read; it is closed after the
 * database.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (filename: string, descriptor: number): DatabaseFiles => new CheckedFiles(filename, descriptor)

class CheckedFiles implements DatabaseFiles {
  private readonly filename: string
  private readonly descriptor: number
  private readonly file: string | undefined
  /** The log comes with the first transaction and stays as long as a connection is open. */
  private log: string | undefined
  private header: Buffer
  private changedAt: bigint
  private size: bigint
  private logSize: bigint
  /** A file was changed by another program. Putting it back does not repair that. */
  private isDamaged = false
  private isIntact: boolean
  private onLost: () => void = () => {}

  constructor(filename: string, descriptor: number) {
    this.filename = filename
    this.descriptor = descriptor
    const file = statusOf(filename)
    const log = statusOf(`${filename}-wal`)
    this.file = identityOf(file)
    this.log = identityOf(log)
    const header = this.readHeader()
    this.header = header ?? Buffer.alloc(headerSize)
    this.changedAt = file?.mtimeNs ?? 0n
    this.size = file?.size ?? 0n
    this.logSize = log?.size ?? 0n
    this.isIntact = file !== undefined && header !== undefined
  }

  readonly areIntact = (): boolean => this.isIntact

  readonly check = (): boolean => {
    const file = statusOf(this.filename)
    const log = statusOf(`${this.filename}-wal`)
    if (!this.areInPlace(file, log)) return this.saw(false)
    if (log !== undefined && log.size < this.logSize) this.isDamaged = true
    if (file !== undefined) {
      if (file.size < this.size) this.isDamaged = true
      // Only commits of this process move pages into the file. The time alone may differ where a file system sets it late.
      if (file.mtimeNs !== this.changedAt) {
        const header = this.readHeader()
        if (header === undefined) return this.saw(false)
        if (!header.equals(this.header)) this.isDamaged = true
      }
    }
    return this.saw(!this.isDamaged)
  }

  readonly committed = (): boolean => {
    const file = statusOf(this.filename)
    const log = statusOf(`${this.filename}-wal`)
    if (!this.areInPlace(file, log)) return this.saw(false)
    this.logSize = log?.size ?? 0n
    if (file !== undefined && file.mtimeNs !== this.changedAt) {
      const header = this.readHeader()
      if (header === undefined) return this.saw(false)
      this.changedAt = file.mtimeNs
      this.size = file.size
      this.header = header
    }
    return this.saw(!this.isDamaged)
  }

  readonly lost: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.onLost = () => resume(Effect.void)
    return Effect.sync(() => {
      this.onLost = () => {}
    })
  })

  readonly failure = (operation: string): SqlError.SqlError => {
    const message =
      `The database "${this.filename}" or its "-wal" was removed, moved or replaced, or changed by another program, while it ` +
      "was open, so nothing is read or written any more. Stop the program, put the files back, and start it again."
    return new SqlError.SqlError({
      reason: new SqlError.ConnectionError({ cause: new Error(message), message, operation })
    })
  }

  private areInPlace(file: BigIntStats | undefined, log: BigIntStats | undefined): boolean {
    this.log ??= identityOf(log)
    return this.file !== undefined && identityOf(file) === this.file && identityOf(log) === this.log
  }

  private saw(isIntact: boolean): boolean {
    const wasIntact = this.isIntact
    this.isIntact = isIntact
    if (wasIntact && !isIntact) this.onLost()
    return isIntact
  }

  /** Undefined if the disk fails to read it. */
  private readHeader(): Buffer | undefined {
    const header = Buffer.alloc(headerSize)
    try {
      readSync(this.descriptor, header, 0, headerSize, 0)
      return header
    } catch {
      return undefined
    }
  }
}

/**
 * Checks the files each second until the scope ends, and logs a failure: at once, also one that a commit finds, then once a minute, and
 * when the files are back.
 *
 * @category running
 * @since 0.1.0
 */
export const watch = (files: DatabaseFiles) =>
  Effect.gen(function* () {
    let secondsLost = 0
    for (;;) {
      const second = Effect.sleep("1 second")
      yield* secondsLost === 0 && files.areIntact() ? Effect.race(second, files.lost) : second
      if (files.check()) {
        if (secondsLost > 0) yield* Effect.logWarning("The files of the database are in place again and are used again")
        secondsLost = 0
      } else {
        if (secondsLost % 60 === 0) yield* Effect.logError(files.failure("watch").message)
        secondsLost += 1
      }
    }
  }).pipe(
    Effect.onError((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.void
        : Effect.logError("The files of the database are no longer checked each second", cause)
    ),
    Effect.forkScoped,
    Effect.asVoid
  )

const statusOf = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true })
  } catch {
    // A folder that may not be searched any more hides what is in it.
    return undefined
  }
}

const identityOf = (status: BigIntStats | undefined): string | undefined =>
  status === undefined ? undefined : `${status.dev}:${status.ino}`
