/**
 * A database file that is opened with `node:sqlite`, configured for the stores, and closed with its scope.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SqlError from "effect/sql/SqlError"
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as DatabaseFiles from "./DatabaseFiles.ts"
import { fromThrown } from "./SqliteErrors.ts"
import * as SqliteLock from "./SqliteLock.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface SqliteDatabaseOptions {
  /** A path, taken literally (no `file:` URI) and relative to the working directory; or `":memory:"`. */
  readonly filename: string
  /** Refuses every write and never creates the file. Default false. */
  readonly readonly?: boolean | undefined
  /**
   * The longest wait of a statement for a lock of another connection; default 5 seconds. `node:sqlite` is synchronous, so the whole process
   * waits.
   */
  readonly busyTimeout?: Duration.Input | undefined
  /**
   * `FULL`, the default, writes each commit to disk before it returns: it survives a power failure. With `NORMAL` a power failure may lose
   * the last commits; a crash of the process loses none.
   */
  readonly synchronous?: "FULL" | "NORMAL" | undefined
  /**
   * Reserves the file for this process by a lock in `<file>.lock`. Another client with this option fails; a client without it may still read.
   * If another program removes, moves, replaces or changes the open files, the next commit and every later statement fail. Default false.
   */
  readonly exclusive?: boolean | undefined
  /**
   * A table of every database of this program. A file with tables, but without this one, belongs to another program and is refused unchanged.
   * Default: every file is accepted.
   */
  readonly ownTable?: string | undefined
  /**
   * The largest file, in bytes, whose pages are checked (`PRAGMA quick_check`). The check takes about 0.1 s for 100 MB. A larger file is opened
   * with a log entry. Default: no check.
   */
  readonly checkUpTo?: number | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface SqliteDatabase {
  readonly native: DatabaseSync
  /** The absolute path, or `":memory:"`. */
  readonly filename: string
  /** The checked files of an exclusive database. */
  readonly files: DatabaseFiles.DatabaseFiles | undefined
  /** Opens a read-only connection to the same file. Throws the errors of `node:sqlite`. Not for `":memory:"`. */
  readonly openReader: () => DatabaseSync
}

/**
 * The name of a database in memory.
 *
 * @category constants
 * @since 0.1.0
 */
export const memory = ":memory:"

