import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { CommandStore, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { Loaded, LoadName } from "@parcela/engine/command/Loads"
import { CardManagement } from "@parcela/engine/cards/Cards"
import { Payments } from "@parcela/engine/payments/Payments"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer, Option, Result } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { writeChange } from "@parcela/test-world/StoreWrites"
import * as CardPayments from "./fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** A store on which a command decides first on what `meanwhile` changes before it writes, once `before` commands have run. */
const interposing = () => {
  const plan = { meanwhile: Effect.void as Effect.Effect<void>, before: 0 }
  const store = Layer.effect(
    CommandStore,
    Effect.map(CommandStore, (inner) => ({
      run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) =>
        Effect.gen(function* () {
          let stale: Loaded<N> | undefined
          const noting = (loaded: Loaded<N>) => {
            stale = loaded
            return Result.succeed({ value: undefined, writes: undefined })
          }
          yield* inner.run({ load: command.load, args: command.args, decide: noting })
          if (plan.before === 0) {
            const once = plan.meanwhile
            plan.meanwhile = Effect.void
            yield* once
          }
          plan.before = plan.before - 1
          return yield* inner.run({
            ...command,
            decide: (loaded) => {
              const used = stale ?? loaded
              stale = undefined
              return command.decide(used)
            }
          })
        })
    }))
  ).pipe(Layer.provideMerge(storeOf(inject("store"))))
  return { plan, store }
}

describe("a payment that is due", () => {
  it.effect("is not sent when its subscription is stopped after the load", () =>
    Effect.suspend(() => {
      const interposed = interposing()
      return Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
        yield* World.pay(company, "p", { payday: Samples.tomorrow })
        yield* TestClock.adjust("1 day")
        const subscriptions = yield* Subscriptions
        const payments = yield* Payments
        const owner = Option.getOrThrow(yield* subscriptions.find(company, World.ref("sub")))
        const { id } = Option.getOrThrow(yield* (yield* Transactions).find(company, World.ref("p")))
        const stopped = { ...owner, status: "stopped" } as const
        const context = yield* Effect.context<CommandStore>()
        const stop = writeChange({ table: "subscriptions", before: owner, next: stopped })
        interposed.plan.meanwhile = Effect.orDie(Effect.provide(stop, context))
        interposed.plan.before = 0
        yield* payments.sendDue(company, id)
        assert.deepStrictEqual(yield* World.ledger, [])
        assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")
        // In the other order it is sent: the hook prevented it.
        yield* writeChange({ table: "subscriptions", before: stopped, next: owner })
        yield* payments.sendDue(company, id)
        assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      }).pipe(World.inWorld({ store: interposed.store }))
    })
  )
})

describe("a card that is removed after the load", () => {
  const refusal = <A, E extends object, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.flip(effect), World.refusalOf)
  const namingIt = { PaymentMethodCreditCard: { Card: { myId: "second" } } }
  const commands = {
    "a payment that is added": (company: CompanyId) => refusal(World.pay(company, "p", namingIt)),
    "an edit of a payment": (company: CompanyId) => refusal(World.edit(company, "later", namingIt)),
    "an edit of a subscription": (company: CompanyId) => refusal(World.editSubscription(company, namingIt)),
    "a charge": (company: CompanyId) =>
      refusal(World.charge(company, "c", { mainPaymentMethodId: "creditcard", ...namingIt }))
  }
  for (const [name, command] of Object.entries(commands)) {
    it.effect(`is not found by ${name}`, () =>
      Effect.suspend(() => {
        const interposed = interposing()
        return Effect.gen(function* () {
          const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
          yield* World.pay(company, "later", { payday: Samples.tomorrow })
          yield* World.addCard(company, "5555555555554444", { myId: "second" })
          const context = yield* Effect.context<CardManagement>()
          const remove = CardManagement.use((cards) => cards.remove(company, World.ref("second")))
          interposed.plan.meanwhile = Effect.orDie(Effect.provide(remove, context))
          // The first command looks, the second one writes.
          interposed.plan.before = 1
          assert.strictEqual(yield* command(company), "CardNotFound")
        }).pipe(World.inWorld({ store: interposed.store }))
      })
    )
  }
})
