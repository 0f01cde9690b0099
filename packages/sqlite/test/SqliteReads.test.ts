import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { prepare, readRows } from "../src/SqliteConnection.ts"
import { SqliteReads } from "../src/SqliteReads.ts"
import { SqliteUnits } from "../src/SqliteUnits.ts"

const onTable = <A, E>(test: Effect.Effect<A, E, SqlClient.SqlClient | SqliteReads>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
    yield* sql`INSERT INTO items (id, name) VALUES (${1}, ${"one"})`
    return yield* test
  }).pipe(Effect.provide(NodeSqliteClient.layer({ filename: ":memory:" })))

const names = "SELECT id, name FROM items WHERE id <= ?1 ORDER BY id"

describe("a prepared statement", () => {
  it("is planned once, however often its limits are bound, and keeps its texts", () => {
    const native = new DatabaseSync(":memory:")
    native.exec("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    native.exec("INSERT INTO items VALUES (1, 'LIMIT ?1'), (2, 'b'), (3, 'c')")
    let plans = 0
    native.setAuthorizer(() => {
      plans++
      return 0
    })
    const planned = prepare(
      native,
      `SELECT "id" FROM items WHERE name <> 'OFFSET ?' AND (id IN (SELECT id FROM items ORDER BY id LIMIT ?1))
        OR name = 'LIMIT ?1' -- LIMIT ?
        ORDER BY id limit ?2 OFFSET ?3`
    )
    const once = plans
    assert.isAbove(once, 0)
    assert.deepEqual(
      readRows(planned, [2, 9, 1], false).map(({ id }) => id),
      [2]
    )
    assert.deepEqual(
      readRows(planned, [3, 1, 1], false).map(({ id }) => id),
      [2]
    )
    assert.deepEqual(
      readRows(planned, [0, 9, 0], false).map(({ id }) => id),
      [1]
    )
    assert.strictEqual(plans, once)
    native.close()
  })
})

const inFolder = <A, E, R>(test: (filename: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "reads-"))),
    (folder) => test(join(folder, "test.db")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )

const turnOfTheLoop = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

describe("reads of one go of the event loop", () => {
  it.effect("share what they see, and keep neither what comes next nor the log from going on", () =>
    inFolder((filename) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { read } = yield* SqliteReads
        yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
        yield* sql`INSERT INTO items (id, name) VALUES (1, 'one')`
        const other = new DatabaseSync(filename)
        const seen: Array<unknown> = []
        const see = () => seen.push(Effect.runSync(read(names, [1])!)[0]?.["name"])
        yield* turnOfTheLoop
        yield* Effect.sync(() => {
          see()
          other.exec("UPDATE items SET name = 'two'")
          see()
        })
        yield* turnOfTheLoop
        see()
        assert.deepEqual(seen, ["one", "one", "two"])
        const moved = () => other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"]
        assert.strictEqual(moved(), 1, "a reader stands in the way of the log")
        yield* turnOfTheLoop
        assert.strictEqual(moved(), 0)
        other.close()
      }).pipe(Effect.provide(NodeSqliteClient.layer({ filename, busyTimeout: 0 })))
    )
  )

  it.effect("end before something is written, which fails on a snapshot that is no longer the last", () =>
    inFolder((filename) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { read } = yield* SqliteReads
        const { run } = yield* SqliteUnits
        yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
        const other = new DatabaseSync(filename)
        const readBeforeAnother = (id: number) => {
          Effect.runSync(read(names, [1])!)
          other.exec(`INSERT INTO items VALUES (${id}, 'another')`)
        }
        yield* run((turn) => {
          readBeforeAnother(1)
          return turn.write("INSERT INTO items VALUES (2, 'unit')", [])
        })
        yield* Effect.suspend(() => {
          readBeforeAnother(3)
          return sql.withTransaction(sql`INSERT INTO items (id, name) VALUES (4, 'transaction')`)
        })
        assert.deepEqual(
          (yield* sql`SELECT id FROM items ORDER BY id`).map(({ id }) => id),
          [1, 2, 3, 4]
        )
        other.close()
      }).pipe(Effect.provide(NodeSqliteClient.layer({ filename, busyTimeout: 0 })))
    )
  )
})

describe("a read at once", () => {
  it.effect("has the rows of its statement, with whole numbers as numbers", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        assert.deepEqual(
          [...(yield* read(names, [1])!)].map((row) => ({ ...row })),
          [{ id: 1, name: "one" }]
        )
        assert.isTrue(Exit.isExit(read(names, [1])), "it has not run yet")
      })
    )
  )

  it.effect("has whole numbers that no number holds as bigints, and the others as numbers", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        const rows = () => read("SELECT ?1 AS large, 1 AS small UNION ALL SELECT 2, 3", [9_007_199_254_740_993n])!
        const expected = [
          { large: 9_007_199_254_740_993n, small: 1 },
          { large: 2, small: 3 }
        ]
        assert.deepEqual(
          (yield* rows()).map((row) => ({ ...row })),
          expected
        )
        assert.deepEqual(
          (yield* rows()).map((row) => ({ ...row })),
          expected
        )
      })
    )
  )

  it.effect("sees nothing of a transaction that a fiber stands in", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        const sql = yield* SqlClient.SqlClient
        const inside = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE items SET name = 'two'`
              yield* Deferred.succeed(inside, undefined)
              yield* Deferred.await(end)
            })
          )
        )
        yield* Deferred.await(inside)
        assert.isUndefined(read(names, [1]))
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(fiber)
        assert.deepEqual({ ...(yield* read(names, [1])!)[0] }, { id: 1, name: "two" })
      })
    )
  )

  it.effect("has what was committed while units write", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "reads-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
      )
      const time = { now: 0 }
      const clock = { ...(yield* Clock.Clock), currentTimeMillisUnsafe: () => time.now }
      const client = Layer.build(NodeSqliteClient.layer({ filename: join(folder, "test.db") }))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { read } = yield* SqliteReads
        const { run } = yield* SqliteUnits
        yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
        yield* sql`INSERT INTO items (id, name) VALUES (1, 'one'), (2, 'two')`
        const first = () => Effect.map(read(names, [1])!, ([row]) => row?.["name"])
        const rename = (id: number) =>
          run((turn) => {
            turn.write("UPDATE items SET name = 'other' WHERE id = ?1", [id])
            time.now += 5
          })
        const renaming = yield* Effect.forkChild(Effect.forEach([1, 2], rename, { concurrency: "unbounded" }))
        while (time.now === 0) yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
        assert.strictEqual(yield* first(), "one")
        assert.strictEqual(time.now, 5)
        yield* Fiber.join(renaming)
        assert.strictEqual(yield* first(), "other")
      }).pipe(Effect.provide(yield* Effect.provideService(client, Clock.Clock, clock)))
    })
  )

  it.effect("fails with what the database says, and with what cannot be bound", () =>
    onTable(
      Effect.gen(function* () {
        const { read } = yield* SqliteReads
        assert.strictEqual((yield* Effect.flip(read("SELECT nothing FROM items", [])!))._tag, "SqlError")
        assert.strictEqual((yield* Effect.flip(read(names, [undefined])!))._tag, "SqlError")
      })
    )
  )
})
