import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { copyFileSync, renameSync, rmSync } from "node:fs"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { temporaryFile } from "@parcela/testing/TemporaryFile"

const write = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(sql`INSERT INTO items (name) VALUES ('one')`)
})

const count = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ items: number }>`SELECT count(*) AS items FROM items`
  return rows[0]?.items
})

/** Runs on a file with one row that is held, and that the test may take away. */
const onFile = <A, E>(test: (filename: string) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
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

describe("a database file that is open", () => {
  for (const [name, change] of changes) {
    it.effect(`and ${name} takes no more writes, from the next one on`, () =>
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

  it.effect("and removed within a transaction does not acknowledge its commit", () =>
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

  it.effect("and removed is noticed within a second without a write, and logged once a minute", () => {
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

  it.effect("and put back is used again, with all that was in it", () =>
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

  it.effect("and put back takes the next write at once", () =>
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

  it.effect("and not held alone is not looked after: another program may care for it", () =>
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
