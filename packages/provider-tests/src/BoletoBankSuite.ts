/**
 * Tests of the port `BoletoBank`, for every adapter.
 *
 * @since 0.1.0
 */
import { assert, layer as describeLayer } from "@effect/vitest"
import * as BankLine from "@parcela/core/boleto/BankLine"
import * as BoletoBarcode from "@parcela/core/boleto/BoletoBarcode"
import { Cents } from "@parcela/core/money/Cents"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { fromFactor } from "@parcela/core/boleto/DueDateFactor"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { addDays, LocalDate } from "@parcela/core/time/LocalDate"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { BoletoSlip } from "@parcela/core/transactions/RegisteredTransaction"
import { BoletoBank, type BoletoOutcome, type BoletoRequest } from "@parcela/engine/ports/BoletoBank"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const today = LocalDate.make("2026-03-10")

/**
 * A request for a boleto of R$ 129.90, due on 2026-03-10.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const boletoRequestOf = (transactionId: number, attempt = `boleto ${transactionId}`): BoletoRequest => ({
  attemptId: AttemptId.make(attempt),
  companyId: CompanyId.make(1),
  at: BusinessTime.make(Date.UTC(2026, 2, 10)),
  transactionId: SvcPayId.make(transactionId),
  value: Cents.make(12_990),
  dueDate: today,
  payer: {
    id: SvcPayId.make(1),
    companyId: CompanyId.make(1),
    name: "Maria da Silva",
    document: "52998224725",
    emails: ["maria@parcela.example"],
    phones: [],
    createdAt: BusinessTime.make(0),
    updatedAt: BusinessTime.make(0)
  },
  terms: { fine: 200, interest: 100 }
})

/**
 * The slip of a registration. A denial is a defect.
 *
 * @category fixtures
 * @since 0.1.0
 */
export const slipOf = (outcome: BoletoOutcome): BoletoSlip => {
  if (outcome._tag === "FinallyDenied") throw new Error(`Denied (${outcome.code}): ${outcome.message}`)
  return outcome.slip
}

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = <E>(name: string, layer: Layer.Layer<BoletoBank, E>): void =>
  describeLayer(layer)(`BoletoBank: ${name}`, (it) => {
    it.effect("registers a slip with value and due date", () =>
      Effect.gen(function* () {
        const bank = yield* BoletoBank
        const request = boletoRequestOf(101)
        const slip = slipOf(yield* bank.register(request))
        const parts = BoletoBarcode.partsOf(yield* Effect.fromResult(BoletoBarcode.parse(slip.barcode)))
        assert.strictEqual(parts.value, request.value)
        assert.deepStrictEqual(fromFactor(parts.dueDateFactor, today), Option.some(today))
        assert.isNotEmpty(slip.bankAgency)
        assert.isNotEmpty(slip.bankAccount)
      })
    )

    it.effect("returns the same slip for a transaction that is registered again, under any attempt", () =>
      Effect.gen(function* () {
        const bank = yield* BoletoBank
        const slip = yield* bank.register(boletoRequestOf(102))
        assert.deepStrictEqual(yield* bank.register(boletoRequestOf(102)), slip)
        assert.deepStrictEqual(yield* bank.register(boletoRequestOf(102, "another try")), slip)
      })
    )

    it.effect("returns one slip for a transaction that is registered many times at once", () =>
      Effect.gen(function* () {
        const bank = yield* BoletoBank
        const slips = yield* Effect.all(
          Array.from({ length: 16 }, () => bank.register(boletoRequestOf(103))),
          {
            concurrency: "unbounded"
          }
        )
        for (const slip of slips) assert.deepStrictEqual(slip, slips[0])
      })
    )

    it.effect("returns different slips for transactions with the same amount", () =>
      Effect.gen(function* () {
        const bank = yield* BoletoBank
        const ids = [104, 1_040, 10_400, 99_999_999_999]
        const slips = yield* Effect.forEach(ids, (id) => Effect.map(bank.register(boletoRequestOf(id)), slipOf))
        assert.strictEqual(new Set(slips.map(({ barcode }) => barcode)).size, ids.length)
        assert.strictEqual(new Set(slips.map(({ bankLine }) => bankLine)).size, ids.length)
      })
    )

    it.effect.prop(
      "returns a matching barcode and line with correct check digits",
      [SvcPayId, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999_999_999 })), days],
      ([id, value, later]) =>
        Effect.gen(function* () {
          const bank = yield* BoletoBank
          const request = { ...boletoRequestOf(id), value: Cents.make(value), dueDate: addDays(today, later) }
          const slip = slipOf(yield* bank.register(request))
          const barcode = yield* Effect.fromResult(BoletoBarcode.parse(slip.barcode))
          const line = yield* Effect.fromResult(BankLine.parse(slip.bankLine))
          assert.strictEqual(BankLine.toBarcode(line), barcode)
        })
    )

    it.effect("registers a withdrawn slip again once, with the number of that registration", () =>
      Effect.gen(function* () {
        const bank = yield* BoletoBank
        const named = (name: string) => ({ ...boletoRequestOf(190), attemptId: AttemptId.make(name) })
        const first = yield* bank.register(named("first of 190"))
        yield* bank.cancel(named("cancel 190"))
        const request = { ...named("second of 190"), registration: 2, value: Cents.make(4_321) }
        const second = yield* bank.register(request)
        assert.strictEqual(second._tag, "BoletoRegistered")
        assert.notDeepEqual(second, first)
        assert.deepStrictEqual(yield* bank.register({ ...request, attemptId: AttemptId.make("again") }), second)
        assert.deepStrictEqual(yield* bank.cancel({ ...named("cancel again"), registration: 2 }), { _tag: "Cancelled" })
      })
    )

    it.effect("cancels a registered slip, again for a repeated request, and no other", () =>
      Effect.gen(function* () {
        const bank = yield* BoletoBank
        yield* bank.register(boletoRequestOf(105))
        const cancel = { ...boletoRequestOf(105), attemptId: AttemptId.make("cancel 105") }
        assert.deepStrictEqual(yield* bank.cancel(cancel), { _tag: "Cancelled" })
        assert.deepStrictEqual(yield* bank.cancel(cancel), { _tag: "Cancelled" })
        assert.strictEqual((yield* bank.cancel(boletoRequestOf(106)))._tag, "FinallyDenied")
      })
    )
  })

const days = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_000 }))
