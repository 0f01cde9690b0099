import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { chmodSync, closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

/** Opens the file, does something with it and closes it. */
const using = (config: NodeSqliteClient.NodeSqliteClientConfig) =>
  Effect.provide(NodeSqliteClient.layer(config), { local: true })

const pageSize = 4_096

/** A file of some hundred pages, with eight of them zeroed in the middle. */
const damagedFile = Effect.gen(function* () {
  const filename = yield* temporaryFile
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
    yield* sql`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
      INSERT INTO items SELECT n, 'a name of some length, so that pages are many ' || n FROM numbers
    `
  }).pipe(using({ filename }))
  const pages = statSync(filename).size / pageSize
  assert.isAbove(pages, 50)
  const file = openSync(filename, "r+")
  writeSync(file, Buffer.alloc(8 * pageSize), 0, 8 * pageSize, Math.floor(pages / 2) * pageSize)
  closeSync(file)
  return filename
})

const ask = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT 1 AS one`
})

describe("a database file", () => {
  it.effect("is created readable by its owner only, as its log", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY) STRICT`
        for (const file of [filename, `${filename}-wal`, `${filename}-shm`]) {
          assert.strictEqual(statSync(file).mode & 0o777, 0o600, file)
        }
      }).pipe(using({ filename }))
    })
  )

  it.effect(
    "that was copied or restored becomes readable by its owner only when it is opened for writing, with a log entry",
    () => {
      const lines: Array<string> = []
      const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      return Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.andThen(
          SqlClient.SqlClient,
          (sql) => sql`CREATE TABLE items (id INTEGER PRIMARY KEY) STRICT`
        ).pipe(using({ filename }))
        chmodSync(filename, 0o644)
        yield* using({ filename, readonly: true })(ask)
        assert.deepStrictEqual([statSync(filename).mode & 0o777, lines], [0o644, []])
        yield* Effect.sync(() => assert.strictEqual(statSync(filename).mode & 0o777, 0o600)).pipe(using({ filename }))
        assert.lengthOf(lines, 1)
        assert.include(lines[0], `${filename} could be read by others (mode 644)`)
      }).pipe(Effect.provide(logged))
    }
  )

  it.effect("that is not a database is refused and retains its permissions", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "settings of another program\n".repeat(200), { mode: 0o644 })
      chmodSync(filename, 0o644)
      yield* Effect.flip(using({ filename })(ask))
      assert.strictEqual(statSync(filename).mode & 0o777, 0o644)
    })
  )

  it.effect("with damaged pages is refused with instructions", () =>
    Effect.gen(function* () {
      const filename = yield* damagedFile
      const { message } = yield* Effect.flip(using({ filename, checkUpTo: 2 ** 30 })(ask))
      assert.include(message, `The database "${filename}" is damaged`)
      assert.include(message, "restore it from a backup")
      assert.notInclude(message, "\n")
    })
  )

  it.effect("that is too large to check is opened, with a log entry that says how to check it", () => {
    const lines: Array<string> = []
    const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return Effect.gen(function* () {
      const filename = yield* damagedFile
      yield* using({ filename, checkUpTo: pageSize })(ask)
      assert.lengthOf(lines, 1)
      assert.include(lines[0], `sqlite3 "${filename}" "PRAGMA quick_check"`)
    }).pipe(Effect.provide(logged))
  })

  it.effect("of another program is refused and stays unchanged", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const other = new DatabaseSync(filename)
      other.exec("CREATE TABLE albums (id INTEGER); CREATE TABLE artists (id INTEGER)")
      other.close()
      chmodSync(filename, 0o644)
      const before = readFileSync(filename)
      const { message } = yield* Effect.flip(using({ filename, ownTable: "our_migrations" })(ask))
      assert.strictEqual(statSync(filename).mode & 0o777, 0o644)
      assert.include(message, `The database "${filename}" belongs to another program (its tables: albums, artists)`)
      assert.isTrue(readFileSync(filename).equals(before))
    })
  )

  it.effect("that is empty, or has the expected table, is accepted", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE our_migrations (id INTEGER PRIMARY KEY) STRICT`
      }).pipe(using({ filename, ownTable: "our_migrations" }))
      assert.lengthOf(yield* using({ filename, ownTable: "our_migrations" })(ask), 1)
    })
  )
})
