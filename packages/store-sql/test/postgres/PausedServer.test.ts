/** A PostgreSQL server whose processes stand still: its connections stay open, and nothing is said on them. */
import { assert, describe, it } from "@effect/vitest"
import { MyId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { writes } from "../fixtures/CommandStoreFixtures.ts"
import { storedCompany, newCustomer } from "../fixtures/StoreFixtures.ts"
import { look, writeChange } from "@parcela/test-world/StoreWrites"
import { type PostgresServer, start } from "@parcela/tooling-postgres/PostgresServer"
import { Cause, Effect, Exit, Latch, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"
import * as StoreSql from "../../src/StoreSql.ts"

/** As long as each of these tests waits for a server that hangs. */
const timeout = "2 seconds"

// A separate server: the shared one continues for other tests.
let server: PostgresServer
beforeAll(async () => {
  server = await start()
}, 60_000)
afterAll(() => server.stop())

/** From here until `goOn` runs, or the scope ends. */
const pause = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => server.pause()),
    (goOn) => Effect.sync(goOn)
  ),
  (goOn) => Effect.sync(goOn)
)

const url = () => Redacted.make(`${server.url}/postgres`)

const reasonOf = <A>(exit: Exit.Exit<A, StoreError>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))?.reason._tag : undefined

// Live: it is the system's timers that end a wait for another machine.
describe("a PostgreSQL server that hangs", () => {
  it.live("fails waiting statements and statements that wait for a connection, and is used again afterwards", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ask = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        // Each holds its connection until the other has one, so that both are open.
        const bothSent = yield* Latch.make()
        let sent = 0
        const hold = sql.withTransaction(Effect.tap(ask, () => (++sent === 2 ? bothSent.open : bothSent.await)))
        const before = yield* Effect.all([hold, hold], { concurrency: 2 })
        const goOn = yield* pause
        // Two connections and six statements: four wait for a connection that never becomes free.
        const errors = yield* Effect.all(
          Array.from({ length: 6 }, () => Effect.flip(ask)),
          { concurrency: "unbounded" }
        )
        for (const { message, reason } of errors) {
          assert.strictEqual(reason._tag, "ConnectionError")
          assert.match(message, /PostgreSQL at 127\.0\.0\.1:\d+ .*(no reply within 2s|was free within 2s)/)
        }
        assert.lengthOf(
          errors.filter(({ message }) => message.includes("was free")),
          4
        )
        yield* goOn
        const after = yield* Effect.all([ask, ask], { concurrency: 2 })
        const used = new Set(before.flat().map(({ pid }) => pid))
        assert.isTrue(after.flat().every(({ pid }) => !used.has(pid)))
      }).pipe(Effect.provide(PostgresClient.layer({ url: url(), maxConnections: 2, timeout })))
    })
  )

  it.live("leaves the outcome of a write unknown, and of no other statement", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const store = yield* CommandStore
        const make = yield* writes
        const { id: companyId } = yield* storedCompany
        const ana = yield* newCustomer(companyId)
        const change = { table: "customers", next: ana } as const
        const args = { companyId, myId: MyId.make("none"), customer: { svcPayId: ana.id } }
        const isThere = Effect.map(
          look("newSubscription", args),
          ({ found }) => found!.customers.bySvcPayId !== undefined
        )

        // The server stops under the load: nothing was changed.
        const first = yield* pause
        assert.strictEqual(reasonOf(yield* Effect.exit(writeChange(change))), "Unavailable")
        yield* first
        assert.isFalse(yield* isThere)

        // It stops between the load and the write, and executes the write when it continues.
        let goOn: (() => void) | undefined
        const stopping = store.run({
          load: "company",
          args: { companyId },
          decide: ({ found }) => {
            goOn ??= server.pause()
            return Result.succeed({ value: undefined, writes: make({ changes: [change] }, found!) })
          }
        })
        const exit = yield* Effect.exit(stopping)
        goOn?.()
        assert.strictEqual(reasonOf(exit), "CommitUnknown")
        // A later read returns the row once the server's process has executed the write.
        const sql = yield* SqlClient.SqlClient
        while (
          (yield* sql`SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()`).length > 0
        )
          yield* Effect.yieldNow
        assert.isTrue(yield* isThere)
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: url(), timeout })))
    })
  )

  it.live("delays neither a disconnected request nor the end of the program", () =>
    Effect.gen(function* () {
      const used = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SELECT 1`
        yield* pause
        yield* Effect.timeoutOption(sql`SELECT 2`, "1 millis")
      }).pipe(Effect.provide(PostgresClient.layer({ url: url(), timeout })))
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(used)))
    })
  )
})

describe("a slow statement", () => {
  it.live("is ended by the server before the client times out, and the connection stays open", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [before] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
        const error = yield* Effect.flip(sql`SELECT pg_sleep(60)`)
        assert.strictEqual(error.reason._tag, "StatementTimeoutError")
        assert.deepStrictEqual(yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`, [before!])
      }).pipe(Effect.provide(PostgresClient.layer({ url: url(), maxConnections: 1, timeout })))
    })
  )

  it.live("is awaited where no timeout is set, as in a migration", () =>
    Effect.gen(function* () {
      const rows = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ name: string; setting: string }>`
          SELECT name, setting FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout') ORDER BY name
        `
      ).pipe(Effect.provide(PostgresClient.layer({ url: url(), timeout: "Infinity" })))
      assert.deepStrictEqual(
        rows.map(({ setting }) => setting),
        ["0", "0"]
      )
    })
  )
})
