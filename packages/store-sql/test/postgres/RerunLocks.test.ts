/** The locks of reruns of a root, which all processes of a database share. */
import { look } from "@parcela/test-world/StoreWrites"
import { assert, describe, it } from "@effect/vitest"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import { storedPayment, writes } from "../fixtures/CommandStoreFixtures.ts"
import { emptyDatabase } from "@parcela/tooling-postgres/Database"
import { Deferred, Effect, Fiber, Redacted, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as StoreSql from "../../src/StoreSql.ts"
import { statementsOf } from "../fixtures/Statements.ts"

/** One more payment of the stored payment's subscription. */
const counting = Effect.gen(function* () {
  const make = yield* writes
  const { args, subscription } = yield* storedPayment
  const run = CommandStore.use((store) =>
    store.run({
      load: "payment",
      args,
      decide: ({ found }) => {
        if (found?.owner._tag !== "Subscription") return Result.fail("missing")
        const { guard, owner } = found
        const next = { ...owner.subscription, payments: owner.subscription.payments + 1 }
        const changes = [{ table: "subscriptions", before: owner.subscription, next } as const]
        return Result.succeed({ value: next.payments, writes: make({ guards: [guard], changes }, found) })
      }
    })
  )
  return { args, run, subscription }
})

describe("transactions of one process", () => {
  it.live("write to one root one after another, and none has a conflict", () =>
    Effect.gen(function* () {
      const url = yield* Effect.orDie(emptyDatabase)
      yield* Effect.gen(function* () {
        const { run, subscription } = yield* counting
        const statements = yield* statementsOf(
          Effect.gen(function* () {
            const all = yield* Effect.all([run, run, run, run, run, run], { concurrency: "unbounded" })
            const wanted = [1, 2, 3, 4, 5, 6].map((more) => subscription.payments + more)
            assert.sameMembers(
              all.map(({ value }) => value),
              wanted
            )
          })
        )
        const writing = statements.filter(([text]) => text.startsWith("WITH reruns"))
        assert.strictEqual(writing.length, 6)
        assert.isAtMost(statements.length, 18)
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) }), { local: true }))
    })
  )
})

// Live: connections of a database wait for one another.
describe("a first run", () => {
  it.live("writes when no rerun has the lock of its root, so that reruns do not lose against new transactions", () =>
    Effect.gen(function* () {
      const url = yield* Effect.orDie(emptyDatabase)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { args, run, subscription } = yield* counting
        const hasLock = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const rerun = sql.withTransaction(
          Effect.gen(function* () {
            const name = `subscriptions ${subscription.id}`
            yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
            yield* Deferred.succeed(hasLock, undefined)
            yield* Deferred.await(mayEnd)
          })
        )
        const rerunning = yield* Effect.forkChild(rerun)
        yield* Deferred.await(hasLock)
        const first = yield* Effect.forkChild(run)
        const isWaiting = Effect.map(
          sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
          ({ length }) => length > 0
        )
        while (first.pollUnsafe() === undefined && !(yield* isWaiting)) yield* Effect.yieldNow
        assert.isUndefined(first.pollUnsafe(), "it has written")
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(rerunning)
        assert.strictEqual((yield* Fiber.join(first)).value, subscription.payments + 1)
        const { found } = yield* look("payment", args)
        assert.strictEqual(
          found?.owner._tag === "Subscription" ? found.owner.subscription.payments : 0,
          subscription.payments + 1
        )
      }).pipe(Effect.provide(StoreSql.layerPostgres({ url: Redacted.make(url) }), { local: true }))
    })
  )
})
