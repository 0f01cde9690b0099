/** Boletos and Pix charges are paid at the simulated providers, or not, and time passes. */
import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { PaymentReports } from "@parcela/engine/ports/PaymentReports"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ExpirePayment } from "@parcela/engine/payments/ExpirePayment"
import { FetchPayments } from "@parcela/engine/payments/FetchReports"
import { Effect, Exit, Layer, Option } from "effect"
import { advanceTo, announced, payAt, settled, standings } from "./fixtures/Receipts.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** R$ 100,00, due on a day, by a subscription with these terms. */
const due = Effect.fnUntraced(function* (method: "boleto" | "pix", payday: string, terms: object = {}) {
  const company = yield* World.company()
  yield* World.listen(company)
  yield* World.subscribe(company, {
    myId: "sub",
    mainPaymentMethodId: method,
    Customer: Samples.ana,
    [method === "pix" ? "PaymentMethodPix" : "PaymentMethodBoleto"]: terms
  })
  yield* World.pay(company, "p", { value: 10_000, payday })
  return company
})

const status = Effect.map(Rows.transaction("p"), (kept) => kept.status)

const amounts = Effect.map(settled("p"), (all) => all.map(([, value]) => value))

const dueKinds = Effect.map(Rows.rows("due_work"), (rows) => rows.map(({ kind }) => kind))

/** The status before and at an instant. */
const at = Effect.fnUntraced(function* (company: CompanyId, before: string, instant: string) {
  yield* advanceTo(company, before)
  const earlier = yield* status
  yield* advanceTo(company, instant)
  return [earlier, yield* status]
})

const late = { fine: 200, interest: 100 }

describe("a boleto", () => {
  it.effect("is settled and announced at the start of the business day after its payment", () =>
    Effect.gen(function* () {
      // A Friday.
      const company = yield* due("boleto", "2026-09-25")
      yield* advanceTo(company, "2026-09-25T15:00:00")
      yield* payAt(company, "p")
      assert.deepStrictEqual(yield* at(company, "2026-09-27T23:59:59", "2026-09-28T00:00:00"), [
        "pendingBoleto",
        "payedBoleto"
      ])
      assert.deepStrictEqual(yield* announced, ["payedBoleto"])
      const [payment] = yield* settled("p")
      assert.match(String(payment?.[0]), /^999-/)
      assert.deepStrictEqual(yield* dueKinds, [])
    }).pipe(World.inWorld())
  )

  // Resolução CMN 4.880/2020 and Lei 7.089/1983: Carnival Monday and Tuesday (2027-02-08 and 09) are no business days, Ash
  // Wednesday is one, and what is paid then is not late.
  it.effect("is due on the Saturday before Carnival and paid on Ash Wednesday without fine and interest", () =>
    Effect.gen(function* () {
      const company = yield* due("boleto", "2027-02-06", late)
      yield* advanceTo(company, "2027-02-10T15:00:00")
      yield* payAt(company, "p")
      yield* advanceTo(company, "2027-02-11T00:00:00")
      assert.deepStrictEqual([yield* status, yield* amounts], ["payedBoleto", [10_000]])
    }).pipe(World.inWorld())
  )

  it.effect("is settled on the next business day when it is paid on a holiday", () =>
    Effect.gen(function* () {
      // Monday 2026-10-12 is a holiday.
      const company = yield* due("boleto", "2026-10-10", late)
      yield* advanceTo(company, "2026-10-12T09:00:00")
      yield* payAt(company, "p")
      assert.deepStrictEqual(yield* at(company, "2026-10-12T23:59:59", "2026-10-13T00:00:00"), [
        "pendingBoleto",
        "payedBoleto"
      ])
      assert.deepStrictEqual(yield* amounts, [10_000])
    }).pipe(World.inWorld())
  )

  // CDC art. 52 § 1 and CTN art. 161: 2 % once, and 1 % a month for 17 days: 2,00 and 0,5666.., of which banks keep 0,56.
  it.effect("charges fine and interest to the cent when it is paid seventeen days late", () =>
    Effect.gen(function* () {
      const company = yield* due("boleto", "2026-09-23", late)
      yield* advanceTo(company, "2026-10-10T12:00:00")
      yield* payAt(company, "p")
      yield* advanceTo(company, "2026-10-13T00:00:00")
      assert.deepStrictEqual([yield* status, yield* amounts], ["payedBoleto", [10_256]])
    }).pipe(World.inWorld())
  )

  it.effect("accepts a lower amount, a higher amount and several payments, and stores each", () =>
    Effect.gen(function* () {
      const company = yield* due("boleto", "2026-09-23")
      yield* payAt(company, "p", { value: Cents.make(9_999) })
      yield* advanceTo(company, "2026-09-22T00:00:00")
      assert.strictEqual(yield* status, "lessValueBoleto")
      yield* payAt(company, "p", { value: Cents.make(10_001), times: 2 })
      yield* advanceTo(company, "2026-09-23T00:00:00")
      assert.deepStrictEqual([yield* status, yield* amounts], ["paidDuplicityBoleto", [9_999, 10_001, 10_001]])
      assert.deepStrictEqual(yield* announced, ["lessValueBoleto", "paidDuplicityBoleto"])
    }).pipe(World.inWorld())
  )

  it.effect("expires once a payment on its last day would have been reported", () =>
    Effect.gen(function* () {
      // Wednesday the 23rd and three days: Saturday, so Monday the 28th, and two business days.
      const company = yield* due("boleto", "2026-09-23", { deadlineDays: 3 })
      assert.deepStrictEqual(yield* at(company, "2026-09-30T23:59:59", "2026-10-01T00:00:00"), [
        "pendingBoleto",
        "notCompensated"
      ])
      assert.deepStrictEqual(yield* announced, ["notCompensated"])
      assert.deepStrictEqual(yield* dueKinds, [])
    }).pipe(World.inWorld())
  )

  it.effect("is settled and does not expire when it is paid on its last day", () =>
    Effect.gen(function* () {
      const company = yield* due("boleto", "2026-09-23", { deadlineDays: 3 })
      yield* advanceTo(company, "2026-09-28T23:59:00")
      yield* payAt(company, "p")
      yield* advanceTo(company, "2026-12-31T00:00:00")
      assert.deepStrictEqual(yield* announced, ["payedBoleto"])
    }).pipe(World.inWorld())
  )

  it.effect("retains the terms of its registration", () =>
    Effect.gen(function* () {
      yield* due("boleto", "2026-09-23", { deadlineDays: 3, fine: 200 })
      const [row] = yield* Rows.rows("transactions")
      const { registration } = JSON.parse(String(row!["data"])) as { registration: { terms: object } }
      assert.deepStrictEqual(registration.terms, { deadlineDays: 3, fine: 200 })
    }).pipe(World.inWorld())
  )
})

