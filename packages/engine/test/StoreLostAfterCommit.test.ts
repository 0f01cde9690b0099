import { assert, describe, it } from "@effect/vitest"
import { AddPayment } from "@parcela/core/transactions/PaymentRequests"
import type { KeyUse } from "@parcela/engine/command/IdempotencyKey"
import { CommandStore, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { Payments } from "@parcela/engine/payments/Payments"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer, Schema } from "effect"
import { inject } from "vitest"
import * as CardPayments from "./fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const unavailable = Effect.fail(new StoreError({ reason: new Unavailable({ cause: new Error("connection refused") }) }))

/** A store that cannot be used once a command with this load has written, until `isOut` is false again. */
const lostAfter = (load: LoadName, isArmed = true) => {
  const state = { isArmed, isOut: false }
  const store = Layer.effect(
    CommandStore,
    Effect.map(CommandStore, (inner) => ({
      run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) =>
        Effect.suspend(() =>
          state.isOut
            ? unavailable
            : Effect.tap(inner.run(command), ({ writes }) => {
                if (state.isArmed && command.load === load && writes !== undefined) state.isOut = true
                return Effect.void
              })
        )
    }))
  ).pipe(Layer.provideMerge(storeOf(inject("store"))))
  return { state, store }
}

const reasonOf = (error: { readonly _tag: string }) => (error instanceof StoreError ? error.reason._tag : error._tag)

const add = (companyId: KeyUse<PaymentContext>["name"]["companyId"], key?: KeyUse<PaymentContext>) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    const body = { myId: "p", value: 1990, payday: Samples.today }
    const command = yield* Effect.orDie(Schema.decodeUnknownEffect(AddPayment)(body))
    return yield* payments.add(companyId, World.ref("sub"), command, key)
  })

describe("a payment that was added before the store was lost", () => {
  it.effect("is returned with its last known state", () =>
    Effect.suspend(() => {
      const { state, store } = lostAfter("newPayment")
      return Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
        const { transaction } = World.valueOf(yield* add(company))
        assert.strictEqual(transaction.status, "notSend")
        state.isOut = false
        assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")
      }).pipe(World.inWorld({ store }))
    })
  )

  it.effect("fails with an unknown commit, and a repeat under its key returns the payment", () =>
    Effect.suspend(() => {
      const { state, store } = lostAfter("newPayment")
      return Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
        const key: KeyUse<PaymentContext> = {
          name: { companyId: company, key: "k", fingerprint: "f" },
          respond: ({ transaction }) => ({ status: 200, body: transaction.status })
        }
        const lost = yield* Effect.flip(add(company, key))
        assert.strictEqual(reasonOf(lost), "CommitUnknown")
        state.isOut = false
        yield* World.passTime("60 seconds")
        assert.strictEqual(World.valueOf(yield* add(company, key)).transaction.status, "captured")
        assert.strictEqual(yield* Rows.count("transactions"), 1)
        assert.lengthOf(yield* World.ledger, 1)
      }).pipe(World.inWorld({ store }))
    })
  )
})

describe("a command on a payment that was committed before the store was lost", () => {
  it.effect("is no failure that changed nothing, as a withdrawal by a cancellation", () =>
    Effect.suspend(() => {
      const { state, store } = lostAfter("payment", false)
      return Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeBy(company, "boleto")
        yield* World.pay(company, "p")
        state.isArmed = true
        assert.strictEqual(reasonOf(yield* Effect.flip(World.cancel(company, "p"))), "CommitUnknown")
        state.isArmed = state.isOut = false
        yield* World.passTime("60 seconds")
        assert.strictEqual((yield* World.cancel(company, "p")).status, "cancel")
      }).pipe(World.inWorld({ store }))
    })
  )

  it.effect("is no failure that changed nothing, as a reversal whose response a repeat stores", () =>
    Effect.suspend(() => {
      const { state, store } = lostAfter("payment", false)
      return Effect.gen(function* () {
        const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
        yield* World.pay(company, "p")
        const payments = yield* Payments
        const key: KeyUse<PaymentContext> = {
          name: { companyId: company, key: "k", fingerprint: "f" },
          respond: ({ transaction }) => ({ status: 200, body: transaction.status })
        }
        const reverse = payments.reverse(company, World.ref("p"), {}, key)
        yield* plan.next("reverse", World.ResponseLost())
        assert.strictEqual(reasonOf(yield* Effect.flip(reverse)), "OutcomeUnknown")
        yield* payments.show(company, World.ref("p"))
        state.isArmed = true
        assert.strictEqual(reasonOf(yield* Effect.flip(reverse)), "CommitUnknown")
        state.isArmed = state.isOut = false
        assert.deepStrictEqual(yield* reverse, { _tag: "Replayed", response: { status: 200, body: "reversed" } })
      }).pipe(World.inWorld({ store }))
    })
  )
})
