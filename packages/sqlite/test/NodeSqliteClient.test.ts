import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Deferred, Duration, Effect, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { count } from "./fixtures/Counter.ts"
import { temporaryFile, temporaryFolder } from "@parcela/test-world/TemporaryFile"

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url))

/** Runs the effect with a client of its own, which is closed when it ends. */
const using = (config: NodeSqliteClient.NodeSqliteClientConfig) =>
  Effect.provide(NodeSqliteClient.layer(config), { local: true })

const createItems = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
})

const addItems = Effect.fnUntraced(function* (...ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  for (const id of ids) yield* sql`INSERT INTO items ${sql.insert({ id, name: `item ${id}` })}`
})

const itemIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: number }>`SELECT id FROM items ORDER BY id`
  return rows.map((row) => row.id)
})

describe("set-up", () => {
  it.effect("opens a file in WAL mode with full synchronization, foreign keys and an untrusted schema", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`PRAGMA journal_mode`.values, [["wal"]])
        assert.deepStrictEqual(yield* sql`PRAGMA synchronous`.values, [[2]])
        assert.deepStrictEqual(yield* sql`PRAGMA wal_autocheckpoint`.values, [[2000]])
        assert.deepStrictEqual(yield* sql`PRAGMA foreign_keys`.values, [[1]])
        assert.deepStrictEqual(yield* sql`PRAGMA trusted_schema`.values, [[0]])
        assert.deepStrictEqual(yield* sql`PRAGMA busy_timeout`.values, [[1500]])
      }).pipe(using({ filename, busyTimeout: Duration.millis(1500) }))
    })
  )

  it.effect("reads its options from configuration", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const layer = NodeSqliteClient.layerConfig({
        filename: Config.String("FILE"),
        synchronous: Config.Literals(["FULL", "NORMAL"], "SYNCHRONOUS")
      })
      const synchronous = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`PRAGMA synchronous`.values
      }).pipe(
        Effect.provide(layer),
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ FILE: filename, SYNCHRONOUS: "NORMAL" })))
      )
      assert.deepStrictEqual(synchronous, [[1]])
      assert.isTrue(existsSync(filename))
    })
  )

  it.effect("creates missing folders of the file, accessible to their owner only", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "a", "b")
      yield* createItems.pipe(using({ filename: join(folder, "test.db") }))
      assert.isTrue(existsSync(join(folder, "test.db")))
      assert.strictEqual(statSync(folder).mode & 0o077, 0)
    })
  )

  it.effect("uses a file name literally, also in streams", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      for (const name of [`it's "x"; DROP TABLE y.db`, "a?mode=memory#%20é.db", "file:b.db?mode=memory"]) {
        const filename = join(folder, name)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* createItems
          yield* addItems(1)
          assert.strictEqual((yield* Stream.runCollect(sql`SELECT id FROM items`.stream)).length, 1)
        }).pipe(using({ filename }))
        assert.isTrue(existsSync(filename), name)
      }
      const filename = join(folder, "relative.db?mode=memory")
      yield* createItems.pipe(using({ filename: `file:x/../${relative(process.cwd(), filename)}` }))
      assert.isTrue(existsSync(filename))
    })
  )

  it.effect("quotes the names of tables and columns", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const table = `t"; DROP TABLE items; --`
      const column = `select "x"`
      yield* createItems
      yield* sql`CREATE TABLE ${sql(table)} (${sql(column)} TEXT)`
      yield* sql`INSERT INTO ${sql(table)} ${sql.insert({ [column]: `'; DROP TABLE items; --` })}`
      const rows = yield* sql`SELECT ${sql(column)} FROM ${sql(table)}`
      assert.deepStrictEqual({ ...rows[0] }, { [column]: `'; DROP TABLE items; --` })
      assert.deepStrictEqual(yield* itemIds, [])
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("reports the obstacle when the folder cannot be created", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      writeFileSync(file, "a file")
      const error = yield* Effect.flip(createItems.pipe(using({ filename: join(file, "below", "test.db") })))
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.strictEqual(
        error.message,
        `Cannot create the folder "${join(file, "below")}" for the database: choose another place or allow it (ENOTDIR)`
      )
    })
  )

  it.effect("reports a name that is a folder or is empty", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const isFolder = yield* Effect.flip(createItems.pipe(using({ filename: folder })))
      assert.strictEqual(isFolder.message, `"${folder}" is a folder: name a file in it.`)
      const isEmpty = yield* Effect.flip(createItems.pipe(using({ filename: "" })))
      assert.strictEqual(isEmpty.message, `A database needs a file name: a path, or ":memory:".`)
    })
  )

  // The permission bits of a folder do not bind root.
  it.effect.skipIf(process.getuid?.() === 0)("distinguishes a folder without write permission from a missing one", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "closed")
      mkdirSync(folder, { mode: 0o500 })
      const error = yield* Effect.flip(createItems.pipe(using({ filename: join(folder, "test.db") })))
      assert.strictEqual(error.reason._tag, "AuthorizationError")
      assert.include(error.message, `The folder "${folder}" of the database may not be written`)
    })
  )

  it.effect("reads, and neither writes nor creates anything, as a read-only client", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const missing = yield* Effect.flip(itemIds.pipe(using({ filename, readonly: true })))
      assert.strictEqual(missing.reason._tag, "ConnectionError")
      assert.strictEqual(missing.message, `There is no database "${filename}", and a read-only client creates none.`)
      assert.isFalse(existsSync(filename))

      yield* Effect.andThen(createItems, addItems(1)).pipe(using({ filename }))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql.withTransaction(itemIds), [1])
        const refused = yield* Effect.flip(addItems(2))
        assert.strictEqual(refused.reason._tag, "AuthorizationError")
      }).pipe(using({ filename, readonly: true }))
    })
  )
})