describe("a Pix", () => {
  it.effect("is paid at once, with its end-to-end id", () =>
    Effect.gen(function* () {
      const company = yield* due("pix", "2026-09-23")
      const [payment] = yield* payAt(company, "p")
      assert.strictEqual(yield* status, "payedPix")
      assert.deepStrictEqual(yield* settled("p"), [[payment!.id, 10_000]])
      assert.deepStrictEqual(yield* dueKinds, [])
    }).pipe(World.inWorld())
  )

  it.effect("expires after its thirty minutes, and its provider refuses later payments", () =>
    Effect.gen(function* () {
      // It was opened at 11:13:20.
      const company = yield* due("pix", Samples.today, { Deadline: { type: "minutes", value: 30 } })
      yield* advanceTo(company, "2026-09-21T11:43:19")
      assert.strictEqual(yield* status, "pendingPix")
      yield* advanceTo(company, "2026-09-21T11:43:20")
      assert.strictEqual(yield* status, "unavailablePix")
      assert.deepInclude(yield* Effect.flip(payAt(company, "p")), { _tag: "NotPayable", reason: "Expired" })
      assert.deepStrictEqual(yield* announced, ["unavailablePix"])
    }).pipe(World.inWorld())
  )

  it.effect("is paid when it is paid in its last second, however late the report arrives", () =>
    Effect.gen(function* () {
      const company = yield* due("pix", Samples.today, { Deadline: { type: "minutes", value: 30 } })
      yield* advanceTo(company, "2026-09-21T11:43:19")
      yield* failing(payAt(company, "p"))
      assert.strictEqual(yield* status, "pendingPix")
      yield* World.whileTimePasses(advanceTo(company, "2026-09-21T11:43:20"))
      assert.strictEqual(yield* status, "payedPix")
      assert.deepStrictEqual(
        (yield* standings).map(([, standing]) => standing),
        ["applied"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("expires only after its provider was asked for payments", () =>
    Effect.gen(function* () {
      const company = yield* due("pix", Samples.today, { Deadline: { type: "minutes", value: 30 } })
      yield* advanceTo(company, "2026-09-21T11:43:19")
      yield* failing(payAt(company, "p"))
      const { id } = Option.getOrThrow(yield* Transactions.use(({ find }) => find(company, World.ref("p"))))
      yield* World.passTime("1 second")
      const expired = yield* ExpirePayment.use(({ expire }) => expire(company, id))
      assert.deepStrictEqual(expired, { _tag: "Done", status: "payedPix" })
    }).pipe(World.inWorld())
  )

  it.effect("can be cancelled only while it is unpaid", () =>
    Effect.gen(function* () {
      const company = yield* due("pix", "2026-09-23")
      yield* failing(payAt(company, "p"))
      const refused = yield* Effect.flip(World.cancel(company, "p"))
      assert.strictEqual(World.tagOf(refused), "BillingError")
      yield* World.whileTimePasses(advanceTo(company, "2026-09-21T12:00:00"))
      assert.strictEqual(yield* status, "payedPix")
    }).pipe(World.inWorld())
  )
})

describe("the report job of a payment", () => {
  it.effect("does not exist after a refusal by the provider, and exists after an unknown outcome", () =>
    Effect.gen(function* () {
      const company = yield* due("pix", "2026-09-25")
      yield* payAt(company, "p")
      assert.strictEqual((yield* Effect.flip(payAt(company, "p")))._tag, "NotPayable")
      assert.deepStrictEqual(yield* dueKinds, [])
      const { expecting } = yield* FetchPayments
      yield* Effect.flip(expecting(company, down))
      assert.deepStrictEqual(yield* dueKinds, ["fetch payments"])
    }).pipe(World.inWorld())
  )
})

describe("a payment with a report that cannot be fetched", () => {
  it.effect("succeeds, and a job fetches the report", () =>
    Effect.gen(function* () {
      const company = yield* due("pix", "2026-09-25")
      assert.isTrue(Exit.isSuccess(yield* failing(payAt(company, "p"))))
      assert.include(yield* dueKinds, "fetch payments")
    }).pipe(World.inWorld())
  )
})

describe("a payment with an earlier report than the payment of another process", () => {
  it.effect("is fetched at the time of its report", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const [earlier, later] = [BusinessTime.make(Samples.start + 60_000), BusinessTime.make(Samples.start + 120_000)]
      const work = { kind: "fetch payments", subject: String(company), companyId: company } as const
      const schedule = (dueAt: BusinessTime) =>
        Effect.orDie(DueWork.use((due) => due.schedule([{ ...work, clock: "business", dueAt }])))
      const context = yield* Effect.context<DueWork>()
      let reads = 0
      // The other process pays and schedules between this one's look and what it writes of it.
      const next = () =>
        reads++ === 0
          ? Effect.as(Effect.provideContext(schedule(earlier), context), Option.some(later))
          : Effect.succeed(Option.some(earlier))
      yield* FetchPayments.use(({ expecting }) => expecting(company, Effect.void)).pipe(
        Effect.provide(
          Layer.provide(
            Layer.fresh(FetchPayments.layer),
            Layer.succeed(PaymentReports, { list: () => Effect.succeed([]), acknowledge: () => Effect.void, next })
          ),
          { local: true }
        )
      )
      const rows = yield* Rows.rows("due_work")
      assert.deepStrictEqual(
        rows.map(({ due_at }) => Number(due_at)),
        [earlier]
      )
    }).pipe(World.inWorld())
  )
})

const down = Effect.fail(new ProviderError({ provider: "Pix provider", cause: "down" }))

/** The same for a provider without a list of reports. */
const failing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.exit(
    Effect.provide(
      effect,
      Layer.fresh(FetchPayments.layer).pipe(
        Layer.provide(Layer.succeed(PaymentReports, { list: () => down, acknowledge: () => down, next: () => down }))
      ),
      { local: true }
    )
  )
