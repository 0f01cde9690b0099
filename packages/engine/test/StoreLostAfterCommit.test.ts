import { assert, describe, it } from "@effect/vitest"
import { AddPayment } from "@parcela/core/transactions/AddPayment"
import type { KeyUse } from "@parcela/engine/command/Command"
import { CommandStore, type Unit } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { Payments } from "@parcela/engine/payments/Payments"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Effect, Layer, Schema } from "effect"
import { inject } from "vitest"
import * as CardPayments from "./fixtures/CardPayments.ts"
import * as World from "./fixtures/World.ts"

const unavailable = Effect.fail(new StoreError({ reason: new Unavailable({ cause: new Error("connection refused") }) }))

/** A store that cannot be used once a payment was added, until `isOut` is false again. */
const lostAfterAdd = () => {
  const state = { isOut: false }
  const store = Layer.effect(
    CommandStore,
    Effect.map(CommandStore, (inner) => ({
      run: <N extends LoadName, A, R>(unit: Unit<N, A, R>) =>
        Effect.suspend(() =>
          state.isOut
            ? unavailable
            : Effect.tap(inner.run(unit), ({ writes }) => {
                if (unit.load === "newPayment" && writes !== undefined) state.isOut = true
                return Effect.void
              })
        )
    }))
  ).pipe(Layer.provideMerge(storeOf(inject("store"))))
  return { state, store }
}

const add = (companyId: KeyUse<PaymentContext>["name"]["companyId"], key?: KeyUse<PaymentContext>) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    const body = { myId: "p", value: 1990, payday: World.today }
    const command = yield* Effect.orDie(Schema.decodeUnknownEffect(AddPayment)(body))
    return yield* payments.add(companyId, World.ref("sub"), command, key)
  })

describe("a payment that was added before the store was lost", () => {
  it.effect("is returned with its last known state", () =>
    Effect.suspend(() => {
      const { state, store } = lostAfterAdd()
      return Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(World.cards.captured)
        const { transaction } = World.valueOf(yield* add(company))
        assert.strictEqual(transaction.status, "notSend")
        state.isOut = false
        assert.strictEqual((yield* World.kept("p")).status, "notSend")
      }).pipe(World.inWorld({ store }))
    })
  )

  it.effect("fails with an unknown commit, and a repeat under its key returns the payment", () =>
    Effect.suspend(() => {
      const { state, store } = lostAfterAdd()
      return Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(World.cards.captured)
        const key: KeyUse<PaymentContext> = {
          name: { companyId: company, key: "k", fingerprint: "f" },
          respond: ({ transaction }) => ({ status: 200, body: transaction.status })
        }
        const lost = yield* Effect.flip(add(company, key))
        assert.strictEqual(lost._tag === "StoreError" ? lost.reason._tag : lost._tag, "CommitUnknown")
        state.isOut = false
        yield* World.passTime("60 seconds")
        assert.strictEqual(World.valueOf(yield* add(company, key)).transaction.status, "captured")
        assert.strictEqual(yield* World.count("transactions"), 1)
        assert.lengthOf(yield* World.ledger, 1)
      }).pipe(World.inWorld({ store }))
    })
  )
})
