/** A boleto or a Pix whose withdrawal is under way when its payment is reported: it is paid, whatever becomes of the withdrawal. */
import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { SubscriptionChanges } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Payers } from "@parcela/provider-simulator/Payers"
import { Duration, Effect, Fiber, Option } from "effect"
import { nowOf, receive, reportOf, settled, standings } from "./fixtures/Receipts.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const pending = Effect.fnUntraced(function* (method: "boleto" | "pix") {
  const company = yield* World.company()
  yield* World.subscribeBy(company, method)
  yield* World.pay(company, "p")
  return company
})

const cancelContract = Effect.fnUntraced(function* (company: CompanyId) {
  yield* SubscriptionChanges.use(({ cancel }) => cancel(company, World.ref("sub")))
  yield* DueWorker.use(({ runOnce }) => runOnce("cancel payment", 9))
})

/** The commands that withdraw a payment, by name. */
const withdrawals = {
  "to be cancelled": (company: CompanyId) => Effect.exit(World.cancel(company, "p")),
  "for another value": (company: CompanyId) => Effect.exit(World.edit(company, "p", { value: 2500 })),
  "for another payday": (company: CompanyId) => Effect.exit(World.edit(company, "p", { payday: Samples.tomorrow })),
  "as paid outside": (company: CompanyId) => Effect.exit(World.edit(company, "p", { payedOutsideSvcPay: true })),
  "with its subscription": (company: CompanyId) => Effect.exit(cancelContract(company))
}

/** Its provider has been paid, and withdraws it no more. */
const payAtProvider = Effect.fnUntraced(function* (company: CompanyId) {
  const { pay } = yield* Payers
  const { id } = Option.getOrThrow(yield* Transactions.use(({ find }) => find(company, World.ref("p"))))
  yield* pay({ companyId: company, transactionId: id, at: yield* nowOf(company) })
})

/** The failure that leaves a withdrawal open, and its outcome. */
const ends = {
  "its provider does": { fault: World.RequestLost(), isPaid: false, outcome: "cancelled" },
  "its provider did": { fault: World.ResponseLost(), isPaid: false, outcome: "cancelled" },
  "its provider denies, as it was paid": { fault: World.RequestLost(), isPaid: true, outcome: "denied" }
} as const

const outcomeOfWithdrawal = Effect.map(Rows.rows("attempts"), (rows) =>
  rows.filter(({ kind }) => kind === "cancel").map(({ outcome }) => outcome)
)

/** The company's jobs, except those that read reports. */
const dueKinds = Effect.map(Rows.rows("due_work"), (rows) =>
  rows.flatMap(({ company_id, kind }) => (company_id === null || kind === "fetch payments" ? [] : [kind]))
)

const registrations = Effect.map(
  World.providerRequests,
  (entries) => entries.filter(({ effect }) => effect === "registered").length
)

const paidOnce = Effect.fnUntraced(function* (method: "boleto" | "pix", outcome: "cancelled" | "denied") {
  const { status, value } = (yield* Rows.transaction("p")) as { readonly status: string; readonly value?: number }
  assert.deepStrictEqual([status, value], [method === "pix" ? "payedPix" : "payedBoleto", 1990])
  assert.deepStrictEqual(yield* settled("p"), [["E1", 1990]])
  assert.deepStrictEqual(yield* standings, [["E1", "applied"]])
  assert.deepStrictEqual(yield* outcomeOfWithdrawal, [outcome])
  assert.deepStrictEqual(yield* dueKinds, [])
  assert.strictEqual(yield* registrations, 1)
  assert.deepStrictEqual((yield* Rows.journal).slice(-3), [
    "TransactionSettled",
    "TransactionStatusChanged",
    outcome === "cancelled" ? "WithdrawnAfterPayment" : "ProviderDenied"
  ])
})

describe.each(["boleto", "pix"] as const)("a %s that is paid during its withdrawal", (method) => {
  for (const [why, withdraw] of Object.entries(withdrawals)) {
    for (const [how, { fault, isPaid, outcome }] of Object.entries(ends)) {
      it.effect(`${why}, which ${how}, is paid, and no further request is sent`, () =>
        Effect.gen(function* () {
          const company = yield* pending(method)
          const report = yield* reportOf("p", { id: "E1" })
          const plan = yield* World.faults
          const { runDueWork } = yield* Recovery
          yield* plan.next("cancel", fault)
          yield* withdraw(company)
          assert.deepStrictEqual(yield* outcomeOfWithdrawal, [null])
          if (isPaid) yield* payAtProvider(company)
          yield* receive(report)
          for (let times = 0; times < 3; times++) {
            yield* World.passTime("1 minute")
            yield* runDueWork
          }
          yield* paidOnce(method, outcome)
        }).pipe(World.inWorld())
      )
    }

    it.effect(`${why}, with the request still in transit, is paid, and no further request is sent`, () =>
      Effect.gen(function* () {
        const company = yield* pending(method)
        const report = yield* reportOf("p", { id: "E1" })
        const plan = yield* World.faults
        const { runDueWork } = yield* Recovery
        yield* plan.next("cancel", World.Slow({ delay: Duration.seconds(5) }))
        const withdrawing = yield* Effect.forkChild(withdraw(company))
        yield* World.passTime("1 second")
        assert.deepStrictEqual(yield* outcomeOfWithdrawal, [null])
        yield* receive(report)
        yield* World.whileTimePasses(Fiber.join(withdrawing))
        yield* runDueWork
        yield* paidOnce(method, "cancelled")
      }).pipe(World.inWorld())
    )
  }

  it.effect("retains the number of its registration for another value, so that the withdrawal can be queried", () =>
    Effect.gen(function* () {
      const company = yield* pending(method)
      const plan = yield* World.faults
      const { runDueWork } = yield* Recovery
      yield* World.edit(company, "p", { value: 2500 })
      yield* DueWorker.use(({ runOnce }) => runOnce("send payment", 9))
      const report = yield* reportOf("p", { id: "E1", value: Cents.make(2500) })
      yield* plan.next("cancel", World.RequestLost())
      yield* Effect.exit(World.edit(company, "p", { value: 3500 }))
      yield* receive(report)
      yield* World.passTime("1 minute")
      yield* runDueWork
      assert.deepInclude(yield* Rows.transaction("p"), { value: 2500, withdrawals: 1 } as object)
      assert.deepStrictEqual(yield* outcomeOfWithdrawal, ["cancelled", "cancelled"])
      assert.strictEqual(yield* registrations, 2)
    }).pipe(World.inWorld())
  )
})