describe("durability", () => {
  it.live(
    "retains every acknowledged write of 64 writers that share commits when the process is killed",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        const child = yield* Effect.acquireRelease(
          Effect.sync(() => spawn(process.execPath, [fixture("Acknowledger"), filename])),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        let output = ""
        const signal = yield* Effect.callback<NodeJS.Signals | null>((resume) => {
          child.stderr.on("data", (data) => (output += String(data)))
          child.stdout.on("data", (data) => {
            output += String(data)
            if (output.split("\n").length > 400) child.kill("SIGKILL")
          })
          child.on("close", (_code, signal) => resume(Effect.succeed(signal)))
        })
        assert.strictEqual(signal, "SIGKILL", output)
        const acknowledged = output
          .split("\n")
          .filter((line) => line !== "")
          .map(Number)
        assert.isAtLeast(acknowledged.length, 400)

        const written = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`.values, [["ok"]])
          return yield* sql<{ number: number }>`SELECT number FROM written ORDER BY number`
        }).pipe(using({ filename }))
        const numbers = new Set(written.map((row) => row.number))
        assert.deepStrictEqual(
          acknowledged.filter((number) => !numbers.has(number)),
          []
        )
        // The last commit may have returned without being said.
        assert.isAtMost(numbers.size - acknowledged.length, 64)
      }),
    30_000
  )

  it.live(
    "lets two processes write one file, each waiting for the other",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE TABLE counter (value INTEGER NOT NULL) STRICT`
          yield* sql`INSERT INTO counter VALUES (0)`
          const child = yield* Effect.acquireRelease(
            Effect.sync(() => spawn(process.execPath, [fixture("Counter"), filename, "50"], { stdio: "inherit" })),
            (child) => Effect.sync(() => child.kill("SIGKILL"))
          )
          const exit = Effect.callback<number | null>((resume) => {
            child.on("close", (code) => resume(Effect.succeed(code)))
          })
          const [code] = yield* Effect.all([exit, count(50)], { concurrency: "unbounded" })
          assert.strictEqual(code, 0)
          assert.deepStrictEqual(yield* sql`SELECT value FROM counter`.values, [[100]])
        }).pipe(using({ filename, busyTimeout: "30 seconds" }))
      }),
    30_000
  )

  it.effect("leaves one complete file when the scope closes", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        yield* createItems
        yield* addItems(1, 2)
        assert.isTrue(existsSync(`${filename}-wal`))
      }).pipe(using({ filename }))
      assert.isFalse(existsSync(`${filename}-wal`))
      assert.deepStrictEqual(yield* itemIds.pipe(using({ filename })), [1, 2])
    })
  )

  it.effect("checkpoints the log into the file on close, even while another connection is open", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        yield* createItems
        yield* addItems(1).pipe(using({ filename }))
        assert.strictEqual(statSync(`${filename}-wal`).size, 0)
        assert.deepStrictEqual(yield* itemIds, [1])
      }).pipe(using({ filename }))
    })
  )

  it.effect("closes the database when the layers above are interrupted during their construction", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const reached = yield* Deferred.make<void>()
      const above = Layer.effectDiscard(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* createItems
          yield* sql.withTransaction(
            Effect.andThen(addItems(1), Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
          )
        })
      ).pipe(Layer.provide(NodeSqliteClient.layer({ filename })))
      const fiber = yield* Effect.forkChild(Effect.scoped(Layer.build(above)))
      yield* Deferred.await(reached)
      assert.isTrue(existsSync(`${filename}-wal`))
      yield* Fiber.interrupt(fiber)
      assert.isFalse(existsSync(`${filename}-wal`))
      assert.deepStrictEqual(yield* itemIds.pipe(using({ filename })), [])
    })
  )
})