/**
 * Opens a database with a WAL, the chosen `synchronous`, checked foreign keys, and untrusted functions in the schema. A missing file or folder
 * is created, readable only by its owner. A file that others could read is restricted to its owner, with a warning.
 *
 * **Details**
 *
 * Fails if the file cannot be created, read or written, is not a database, is damaged, is locked by another process, or cannot use a WAL.
 * Closing rolls back an open transaction and moves the WAL into the file, without waiting for other processes: other pages stay safe in the
 * WAL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const open = Effect.fnUntraced(function* (
  options: SqliteDatabaseOptions
): Effect.fn.Return<SqliteDatabase, SqlError.SqlError, Scope.Scope> {
  if (options.filename === "" || options.filename.includes("\0")) {
    return yield* refuse("ConnectionError", 'A database needs a file name: a path, or ":memory:".', undefined)
  }
  // An absolute path is never a `file:` URI, and does not depend on a later working directory.
  const filename = options.filename === memory ? memory : resolve(options.filename)
  const isFile = filename !== memory
  const readOnly = options.readonly === true
  const timeout = Math.min(Math.ceil(Duration.toMillis(options.busyTimeout ?? "5 seconds")), 2 ** 31 - 1)

  if (isFile) yield* prepareFolder(filename, readOnly)
  const isExclusive = options.exclusive === true && isFile && !readOnly
  if (isExclusive) yield* SqliteLock.hold(filename)
  const attempt = <A>(evaluate: () => A) =>
    Effect.try({ try: evaluate, catch: (thrown) => explain(thrown, filename, readOnly) })
  if (isFile && !readOnly) yield* attempt(() => DatabaseFiles.createPrivately(filename))
  // Closed after the database, because closing a file drops this process's locks on it.
  const descriptor = isExclusive
    ? yield* Effect.acquireRelease(
        attempt(() => openSync(filename, "r")),
        (opened) => Effect.sync(() => closeSync(opened))
      )
    : undefined
  const native = yield* Effect.acquireRelease(
    attempt(() => new DatabaseSync(filename, { readOnly, timeout })),
    (database) => Effect.sync(() => close(database, readOnly))
  )
  const whileOpening: WhileOpening = (evaluate) =>
    Effect.try({ try: evaluate, catch: (thrown) => fromThrown(thrown, filename, "open") })
  const { checkUpTo, ownTable } = options
  if (ownTable !== undefined) yield* refuseOthers(native, filename, ownTable, whileOpening)
  yield* whileOpening(() => setUp(native, options))
  const journal = yield* whileOpening(() => journalMode(native, readOnly))
  if (isFile && !readOnly && journal !== "wal") return yield* withoutLog(filename, journal)
  // Only after all checks: a refused file stays unchanged.
  if (isFile && !readOnly) yield* withoutOthers(filename)
  if (isFile && checkUpTo !== undefined) yield* checkPages(native, filename, checkUpTo, whileOpening)
  return {
    native,
    filename,
    files: descriptor === undefined ? undefined : DatabaseFiles.make(filename, descriptor),
    openReader() {
      const reader = new DatabaseSync(filename, { readOnly: true, timeout })
      reader.exec("PRAGMA trusted_schema = OFF")
      return reader
    }
  }
})

/** A copied file may be readable by others. The log and the other files of SQLite get the mode of the database. */
const withoutOthers = Effect.fnUntraced(function* (filename: string) {
  const files = [filename, `${filename}-wal`, `${filename}-shm`].filter((file) => existsSync(file))
  const modes = yield* Effect.try({
    try: () => files.map(DatabaseFiles.makePrivate),
    catch: (thrown) => fromThrown(thrown, filename, "open")
  })
  const mode = modes.find((mode) => mode !== undefined)
  if (mode === undefined) return
  yield* Effect.logWarning(`${filename} could be read by others (mode ${mode.toString(8)}); now only its owner can`)
})

/** Runs a function that may throw an error of `node:sqlite`. */
type WhileOpening = <A>(evaluate: () => A) => Effect.Effect<A, SqlError.SqlError>

const refuseOthers = Effect.fnUntraced(function* (
  native: DatabaseSync,
  filename: string,
  ownTable: string,
  whileOpening: WhileOpening
) {
  const others = yield* whileOpening(() => tablesWithout(native, ownTable))
  if (others.length === 0) return
  return yield* refuse(
    "ConnectionError",
    `The database "${filename}" belongs to another program (its tables: ${named(others)}): choose another file. ` +
      "Nothing in it was changed.",
    undefined
  )
})

const withoutLog = (filename: string, journal: unknown): SqlError.SqlError =>
  refuse(
    "ConnectionError",
    `The database "${filename}" cannot use a write-ahead log (it stays in "${String(journal)}"): keep it on a local disk.`,
    undefined
  )

