import { ClockOffset } from "@parcela/core/time/Instant"
import { assert, describe, it } from "@effect/vitest"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { Effect, Layer, Option } from "effect"
import { Documents } from "../../src/documents/DocumentRoutes.ts"
import { customer, owner, pixPayment } from "./fixtures/Payments.ts"

const shown = { transaction: pixPayment, owner, customer, card: undefined, clock: ClockOffset.make(0) }

const layer = Documents.layer.pipe(
  Layer.provide([
    Layer.mock(Transactions, {
      findByDocument: (id, key) =>
        Effect.succeed(id === pixPayment.id && key === "right" ? Option.some(pixPayment) : Option.none())
    }),
    Layer.mock(CommandStore, {
      run: (unit) => Effect.fromResult(unit.decide({ key: undefined, found: shown as never }))
    })
  ])
)

describe("Documents", () => {
  it.effect("finds a payment with its payer by its key only", () =>
    Effect.gen(function* () {
      const documents = yield* Documents
      assert.deepStrictEqual(yield* documents.find(pixPayment.id, "right"), Option.some(shown))
      assert.deepStrictEqual(yield* documents.find(pixPayment.id, "wrong"), Option.none())
    }).pipe(Effect.provide(layer))
  )
})
