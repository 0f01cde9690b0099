import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import fs from "node:fs"
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { type SQLInputValue, StatementSync } from "node:sqlite"
import { GroupCommit } from "../src/GroupCommit.ts"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { commitOperation } from "../src/SqliteErrors.ts"
import { temporaryFile } from "@parcela/test-world/TemporaryFile"

const write = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(sql`INSERT INTO items (name) VALUES ('one')`)
})

const count = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ items: number }>`SELECT count(*) AS items FROM items`
  return rows[0]?.items
})

/** An older copy of the file, from before rows were added and checkpointed, as a restored backup. */
const withOlderCopy = Effect.fnUntraced(function* (filename: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`PRAGMA wal_checkpoint(PASSIVE)`
  copyFileSync(filename, `${filename}.copy`)
  yield* Effect.forEach(
    Array.from({ length: 200 }, (_, index) => `${index} ${"x".repeat(200)}`),
    (name) => sql`INSERT INTO items (name) VALUES (${name})`
  )
  yield* sql`PRAGMA wal_checkpoint(PASSIVE)`
})

/** Runs on a file with one row that is held, and that the test may take away. */
const onFile = <A, E>(test: (filename: string) => Effect.Effect<A, E, SqlClient.SqlClient | GroupCommit>) =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
      yield* write
      return yield* test(filename)
    }).pipe(Effect.provide(NodeSqliteClient.layer({ filename, exclusive: true })))
  })

const changes: ReadonlyArray<readonly [name: string, change: (filename: string) => void]> = [
  ["removed", (filename) => rmSync(filename)],
  ["moved", (filename) => renameSync(filename, `${filename}.old`)],
  [
    "replaced by a copy",
    (filename) => {
      copyFileSync(filename, `${filename}.copy`)
      renameSync(`${filename}.copy`, filename)
    }
  ],
  ["left without its write-ahead log", (filename) => rmSync(`${filename}-wal`)]
]

