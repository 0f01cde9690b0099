/**
 * A database file opened with `node:sqlite`, set up the way the stores rely on, and closed with its scope.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SqlError from "effect/sql/SqlError"
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fromThrown } from "./SqliteErrors.ts"

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
   * How long a statement waits for a lock that another connection holds; default 5 seconds. `node:sqlite` is
   * synchronous: while it waits, the whole process waits.
   */
  readonly busyTimeout?: Duration.Input | undefined
  /**
   * `FULL`, the default, puts a commit on disk before it returns: it survives the loss of power. After `NORMAL` the
   * last commits may be lost with the power, never with the process.
   */
  readonly synchronous?: "FULL" | "NORMAL" | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface SqliteDatabase {
  readonly native: DatabaseSync
  /** The absolute path, or `":memory:"`. */
  readonly filename: string
  /** Another read-only connection to the same file. Throws what `node:sqlite` throws; never for `":memory:"`. */
  readonly openReader: () => DatabaseSync
}

/**
 * The name that makes a database live in memory only.
 *
 * @category constants
 * @since 0.1.0
 */
export const memory = ":memory:"

/**
 * An open database: WAL, the chosen `synchronous`, foreign keys on, functions in the schema not trusted. It creates
 * the file and the folder (readable by its owner alone) when they are missing.
 *
 * **Details**
 *
 * Fails when the file cannot be created, read or written, is not a database, or cannot use WAL. Closing rolls back
 * what is open, counts what has grown for SQLite's planner (`PRAGMA optimize`), moves the WAL into the file, and waits for nobody: what cannot be moved stays safe in the WAL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const open = Effect.fnUntraced(function* (
  options: SqliteDatabaseOptions
): Effect.fn.Return<SqliteDatabase, SqlError.SqlError, Scope.Scope> {
  // An absolute path cannot be mistaken for a `file:` URI, nor follow a later change of the working directory.
  const filename = options.filename === memory ? memory : resolve(options.filename)
  const readOnly = options.readonly === true
  const timeout = Math.min(Math.ceil(Duration.toMillis(options.busyTimeout ?? "5 seconds")), 2 ** 31 - 1)

  if (options.filename === "" || options.filename.includes("\0")) {
    return yield* refuse("ConnectionError", 'A database needs a file name: a path, or ":memory:".', undefined)
  }
  if (filename !== memory) yield* prepareFolder(filename, readOnly)

  const native = yield* Effect.acquireRelease(
    Effect.try({
      try: () => new DatabaseSync(filename, { readOnly, timeout }),
      catch: (thrown) => explain(thrown, filename, readOnly)
    }),
    (database) => Effect.sync(() => close(database, readOnly))
  )
  yield* Effect.try({
    try: () => setUp(native, options),
    catch: (thrown) => fromThrown(thrown, filename, "open")
  })
  const journal = yield* Effect.try({
    try: () => journalMode(native, readOnly),
    catch: (thrown) => fromThrown(thrown, filename, "open")
  })
  if (!readOnly) countForPlanner(native)
  if (filename !== memory && !readOnly && journal !== "wal") {
    return yield* refuse(
      "ConnectionError",
      `The database "${filename}" cannot use a write-ahead log (it stays in "${journal}"): keep it on a local disk.`,
      undefined
    )
  }
  return {
    native,
    filename,
    openReader() {
      const reader = new DatabaseSync(filename, { readOnly: true, timeout })
      reader.exec("PRAGMA trusted_schema = OFF")
      return reader
    }
  }
})

const setUp = (native: DatabaseSync, options: SqliteDatabaseOptions): void => {
  native.exec("PRAGMA trusted_schema = OFF")
  native.exec("PRAGMA foreign_keys = ON")
  native.exec(options.synchronous === "NORMAL" ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL")
}

const journalMode = (native: DatabaseSync, readOnly: boolean): unknown =>
  native.prepare(readOnly ? "PRAGMA journal_mode" : "PRAGMA journal_mode = WAL").get()?.["journal_mode"]

// All tables, and not only those that this connection used: it has used none. Without the counts plans are worse and
// nothing is wrong: that another process writes at this moment is no reason not to open.
const countForPlanner = (native: DatabaseSync): void => {
  try {
    native.exec("PRAGMA optimize = 0x10002")
  } catch {
    // What is damaged is found by whoever reads it, with a better message.
  }
}

const close = (native: DatabaseSync, readOnly: boolean): void => {
  try {
    if (native.isTransaction) native.exec("ROLLBACK")
    if (!readOnly) native.exec("PRAGMA busy_timeout = 0; PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)")
  } catch {
    // Another process may be reading, or the file may be no database: the WAL keeps what was committed.
  }
  native.close()
}

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

// `mkdirSync` with `recursive` never returns where the file system denies that a parent exists, as /proc does.
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

// SQLite says only "unable to open database file", and opens a file it may not write without a word; so the folder
// and the file are asked first.
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