/** The tables of a database without `ownTable`; empty if it has that table. */
const tablesWithout = (native: DatabaseSync, ownTable: string): ReadonlyArray<string> => {
  const tables = native
    .prepare(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    .all()
    .map(({ name }) => String(name))
  return tables.includes(ownTable) ? [] : tables
}

const named = (names: ReadonlyArray<string>): string => names.slice(0, 3).join(", ") + (names.length > 3 ? ", .." : "")

/**
 * The pages of the WAL (8 MiB) at which a commit moves them into the file. All requests of the batch wait for the move. With a larger WAL, pages
 * that several commits write are moved once, and the file is flushed less often; each commit is flushed to the WAL anyway. With 8,000 pages
 * the slowest of a hundred writes waited for the move (docs/adr/0009-group-commit.md).
 */
const maxLogPages = 2_000

/**
 * The page cache of SQLite in KiB. It grows with use. In SQLite's default of 2 MiB, a table of a million rows leaves room only for the upper pages
 * of its indexes.
 */
const maxCacheSize = 65_536

const setUp = (native: DatabaseSync, options: SqliteDatabaseOptions): void => {
  native.exec("PRAGMA trusted_schema = OFF")
  native.exec("PRAGMA foreign_keys = ON")
  native.exec(`PRAGMA cache_size = -${maxCacheSize}`)
  native.exec(`PRAGMA wal_autocheckpoint = ${maxLogPages}`)
  native.exec(options.synchronous === "NORMAL" ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL")
}

const journalMode = (native: DatabaseSync, readOnly: boolean): unknown =>
  native.prepare(readOnly ? "PRAGMA journal_mode" : "PRAGMA journal_mode = WAL").get()?.["journal_mode"]

const close = (native: DatabaseSync, readOnly: boolean): void => {
  try {
    if (native.isTransaction) native.exec("ROLLBACK")
    if (!readOnly) native.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // Another process may be reading, or the file may not be a database. The commits stay in the WAL.
  }
  native.close()
}

/** Checks the structure and order of every page. It does not detect damage inside of text or a truncated log. */
const checkPages = Effect.fnUntraced(function* (
  native: DatabaseSync,
  filename: string,
  limit: number,
  whileOpening: WhileOpening
) {
  const size = [filename, `${filename}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0
  )
  if (size > limit) {
    return yield* Effect.logInfo(
      `The database is larger than ${Math.floor(limit / 2 ** 20)} MiB, so its pages are not checked at the start. ` +
        `To check them: sqlite3 "${filename}" "PRAGMA quick_check"`
    )
  }
  const found = yield* whileOpening(() => native.prepare("PRAGMA quick_check(1)").get()?.["quick_check"])
  if (found !== "ok") {
    return yield* refuse(
      "ConnectionError",
      `The database "${filename}" is damaged (${String(found).replace(/\s+/g, " ")}): restore it from a backup. ` +
        `What can still be read is saved by: sqlite3 "${filename}" .recover | sqlite3 rescued.db`,
      undefined
    )
  }
})

const refuse = (reason: "AuthorizationError" | "ConnectionError", message: string, cause: unknown): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError[reason]({ cause: cause ?? new Error(message), message, operation: "open" })
  })

const permissionCodes: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"])

const refuseSystem = (thrown: unknown, message: string): SqlError.SqlError => {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined
  const reason = permissionCodes.has(code) ? "AuthorizationError" : "ConnectionError"
  return refuse(reason, code === undefined ? message : `${message} (${String(code)})`, thrown)
}

// `mkdirSync` with `recursive` never returns if the file system denies that a parent exists, as /proc does.
const makeFolder = (folder: string): void => {
  if (isFolder(folder)) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (thrown) {
    if (!isFolder(folder)) throw thrown
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

// SQLite reports only "unable to open database file", and opens a file without the permission to write. So this checks the
// folder and the file first.
const prepareFolder = (filename: string, readOnly: boolean): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    if (readOnly) return
    const folder = dirname(filename)
    yield* Effect.try({
      try: () => makeFolder(folder),
      catch: (thrown) =>
        refuseSystem(thrown, `Cannot create the folder "${folder}" for the database: choose another place or allow it`)
    })
    yield* Effect.try({
      try: () => accessSync(folder, constants.W_OK | constants.X_OK),
      catch: (thrown) =>
        refuseSystem(thrown, `The folder "${folder}" of the database may not be written: allow it or choose another`)
    })
    if (!existsSync(filename)) return
    yield* Effect.try({
      try: () => accessSync(filename, constants.R_OK | constants.W_OK),
      catch: (thrown) => refuseSystem(thrown, `The database "${filename}" may not be read and written: allow it`)
    })
  })

const explain = (thrown: unknown, filename: string, readOnly: boolean): SqlError.SqlError => {
  const file = filename === memory ? undefined : statSync(filename, { throwIfNoEntry: false })
  if (file?.isDirectory() === true) {
    return refuse("ConnectionError", `"${filename}" is a folder: name a file in it.`, thrown)
  }
  if (file === undefined && readOnly) {
    return refuse("ConnectionError", `There is no database "${filename}", and a read-only client creates none.`, thrown)
  }
  return fromThrown(thrown, filename, "open")
}
