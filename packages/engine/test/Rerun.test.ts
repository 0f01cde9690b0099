import { assert, describe, it } from "@effect/vitest"
import { DeliveryWorker } from "@parcela/engine/workers/DeliveryWorker"
import { CommandStore, type Found, type Loaded, type LoadName, type Unit } from "@parcela/engine/ports/CommandStore"
import { Payments } from "@parcela/engine/usecases/Payments"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
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
      answers.push(Effect.succeed({ _tag: "Refused", status, problem: `The receiver responded with ${status}` }))
      assert.strictEqual(yield* Effect.flatMap(DeliveryWorker, (worker) => worker.deliverDue), 1)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ state: string; failures: number }>`SELECT state, failures FROM webhook_endpoints`
      assert.deepStrictEqual({ ...row! }, reaction)
    }).pipe(World.inWorld({ store: rerunning }))
  )
})

describe("a payment that is due", () => {
  it.effect("is not sent when its subscription was stopped after the unit had loaded it", () =>
    Effect.suspend(() => {
      let meanwhile: Effect.Effect<void> = Effect.void
      /** Each unit decides first on what another one changes before it writes. */
      const store = Layer.effect(
        CommandStore,
        Effect.map(CommandStore, (inner) => ({
          run: <N extends LoadName, A, R>(unit: Unit<N, A, R>) =>
            Effect.gen(function* () {
              let known: Found<N> | undefined
              const noting = ({ found }: Loaded<N>) => {
                known = found
                return Result.succeed({ value: undefined, writes: undefined })
              }
              yield* inner.run({ load: unit.load, args: unit.args, decide: noting })
              const once = meanwhile
              meanwhile = Effect.void
              yield* once
              return yield* inner.run({ ...unit, known })
            })
        }))
      ).pipe(Layer.provideMerge(storeOf(inject("store"))))
      return Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeByCard(company, World.cards.captured)
        yield* World.pay(company, "p", { payday: World.tomorrow })
        yield* TestClock.adjust("1 day")
        const subscriptions = yield* Subscriptions
        const payments = yield* Payments
        const owner = Option.getOrThrow(yield* subscriptions.find(company, World.ref("sub")))
        const { id } = Option.getOrThrow(yield* (yield* Transactions).find(company, World.ref("p")))
        meanwhile = Effect.orDie(subscriptions.update({ ...owner, status: "stopped" }))
        yield* payments.sendDue(company, id)
        assert.deepStrictEqual(yield* World.ledger, [])
        assert.strictEqual((yield* World.kept("p")).status, "notSend")
        // The other way round it is sent: the hook is what kept it.
        yield* subscriptions.update({ ...owner, status: "active" })
        yield* payments.sendDue(company, id)
        assert.strictEqual((yield* World.kept("p")).status, "captured")
      }).pipe(World.inWorld({ store }))
    })
  )
})
