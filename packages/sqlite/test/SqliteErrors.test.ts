import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { closeSync, openSync, statSync, writeFileSync, writeSync } from "node:fs"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { codeOf, fromThrown } from "../src/SqliteErrors.ts"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

const using = (config: NodeSqliteClient.NodeSqliteClientConfig) =>
  Effect.provide(NodeSqliteClient.layer(config), { local: true })

describe("SqliteErrors", () => {
  it.effect("distinguishes a taken unique value or primary key, with its columns, from other constraints", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE users (
        id INTEGER PRIMARY KEY,
        country TEXT NOT NULL,
        email TEXT NOT NULL CHECK (email LIKE '%@%'),
        friend INTEGER REFERENCES users (id),
        UNIQUE (country, email)
      ) STRICT`
      yield* sql`CREATE TABLE codes (code TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`
      const ana = { id: 1, country: "br", email: "ana@example.com" }
      yield* sql`INSERT INTO users ${sql.insert(ana)}`
      yield* sql`INSERT INTO codes ${sql.insert({ code: "a" })}`

      const reasonOf = (row: Record<string, unknown>) =>
        Effect.map(Effect.flip(sql`INSERT INTO users ${sql.insert(row)}`), (error) => error.reason)
      const pair = yield* reasonOf({ ...ana, id: 2 })
      assert.strictEqual(pair._tag, "UniqueViolation")
      assert.propertyVal(pair, "constraint", "users.country, users.email")
      assert.propertyVal(yield* reasonOf({ ...ana, email: "b@example.com" }), "constraint", "users.id")
      const code = yield* Effect.flip(sql`INSERT INTO codes ${sql.insert({ code: "a" })}`)
      assert.propertyVal(code.reason, "constraint", "codes.code")
      assert.strictEqual(codeOf(code), "SQLITE_CONSTRAINT")

      const next = { ...ana, id: 2, email: "b@example.com" }
      assert.strictEqual((yield* reasonOf({ ...next, country: null }))._tag, "ConstraintError")
      assert.strictEqual((yield* reasonOf({ ...next, email: "no address" }))._tag, "ConstraintError")
      assert.strictEqual((yield* reasonOf({ ...next, friend: 99 }))._tag, "ConstraintError")
      assert.strictEqual((yield* reasonOf({ ...next, friend: "text" }))._tag, "ConstraintError")
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("reports a writer that waits longer than the busy timeout as retryable", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const holder = yield* SqlClient.SqlClient
        yield* holder`CREATE TABLE items (id INTEGER) STRICT`
        const other = yield* NodeSqliteClient.make({ filename, busyTimeout: "20 millis" })
        const error = yield* Effect.flip(holder.withTransaction(other.withTransaction(Effect.void)))
        assert.strictEqual(error.reason._tag, "LockTimeoutError")
        assert.isTrue(error.isRetryable)
        assert.strictEqual(codeOf(error), "SQLITE_BUSY")
        assert.include(error.message, `Another connection held the database "${filename}"`)
        yield* other.withTransaction(other`INSERT INTO items VALUES (1)`)
      }).pipe(using({ filename }), Effect.provide(Reactivity.layer))
    })
  )

  it.effect("reports a full disk as SQLITE_FULL, and the previous transaction stays complete", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE blobs (bytes BLOB) STRICT`
      yield* sql`PRAGMA max_page_count = 8`
      const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO blobs VALUES (zeroblob(100000))`))
      assert.strictEqual(error.reason._tag, "UnknownError")
      assert.strictEqual(codeOf(error), "SQLITE_FULL")
      assert.include(error.message, "There is no space left")
      assert.deepStrictEqual(yield* sql`SELECT count(*) FROM blobs`.values, [[0]])
      yield* sql.withTransaction(sql`INSERT INTO blobs VALUES (zeroblob(10))`)
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("reports a file that is not a database as SQLITE_NOTADB, and leaves it unchanged", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "a letter, not a database. ".repeat(100))
      const error = yield* Effect.flip(Effect.void.pipe(using({ filename })))
      assert.strictEqual(codeOf(error), "SQLITE_NOTADB")
      assert.include(error.message, `"${filename}" is not a SQLite database`)
      assert.strictEqual(statSync(filename).size, 2600)
    })
  )

  it.effect("reports a damaged file as SQLITE_CORRUPT", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE items (name TEXT) STRICT`
        yield* sql`INSERT INTO items SELECT hex(randomblob(100)) FROM json_each(${JSON.stringify(Array(500).fill(0))})`
      }).pipe(using({ filename }))
      const file = openSync(filename, "r+")
      writeSync(file, new Uint8Array(4096 * 8).fill(0x5a), 0, undefined, 4096)
      closeSync(file)
      const error = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* Effect.flip(sql`SELECT sum(length(name)) FROM items`)
      }).pipe(using({ filename }))
      assert.strictEqual(codeOf(error), "SQLITE_CORRUPT")
      assert.include(error.message, "restore it from a backup")
    })
  )

  it.effect("fails a client that is used after its scope closed, and opens nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const scope = yield* Scope.make()
      const sql = yield* NodeSqliteClient.make({ filename }).pipe(
        Scope.provide(scope),
        Effect.provide(Reactivity.layer)
      )
      yield* Scope.close(scope, Exit.void)
      const uses: ReadonlyArray<Effect.Effect<unknown, SqlError.SqlError>> = [
        sql`SELECT 1`,
        sql.withTransaction(Effect.void),
        Stream.runDrain(sql`SELECT 1`.stream)
      ]
      for (const use of uses) {
        const error = yield* Effect.flip(use)
        assert.strictEqual(error.reason._tag, "ConnectionError")
        assert.include(error.message, `The database "${filename}" is closed`)
      }
    })
  )

  it.effect("fails a transaction that outlives its client with its own failure, not with a defect", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const scope = yield* Scope.make()
      const sql = yield* NodeSqliteClient.make({ filename }).pipe(
        Scope.provide(scope),
        Effect.provide(Reactivity.layer)
      )
      const late = sql.withTransaction(Effect.andThen(Scope.close(scope, Exit.void), Effect.fail("late" as const)))
      assert.strictEqual(yield* Effect.flip(late), "late")
    })
  )

  it("reports any other exception as an unknown error with its own message", () => {
    const error = fromThrown(new Error("odd"), "test.db", "execute")
    assert.strictEqual(error.reason._tag, "UnknownError")
    assert.strictEqual(error.message, "odd")
    assert.isUndefined(codeOf(error))
  })
})