describe("transactions", () => {
  it.effect("are rolled back by a failure", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      const error = yield* Effect.flip(sql.withTransaction(Effect.andThen(addItems(1, 2), Effect.fail("no" as const))))
      assert.strictEqual(error, "no")
      assert.deepStrictEqual(yield* itemIds, [])
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("are rolled back by an interruption, and the client remains usable", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      const reached = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.andThen(addItems(1), Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        )
      )
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* itemIds, [])
      yield* sql.withTransaction(addItems(2))
      assert.deepStrictEqual(yield* itemIds, [2])
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("roll back only the writes of a failing nested transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      const inner = sql.withTransaction(
        Effect.gen(function* () {
          yield* addItems(2)
          yield* sql.withTransaction(addItems(3))
          return yield* Effect.fail("no" as const)
        })
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* addItems(1)
          assert.strictEqual(yield* Effect.flip(inner), "no")
          yield* sql.withTransaction(addItems(4))
          assert.deepStrictEqual(yield* itemIds, [1, 4])
        })
      )
      assert.deepStrictEqual(yield* itemIds, [1, 4])
    }).pipe(using({ filename: ":memory:", statementCacheSize: 1 }))
  )

  it.effect("roll back a successful nested transaction with the outer one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      yield* Effect.flip(sql.withTransaction(Effect.andThen(sql.withTransaction(addItems(1)), Effect.fail("no"))))
      assert.deepStrictEqual(yield* itemIds, [])
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("release a savepoint when its transaction ends, with or without success", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          for (const nested of [Effect.void, Effect.fail("no")]) {
            yield* Effect.ignore(sql.withTransaction(nested))
            const error = yield* Effect.flip(sql`RELEASE SAVEPOINT effect_sql_1`)
            assert.include(error.message, "no such savepoint")
          }
        })
      )
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("of concurrent fibers run one after another", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE counter (value INTEGER NOT NULL) STRICT`
      yield* sql`INSERT INTO counter VALUES (0)`
      yield* Effect.all(
        Array.from({ length: 20 }, () => count(1)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(yield* sql`SELECT value FROM counter`.values, [[20]])
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("delay the statement of another fiber, which then reads all their writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      const reached = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* addItems(1)
            yield* Deferred.succeed(reached, undefined)
            yield* Deferred.await(go)
            yield* addItems(2)
          })
        )
      )
      yield* Deferred.await(reached)
      const reader = yield* Effect.forkChild(itemIds)
      yield* Effect.yieldNow
      yield* Deferred.succeed(go, undefined)
      assert.deepStrictEqual(yield* Fiber.join(reader), [1, 2])
      yield* Fiber.join(writer)
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("write nothing when their commit fails, and the client remains usable", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      yield* sql`CREATE TABLE parts (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED) STRICT`
      const error = yield* Effect.flip(sql.withTransaction(sql`INSERT INTO parts VALUES (7)`))
      assert.strictEqual(error.reason._tag, "ConstraintError")
      assert.deepStrictEqual(yield* sql`SELECT * FROM parts`, [])
      yield* sql.withTransaction(addItems(1))
      assert.deepStrictEqual(yield* itemIds, [1])
    }).pipe(using({ filename: ":memory:" }))
  )
})

describe("statements", () => {
  it.effect("are refused when a text has several of them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      const error = yield* Effect.flip(sql`DELETE FROM items; DROP TABLE items`)
      assert.include(error.message, "One statement at a time")
      yield* sql`SELECT 1; -- a comment ; with a semicolon`
      yield* sql`SELECT 1 /* ; */ ; ;`
      yield* sql.unsafe(`CREATE TRIGGER t AFTER DELETE ON items BEGIN SELECT 1; SELECT 2; END;`)
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("return a column that was added after they were cached", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createItems
      yield* addItems(1)
      const query = sql`SELECT * FROM items`
      assert.deepStrictEqual({ ...(yield* query)[0] }, { id: 1, name: "item 1" })
      yield* sql`ALTER TABLE items ADD COLUMN note TEXT DEFAULT 'new'`
      assert.deepStrictEqual({ ...(yield* query)[0] }, { id: 1, name: "item 1", note: "new" })
      assert.deepStrictEqual(yield* query.values, [[1, "item 1", "new"]])
      assert.deepStrictEqual({ ...(yield* query)[0] }, { id: 1, name: "item 1", note: "new" })
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("return the columns of a table that was dropped and created again after they were cached", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const query = sql`SELECT * FROM remade`
      yield* sql`CREATE TABLE remade (a TEXT, b TEXT)`
      yield* query
      yield* sql`DROP TABLE remade`
      yield* sql`CREATE TABLE remade (b TEXT, a TEXT)`
      yield* sql`INSERT INTO remade (a, b) VALUES ('a', 'b')`
      assert.deepStrictEqual({ ...(yield* query)[0] }, { a: "a", b: "b" })
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("return the columns of a table whose change was rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const query = sql`SELECT * FROM altered`
      yield* sql`CREATE TABLE altered (a TEXT, b TEXT)`
      yield* sql`INSERT INTO altered (a, b) VALUES ('a', 'b')`
      const change = Effect.gen(function* () {
        yield* sql`ALTER TABLE altered RENAME COLUMN a TO c`
        yield* query
        return yield* Effect.fail("undone" as const)
      })
      for (const undone of [
        sql.withTransaction(change),
        sql.withTransaction(Effect.ignore(sql.withTransaction(change)))
      ]) {
        yield* Effect.ignore(undone)
        assert.deepStrictEqual({ ...(yield* query)[0] }, { a: "a", b: "b" })
      }
    }).pipe(using({ filename: ":memory:" }))
  )

  it.effect("return the same rows when every statement evicts the previous one from the cache", () =>
    Effect.gen(function* () {
      yield* createItems
      yield* addItems(1, 2, 3)
      assert.deepStrictEqual(yield* itemIds, [1, 2, 3])
    }).pipe(using({ filename: ":memory:", statementCacheSize: 1 }))
  )
})

describe("streams", () => {
  const ids = Array.from({ length: 1000 }, (_, index) => index + 1)
  const fill = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createItems
    yield* sql.withTransaction(addItems(...ids))
  })

  for (const location of ["a file", ":memory:"]) {
    it.effect(`let their consumer query, write and stream (${location})`, () =>
      Effect.gen(function* () {
        const filename = location === ":memory:" ? location : yield* temporaryFile
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* fill
          const seen: Array<number> = []
          yield* sql<{ id: number }>`SELECT id FROM items ORDER BY id`.stream.pipe(
            Stream.runForEach(({ id }) =>
              Effect.gen(function* () {
                seen.push(id)
                if (id % 100 !== 0) return
                yield* sql.withTransaction(sql`UPDATE items SET name = 'seen' WHERE id = ${id}`)
                const rows = yield* sql`SELECT count(*) AS total FROM items WHERE name = 'seen'`.values
                assert.deepStrictEqual(rows, [[id / 100]])
                // A stream opened now reads what was just committed, though another is still open.
                const inner = yield* Stream.runCollect(sql`SELECT id FROM items WHERE name = 'seen'`.stream)
                assert.strictEqual(inner.length, id / 100)
              })
            )
          )
          assert.deepStrictEqual(seen, ids)
        }).pipe(using({ filename }))
      })
    )
  }

  it.effect("return the writes of their transaction", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createItems
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* addItems(1, 2)
            const rows = yield* Stream.runCollect(
              sql<{ id: number }>`SELECT id FROM items`.stream.pipe(Stream.tap(() => itemIds))
            )
            assert.deepStrictEqual(
              rows.map((row) => row.id),
              [1, 2]
            )
          })
        )
      }).pipe(using({ filename }))
    })
  )

  it.effect("delay nothing when they are not read to their end", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* fill
        const taken = yield* sql<{ id: number }>`SELECT id FROM items ORDER BY id`.stream.pipe(
          Stream.take(3),
          Stream.runCollect
        )
        assert.deepStrictEqual(
          taken.map((row) => row.id),
          [1, 2, 3]
        )
        yield* addItems(1001)
        const checkpoint = yield* sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`
        assert.strictEqual(checkpoint[0]!.busy, 0)
      }).pipe(using({ filename, busyTimeout: 0 }))
    })
  )

  it.effect("leave no connection open, however many run concurrently", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* fill
        const totals = yield* Effect.all(
          Array.from({ length: 10 }, () => Stream.runCount(sql`SELECT id FROM items`.stream)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          totals,
          Array.from({ length: 10 }, () => 1000)
        )
      }).pipe(using({ filename }))
      assert.isFalse(existsSync(`${filename}-wal`))
    })
  )

  it.effect("are refused for a write with RETURNING, except inside a transaction", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createItems
        const write = sql<{ id: number }>`INSERT INTO items VALUES (1, 'one') RETURNING id`
        const error = yield* Effect.flip(Stream.runCollect(write.stream))
        assert.strictEqual(error.reason._tag, "AuthorizationError")
        assert.strictEqual(error.message, "A stream reads only: write without a stream, or stream inside a transaction")
        const rows = yield* sql.withTransaction(Stream.runCollect(write.stream))
        assert.deepStrictEqual(
          rows.map((row) => row.id),
          [1]
        )
      }).pipe(using({ filename }))
    })
  )

  it.effect("fail with the error of a query or of a refused value", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const missing = yield* Effect.flip(Stream.runCollect(sql`SELECT * FROM nowhere`.stream))
        assert.include(missing.message, "no such table: nowhere")
        const refused = yield* Effect.flip(Stream.runCollect(sql`SELECT ${undefined}`.stream))
        assert.include(refused.message, "Parameter 1 of the statement is undefined")
      }).pipe(using({ filename }))
    })
  )
})
