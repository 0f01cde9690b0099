/**
 * Tests of the port `PixProvider`, for every adapter.
 *
 * @since 0.1.0
 */
import { assert, layer as describeLayer } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { Cents } from "@parcela/core/money/Cents"
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { PixCharge } from "@parcela/core/transactions/RegisteredTransaction"
import { type PixOutcome, PixProvider, type PixRequest } from "@parcela/engine/ports/PixProvider"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { boletoRequestOf } from "./BoletoBankSuite.ts"

/**
 * A request for a Pix charge of R$ 129.90, due on 2026-03-10.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const pixRequestOf = (transactionId: number, attempt = `pix ${transactionId}`): PixRequest => ({
  ...boletoRequestOf(transactionId, attempt),
  terms: { Deadline: { type: "days", value: 1 } }
})

/**
 * The opened charge. A denial is a defect.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const chargeOf = (outcome: PixOutcome): PixCharge => {
  if (outcome._tag === "FinallyDenied") throw new Error(`Denied (${outcome.code}): ${outcome.message}`)
  return outcome.charge
}

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = <E>(name: string, layer: Layer.Layer<PixProvider, E>): void =>
  describeLayer(layer)(`PixProvider: ${name}`, (it) => {
    it.effect("returns the same charge for a transaction that is opened again, under any attempt", () =>
      Effect.gen(function* () {
        const provider = yield* PixProvider
        const charge = yield* provider.open(pixRequestOf(101))
        assert.deepStrictEqual(yield* provider.open(pixRequestOf(101)), charge)
        assert.deepStrictEqual(yield* provider.open(pixRequestOf(101, "another try")), charge)
      })
    )

    it.effect("returns one charge for a transaction that is opened many times at once", () =>
      Effect.gen(function* () {
        const provider = yield* PixProvider
        const charges = yield* Effect.all(
          Array.from({ length: 16 }, () => provider.open(pixRequestOf(102))),
          {
            concurrency: "unbounded"
          }
        )
        for (const charge of charges) assert.deepStrictEqual(charge, charges[0])
      })
    )

    it.effect("returns different codes and txids for transactions with the same amount", () =>
      Effect.gen(function* () {
        const provider = yield* PixProvider
        const ids = [103, 1_030, 10_300, 99_999_999_999]
        const charges = yield* Effect.forEach(ids, (id) => Effect.map(provider.open(pixRequestOf(id)), chargeOf))
        assert.strictEqual(new Set(charges.map(({ qrCode }) => qrCode)).size, ids.length)
        assert.strictEqual(new Set(charges.map(({ txid }) => txid)).size, ids.length)
      })
    )

    it.effect.prop("returns a dynamic code with a valid CRC that fits the interface", [SvcPayId], ([id]) =>
      Effect.gen(function* () {
        const provider = yield* PixProvider
        const { qrCode, txid } = chargeOf(yield* provider.open(pixRequestOf(id)))
        const content = yield* Effect.fromResult(PixBrCode.parse(qrCode))
        assert.strictEqual(content._tag, "PixDynamic")
        assert.isTrue(Schema.is(DynamicTxid)(txid), txid)
        // Interface section 2.6.
        assert.isAtMost(qrCode.length, 255)
      })
    )

    it.effect("registers a withdrawn slip again once, with the number of that registration", () =>
      Effect.gen(function* () {
        const provider = yield* PixProvider
        const named = (name: string) => ({ ...pixRequestOf(190), attemptId: AttemptId.make(name) })
        const first = yield* provider.open(named("first of 190"))
        yield* provider.cancel(named("cancel 190"))
        const request = { ...named("second of 190"), registration: 2, value: Cents.make(4_321) }
        const second = yield* provider.open(request)
        assert.strictEqual(second._tag, "PixOpened")
        assert.notDeepEqual(second, first)
        assert.deepStrictEqual(yield* provider.open({ ...request, attemptId: AttemptId.make("again") }), second)
        assert.deepStrictEqual(yield* provider.cancel({ ...named("cancel again"), registration: 2 }), {
          _tag: "Cancelled"
        })
      })
    )

    it.effect("cancels an open charge, again for a repeated request, and no other", () =>
      Effect.gen(function* () {
        const provider = yield* PixProvider
        yield* provider.open(pixRequestOf(104))
        const cancel = { ...pixRequestOf(104), attemptId: AttemptId.make("cancel 104") }
        assert.deepStrictEqual(yield* provider.cancel(cancel), { _tag: "Cancelled" })
        assert.deepStrictEqual(yield* provider.cancel(cancel), { _tag: "Cancelled" })
        assert.strictEqual((yield* provider.cancel(pixRequestOf(105)))._tag, "FinallyDenied")
      })
    )
  })
