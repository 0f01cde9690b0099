import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { PixEndToEndId } from "@parcela/core/pix/PixIdentifiers"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import { BoletoBank, type BoletoRequest } from "@parcela/engine/ports/BoletoBank"
import { PixProvider } from "@parcela/engine/ports/PixProvider"
import { boletoRequestOf } from "@parcela/provider-tests/BoletoBankSuite"
import { pixRequestOf } from "@parcela/provider-tests/PixProviderSuite"
import { Effect, Layer, Option, Schema } from "effect"
import { Payers, type PaymentOrder } from "../src/Payers.ts"
import * as ProviderSimulator from "../src/ProviderSimulator.ts"
import { storeNames, stores } from "./fixtures/Layers.ts"

/** Brazil has had no summer time since 2019. */
const time = (text: string) => BusinessTime.make(Date.parse(`${text.replace(" ", "T")}-03:00`))

/** R$ 100,00, with 2 % and 1 % a month when late. */
const boletoOf = (id: number, dueDate: string, terms: BoletoRequest["terms"] = {}): BoletoRequest => ({
  ...boletoRequestOf(id),
  value: Cents.make(10_000),
  dueDate: dueDate as BoletoRequest["dueDate"],
  terms: { fine: 200, interest: 100, ...terms }
})

const pay = (id: number, at: string, changes: Partial<PaymentOrder> = {}) =>
  Payers.use((payers) =>
    payers.pay({ companyId: boletoRequestOf(id).companyId, transactionId: SvcPayId.make(id), at: time(at), ...changes })
  )

const reasonOf = <A>(paid: Effect.Effect<A, object, Payers>) =>
  Effect.map(Effect.flip(paid), (error) => ("reason" in error ? error.reason : error))

const reported = (at: string) => Payers.use(({ reports }) => reports.list(boletoRequestOf(1).companyId, time(at), 99))

