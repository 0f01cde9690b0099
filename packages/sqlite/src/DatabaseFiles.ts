/**
 * The files of a database: created for their owner alone, and checked while the database is open.
 *
 * **Details**
 *
 * A file that is removed, moved or replaced stays open, and SQLite continues to write into it: later commits are lost at the next start. The
 * same is true of the write-ahead log. SQLite reads nothing after the end of a truncated log, and a file that is overwritten in place
 * (`cp backup.db sandbox.db`) no longer matches its log. So the files are compared with their state after the last commit: before and after
 * each COMMIT, and each second. A checkpoint of another process changes them too, so it is refused as well.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as SqlError from "effect/sql/SqlError"
import { type BigIntStats, chmodSync, closeSync, openSync, readSync, statSync } from "node:fs"

/**
 * Creates an empty file that only its owner may read and write. Does not change an existing file. Throws the errors of `open`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const createPrivately = (path: string): void => {
  try {
    // This closes only a new file: closing another file would drop this process's locks on it (POSIX, fcntl).
    closeSync(openSync(path, "wx", 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && (thrown.code === "EEXIST" || thrown.code === "EISDIR")))
      throw thrown
  }
}

/**
 * Restricts a copied or restored file to its owner. Returns the former mode; undefined if other users could not read the file, if it belongs
 * to another user, or if its file system has no modes.
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
    // The database can still be opened.
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
  /** Compares the files with their state after the last commit. Takes two system calls, some microseconds. */
  readonly check: () => boolean
  /** Checks the files after a commit of this process, which may have changed both. */
  readonly committed: () => boolean
  /** The result of the last check. */
  readonly areIntact: () => boolean
  /** Ends when a check fails after a successful one. */
  readonly lost: Effect.Effect<void>
  readonly failure: (operation: string) => SqlError.SqlError
}

/** The header contains the size, the change counter and the version, which a checkpoint changes. https://www.sqlite.org/fileformat.html */
const headerSize = 100

/**
 * The files of an open database with a write-ahead log. `descriptor` is the open file, for reading its header. The caller closes it after the
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
  /** The first transaction creates the log. It stays while a connection is open. */
  private log: string | undefined
  private header: Buffer
  private changedAt: bigint
  private size: bigint
  private logSize: bigint
  /** Another program changed a file. Restoring the file does not repair that. */
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
      // Only commits of this process move pages into the file. A file system may set the time late, so the header decides.
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

  /** Undefined if reading fails. */
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
 * Checks the files each second until the scope ends. Logs a failure at once, also a failure during a commit, then once a minute, and logs the
 * return of the files.
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
    // A folder without the search permission hides its files.
    return undefined
  }
}

const identityOf = (status: BigIntStats | undefined): string | undefined =>
  status === undefined ? undefined : `${status.dev}:${status.ino}`
