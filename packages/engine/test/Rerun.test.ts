import { assert, describe, it } from "@effect/vitest"
import { CommandStore, type Found, type Loaded, type LoadName, type Unit } from "@parcela/engine/ports/CommandStore"
import { Payments } from "@parcela/engine/usecases/Payments"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { writeChange } from "@parcela/testing/StoreWrites"
import * as World from "./fixtures/World.ts"

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
        const stopped = { ...owner, status: "stopped" } as const
        const context = yield* Effect.context<CommandStore>()
        const stop = writeChange({ table: "subscriptions", before: owner, next: stopped })
        meanwhile = Effect.orDie(Effect.provide(stop, context))
        yield* payments.sendDue(company, id)
        assert.deepStrictEqual(yield* World.ledger, [])
        assert.strictEqual((yield* World.kept("p")).status, "notSend")
        // The other way round it is sent: the hook is what kept it.
        yield* writeChange({ table: "subscriptions", before: stopped, next: owner })
        yield* payments.sendDue(company, id)
        assert.strictEqual((yield* World.kept("p")).status, "captured")
      }).pipe(World.inWorld({ store }))
    })
  )
})
