import { assert, describe, it } from "@effect/vitest"
import { DeliveryWorker } from "@parcela/engine/DeliveryWorker"
import { Payments } from "@parcela/engine/Payments"
import { Subscriptions } from "@parcela/engine/Subscriptions"
import { Transactions } from "@parcela/engine/Transactions"
import { UnitOfWork } from "@parcela/engine/UnitOfWork"
import { LocalDate } from "@parcela/core/LocalDate"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as World from "./fixtures/World.ts"

/** A store whose units are undone and run again once, as PostgreSQL does when a row has changed. */
const rerunning = Layer.effect(
  UnitOfWork,
  Effect.map(UnitOfWork, (inner) => ({
    ...inner,
    transact: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.andThen(Effect.exit(inner.transact(Effect.andThen(effect, Effect.fail("undone")))), inner.transact(effect))
  }))
).pipe(Layer.provideMerge(storeOf("SQLite in memory")))

describe("a unit that runs again", () => {
  it.effect.each([
    [410, { state: "off", failures: 0 }],
    [503, { state: "on", failures: 1 }]
  ] as const)("reacts to a response of %i as its first run did", ([status, reaction]) =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company, ["transaction.updateStatus"])
      yield* World.subscribeByCard(company, World.cards.captured)
      yield* World.pay(company, "p")
      const { answers } = yield* World.Receiver
      answers.push(Effect.succeed({ _tag: "Refused", status, problem: `The receiver answered ${status}` }))
      assert.strictEqual(yield* Effect.flatMap(DeliveryWorker, (worker) => worker.deliverDue), 1)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ state: string; failures: number }>`SELECT state, failures FROM webhook_endpoints`
      assert.deepStrictEqual({ ...row! }, reaction)
    }).pipe(World.inWorld({ store: rerunning }))
  )
})

describe("a payment that is due", () => {
  it.live("is not sent when its subscription was stopped after the unit had begun", () =>
    Effect.suspend(() => {
      let meanwhile: Effect.Effect<void> = Effect.void
      // On PostgreSQL a unit has begun, and has its snapshot, once it has read its transaction.
      const store = Layer.effect(
        Transactions,
        Effect.map(Transactions, (inner) => ({
          ...inner,
          findForUpdate: (...args: Parameters<typeof inner.findForUpdate>) =>
            Effect.tap(inner.findForUpdate(...args), () => {
              const once = meanwhile
              meanwhile = Effect.void
              return once
            })
        }))
      ).pipe(Layer.provideMerge(storeOf("PostgreSQL")))
      const test = Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeByCard(company, World.cards.captured)
        yield* World.pay(company, "p", { payday: "2099-01-01" })
        const transactions = yield* Transactions
        const payments = yield* Payments
        const subscriptions = yield* Subscriptions
        const due = Option.getOrThrow(yield* transactions.find(company, World.ref("p")))
        yield* transactions.update({ ...due, payday: LocalDate.make("2020-01-01") })
        const owner = Option.getOrThrow(yield* subscriptions.find(company, World.ref("sub")))
        const run = Effect.runPromiseWith(yield* Effect.context<never>())
        meanwhile = Effect.promise(() => run(Effect.orDie(subscriptions.update({ ...owner, status: "stopped" }))))
        yield* payments.sendDue(due)
        assert.deepStrictEqual(yield* World.ledger, [])
        assert.strictEqual((yield* World.kept("p")).status, "notSend")
      })
      return Effect.provide(test, Layer.fresh(World.world({ store })), { local: true })
    })
  )
})
