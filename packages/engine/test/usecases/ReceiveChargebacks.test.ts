import { assert, describe, it } from "@effect/vitest"
import { referencesOf } from "@parcela/core/transactions/TransactionReference"
import { ReceiveChargebacks } from "@parcela/engine/usecases/ReceiveChargebacks"
import { Fault } from "@parcela/provider-simulator/SimulatorFaults"
import { Duration, Effect, Fiber } from "effect"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as World from "../fixtures/World.ts"

/** A captured payment, and how its operator reports a dispute of it. */
const captured = Effect.gen(function* () {
  const { company } = yield* CardPayments.subscribed(World.cards.captured)
  const payment = yield* World.pay(company, "p")
  const reference = referencesOf(payment).find(({ kind }) => kind === "tid")!
  const report = (process: string, more: object = {}) =>
    ReceiveChargebacks.use((receipts) => receipts.receive({ process, reference, ...more }))
  return { company, payment, reference, report }
})

describe("a dispute that a card operator reports", () => {
  it.effect("makes a payment a chargeback and says so, once however often it comes, also at once", () =>
    Effect.gen(function* () {
      const { company, payment, report } = yield* captured
      yield* World.listen(company, ["transaction.updateStatus", "chargeback.update"])
      const reported = yield* Effect.all(
        [1, 2, 3, 4, 5].map(() => report("d")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(reported)], ["chargeback"])
      assert.deepStrictEqual((yield* World.journal).slice(-2), ["TransactionStatusChanged", "ChargebackOpened"])
      const told = (yield* World.deliveries).map(({ event, payload }) => [event, payload] as const)
      assert.deepStrictEqual(
        told.map(([event]) => event),
        ["transaction.updateStatus", "chargeback.update"]
      )
      const disputed: object = told[1]![1]
      assert.deepNestedInclude(disputed, {
        Chargeback: {
          svcPayId: payment.id,
          status: "awaitingDocumentation",
          process: "d",
          transactionSvcPayId: payment.id,
          createdAt: "2026-09-21 11:13:20"
        },
        "Transaction.status": "chargeback"
      })
      assert.notProperty(told[0]![1], "Chargeback")
      const other = yield* Effect.flip(report("another"))
      assert.strictEqual(World.refusalOf(other), "TransactionCannot")
      assert.strictEqual(World.refusalOf(yield* Effect.flip(World.reverse(company, "p"))), "TransactionCannot")
    }).pipe(World.inWorld())
  )

  it.effect("is refused of another company's charge, of none, and while money is on its way back", () =>
    Effect.gen(function* () {
      const { company, report, reference } = yield* captured
      const other = yield* World.company()
      assert.strictEqual(World.refusalOf(yield* Effect.flip(report("d", { companyId: other }))), "TransactionNotFound")
      const unknown = { ...reference, value: "nobody's" }
      assert.strictEqual(
        World.refusalOf(yield* Effect.flip(report("d", { reference: unknown }))),
        "TransactionNotFound"
      )
      const plan = yield* World.faults
      yield* plan.next("reverse", Fault.Slow({ delay: Duration.seconds(5) }))
      const reversing = yield* Effect.forkChild(World.reverse(company, "p", 500))
      yield* World.passTime("1 second")
      assert.strictEqual(World.refusalOf(yield* Effect.flip(report("d"))), "AttemptUnderWay")
      yield* World.passTime("4 seconds")
      yield* Fiber.join(reversing)
      assert.strictEqual(yield* report("d"), "chargeback")
    }).pipe(World.inWorld())
  )
})