for (const store of storeNames) {
  const fresh = <A, E, R>(test: Effect.Effect<A, E, R>) =>
    Effect.provide(test, Layer.provide(ProviderSimulator.layer(), stores[store]), { local: true })
  const registered = (request: BoletoRequest) => BoletoBank.use((bank) => bank.register(request))
  const opened = (id: number, terms = pixRequestOf(id).terms) =>
    PixProvider.use((provider) =>
      provider.open({ ...pixRequestOf(id), value: Cents.make(10_000), terms, at: time("2026-03-10 10:00:00") })
    )

  describe(`a boleto at the simulated bank (${store})`, () => {
    it.effect("is paid with the amount due on the day: discount, fine and interest", () =>
      Effect.gen(function* () {
        const Discount = { qtdDaysBeforePayDay: 2, type: "fixed", value: 500 } as const
        for (const [id, at, value] of [
          [1, "2026-11-09 23:59:59", 9_500],
          [2, "2026-11-11 23:59:59", 10_000],
          [3, "2026-11-28 00:00:00", 10_256]
        ] as const) {
          yield* registered(boletoOf(id, "2026-11-11", { Discount }))
          const [payment] = yield* pay(id, at)
          assert.deepInclude(payment, { method: "boleto", value: Cents.make(value), isAcknowledged: false })
        }
      }).pipe(fresh)
    )

    // Resolução CMN 4.880/2020: the Monday and the Tuesday of Carnival are no business days.
    it.effect.each([
      ["2026-02-13 16:00:00", "2026-02-18 00:00:00"],
      ["2026-02-14 16:00:00", "2026-02-18 00:00:00"],
      ["2026-02-18 16:00:00", "2026-02-19 00:00:00"],
      ["2026-02-20 16:00:00", "2026-02-23 00:00:00"]
    ] as const)("that is paid at %s is reported on the next business day", ([at, reportAt]) =>
      Effect.gen(function* () {
        yield* registered(boletoOf(4, "2026-02-14"))
        const [payment] = yield* pay(4, at)
        assert.strictEqual(payment!.reportAt, time(reportAt))
        assert.deepStrictEqual(yield* reported(at), [])
        const [report] = yield* reported(reportAt)
        assert.deepInclude(report, { method: "boleto", id: payment!.id, value: payment!.value, paidAt: time(at) })
      }).pipe(fresh)
    )

    it.effect("accepts other amounts, and any number of payments", () =>
      Effect.gen(function* () {
        yield* registered(boletoOf(5, "2026-11-11"))
        const value = Cents.make(1)
        const paid = yield* pay(5, "2026-11-11 10:00:00", { value, times: 3 })
        assert.deepStrictEqual(
          paid.map((payment) => payment.value),
          [value, value, value]
        )
        assert.strictEqual(new Set(paid.map(({ id }) => id)).size, 3)
        assert.lengthOf(yield* pay(5, "2026-11-12 10:00:00"), 1)
        assert.lengthOf(yield* reported("2026-11-30 00:00:00"), 4)
      }).pipe(fresh)
    )

    it.effect("is refused after its last day, after its cancellation, and for another company", () =>
      Effect.gen(function* () {
        yield* registered(boletoOf(6, "2026-11-11", { deadlineDays: 3 }))
        assert.strictEqual(yield* reasonOf(pay(6, "2026-11-17 00:00:00")), "Expired")
        // Saturday the 14th: until Monday.
        assert.lengthOf(yield* pay(6, "2026-11-16 23:59:59"), 1)
        yield* registered(boletoOf(7, "2026-11-11"))
        yield* BoletoBank.use((bank) => bank.cancel({ ...boletoOf(7, "2026-11-11"), attemptId: AttemptId.make("c") }))
        assert.strictEqual(yield* reasonOf(pay(7, "2026-11-11 10:00:00")), "Cancelled")
        assert.strictEqual(yield* reasonOf(pay(8, "2026-11-11 10:00:00")), "NotRegistered")
        const other = CompanyId.make(99)
        assert.strictEqual(yield* reasonOf(pay(6, "2026-11-11 10:00:00", { companyId: other })), "NotRegistered")
      }).pipe(fresh)
    )

    it.effect("cannot be cancelled after its payment", () =>
      Effect.gen(function* () {
        yield* registered(boletoOf(9, "2026-11-11"))
        yield* pay(9, "2026-11-11 10:00:00")
        const outcome = yield* BoletoBank.use((bank) =>
          bank.cancel({ ...boletoOf(9, "2026-11-11"), attemptId: AttemptId.make("c") })
        )
        assert.deepInclude(outcome, { _tag: "FinallyDenied", code: "paid" })
      }).pipe(fresh)
    )
  })

  describe(`a Pix charge at the simulated provider (${store})`, () => {
    it.effect("is paid once with the amount due, and reported at once with its end-to-end id", () =>
      Effect.gen(function* () {
        yield* opened(20)
        const at = "2026-03-10 10:10:00"
        assert.strictEqual(yield* reasonOf(pay(20, at, { value: Cents.make(9_999) })), "OtherValue")
        assert.strictEqual(yield* reasonOf(pay(20, at, { times: 2 })), "PaidAlready")
        const [payment] = yield* pay(20, at)
        assert.isTrue(Schema.is(PixEndToEndId)(payment!.id))
        const [report] = yield* reported(at)
        assert.deepInclude(report, { method: "pix", id: payment!.id })
        assert.strictEqual(yield* reasonOf(pay(20, at)), "PaidAlready")
      }).pipe(fresh)
    )

    it.effect("with thirty minutes is refused after them", () =>
      Effect.gen(function* () {
        const terms = { Deadline: { type: "minutes", value: 30 } } as const
        yield* opened(21, terms)
        assert.strictEqual(yield* reasonOf(pay(21, "2026-03-10 10:30:00")), "Expired")
        assert.lengthOf(yield* pay(21, "2026-03-10 10:29:59"), 1)
      }).pipe(fresh)
    )
  })

  describe(`an order to pay (${store})`, () => {
    it.effect(
      "with a name is one order when it is given twice concurrently, and refused for another value or number",
      () =>
        Effect.gen(function* () {
          yield* registered(boletoOf(31, "2026-11-11"))
          const at = "2026-11-09 10:00:00"
          const order = { name: "at once", value: Cents.make(5_000) }
          const paid = yield* Effect.all([pay(31, at, order), pay(31, at, order), pay(31, at, order)], {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(new Set(paid.flat().map(({ id }) => id)).size, 1)
          assert.strictEqual(yield* reasonOf(pay(31, at, { ...order, value: Cents.make(5_001) })), "OtherOrder")
          assert.strictEqual(yield* reasonOf(pay(31, at, { ...order, times: 2 })), "OtherOrder")
          assert.lengthOf(yield* pay(31, at, { name: "at once" }), 1)
        }).pipe(fresh)
    )

    it.effect("with a name is one order, however often it is given", () =>
      Effect.gen(function* () {
        yield* registered(boletoOf(30, "2026-11-11"))
        const order = { name: "at the bank", times: 2 }
        const first = yield* pay(30, "2026-11-11 10:00:00", order)
        assert.deepStrictEqual(yield* pay(30, "2026-11-12 10:00:00", order), first)
        yield* registered(boletoOf(32, "2026-11-11"))
        assert.strictEqual(yield* reasonOf(pay(32, "2026-11-11 10:00:00", order)), "OtherOrder")
        const { list } = yield* Payers
        assert.lengthOf(yield* list(boletoRequestOf(1).companyId, { after: 0, limit: 9 }), 2)
      }).pipe(fresh)
    )

    it.effect("is reported until it is acknowledged, and returns the time of the next report", () =>
      Effect.gen(function* () {
        const { companyId } = boletoRequestOf(1)
        const { reports } = yield* Payers
        yield* registered(boletoOf(31, "2026-11-11"))
        assert.deepStrictEqual(yield* reports.next(companyId), Option.none())
        yield* pay(31, "2026-11-11 10:00:00", { times: 2 })
        const at = "2026-11-12 00:00:00"
        assert.deepStrictEqual(yield* reports.next(companyId), Option.some(time(at)))
        const [one, two] = yield* reported(at)
        assert.deepStrictEqual(yield* reported(at), [one!, two!])
        // The company was restored since it was taken in.
        yield* Effect.flip(reports.acknowledge({ ...one! }, { restores: 1 }))
        assert.deepStrictEqual(yield* reported(at), [one!, two!])
        yield* reports.acknowledge(one!, { restores: 0 })
        yield* reports.acknowledge(one!, { restores: 0 })
        assert.deepStrictEqual(yield* reported(at), [two!])
        yield* reports.acknowledge(two!, { restores: 0 })
        assert.deepStrictEqual(yield* reports.next(companyId), Option.none())
      }).pipe(fresh)
    )
  })
}