describe("an open database file", () => {
  for (const [name, change] of changes) {
    it.effect(`that is ${name} accepts no further write`, () =>
      onFile((filename) =>
        Effect.gen(function* () {
          change(filename)
          const { message, reason } = yield* Effect.flip(write)
          assert.strictEqual(reason._tag, "ConnectionError")
          assert.include(message, `The database "${filename}" or its "-wal" was removed, moved or replaced`)
          // Nor is it read: what is there may be another one by now.
          assert.include((yield* Effect.flip(count)).message, "removed, moved or replaced")
        })
      )
    )
  }

  it.effect("that is overwritten by an older copy acknowledges no further write", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        yield* withOlderCopy(filename)
        copyFileSync(`${filename}.copy`, filename)
        assert.include((yield* Effect.flip(write)).message, "changed by another program")
        assert.include((yield* Effect.flip(write)).message, "changed by another program")
      })
    )
  )

  it.effect("that is overwritten by an older copy is detected by a read, which does not adopt the copy", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* withOlderCopy(filename)
        copyFileSync(`${filename}.copy`, filename)
        yield* Effect.ignore(sql`PRAGMA user_version`)
        assert.include(
          (yield* Effect.flip(sql`INSERT INTO items (name) VALUES ('single')`)).message,
          "changed by another program"
        )
      })
    )
  )

  it.effect("whose header cannot be read after a COMMIT reports an unknown outcome", () =>
    onFile(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { run } = yield* GroupCommit
        const insert = run((transaction) => transaction.write("INSERT INTO items (name) VALUES ('two')", []))
        yield* sql`PRAGMA wal_autocheckpoint = 1`
        // The second commit moves the pages of the first into the file, whose header is read then.
        yield* insert
        const { readSync } = fs
        fs.readSync = () => {
          throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" })
        }
        syncBuiltinESMExports()
        const restore = Effect.sync(() => {
          fs.readSync = readSync
          syncBuiltinESMExports()
        })
        const failed = yield* Effect.flip(insert).pipe(Effect.ensuring(restore))
        assert.strictEqual(failed.reason.operation, commitOperation)
      })
    )
  )

  it.effect.each([
    ["to half its length", 0.5],
    ["to nothing", 0]
  ] as const)("whose write-ahead log is truncated %s acknowledges no further write", ([, share]) =>
    onFile((filename) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = sql`INSERT INTO items (name) VALUES ('single')`
        yield* insert
        truncateSync(`${filename}-wal`, Math.floor(statSync(`${filename}-wal`).size * share))
        assert.include((yield* Effect.flip(insert)).message, "changed by another program")
        assert.include((yield* Effect.flip(insert)).message, "changed by another program")
        assert.include((yield* Effect.flip(write)).message, "changed by another program")
      })
    )
  )

  it.effect("that is removed during a COMMIT does not acknowledge it", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { get } = StatementSync.prototype
        const removing = function (this: StatementSync, ...values: ReadonlyArray<SQLInputValue>) {
          // After the check that precedes the COMMIT.
          if (this.sourceSQL === "COMMIT") rmSync(filename)
          return Reflect.apply(get, this, values)
        }
        StatementSync.prototype.get = removing as typeof get
        const failed = yield* Effect.flip(sql`INSERT INTO items (name) VALUES ('two')`).pipe(
          Effect.ensuring(Effect.sync(() => (StatementSync.prototype.get = get)))
        )
        assert.strictEqual(failed.reason.operation, commitOperation)
        assert.include(failed.message, "removed, moved or replaced")
      })
    )
  )

  it.effect("that this process changes by a checkpoint and a truncated log remains in use", () =>
    onFile(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
        yield* write
        yield* sql`INSERT INTO items (name) VALUES ('single')`
        assert.strictEqual(yield* count, 3)
      })
    )
  )

  it.effect("that is removed is logged at once by the commit that detects it", () => {
    const lines: Array<string> = []
    const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return onFile((filename) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("5 seconds")
        rmSync(filename)
        yield* Effect.flip(write)
        yield* Effect.yieldNow
        assert.isAtLeast(lines.filter((line) => line.includes(filename)).length, 1)
      })
    ).pipe(Effect.provide(logged))
  })

  it.effect("that is removed within a transaction does not acknowledge the commit", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const error = yield* Effect.flip(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO items (name) VALUES ('two')`
              rmSync(filename)
            })
          )
        )
        assert.include(error.message, "removed, moved or replaced")
      })
    )
  )

  it.effect("that is removed is detected within a second without a write, and logged once a minute", () => {
    const lines: Array<string> = []
    const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return onFile((filename) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(lines, [])
        assert.strictEqual(yield* count, 1)
        rmSync(filename)
        yield* TestClock.adjust("1 second")
        assert.lengthOf(lines, 1)
        assert.include((yield* Effect.flip(count)).message, "removed")
        yield* TestClock.adjust("1 minute")
        assert.lengthOf(lines, 2)
        for (const line of lines) assert.include(line, filename)
      })
    ).pipe(Effect.provide(logged))
  })

  it.effect("that is moved back is used again, with all its rows", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        renameSync(filename, `${filename}.old`)
        yield* Effect.flip(write)
        renameSync(`${filename}.old`, filename)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* count, 1)
        yield* write
        assert.strictEqual(yield* count, 2)
      })
    )
  )

  it.effect("that is moved back accepts the next write at once", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        renameSync(filename, `${filename}.old`)
        yield* Effect.flip(write)
        renameSync(`${filename}.old`, filename)
        yield* write
        assert.strictEqual(yield* count, 2)
      })
    )
  )

  it.effect("that is opened without a lock is not watched, because another program may replace it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`
        rmSync(filename)
        yield* write
      }).pipe(Effect.provide(Layer.fresh(NodeSqliteClient.layer({ filename }))))
    })
  )
})
