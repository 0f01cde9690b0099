import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { referencesOf } from "@parcela/core/transactions/TransactionState"
import { CommandStore, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { ReceiveChargebacks, type ReceivedPayment } from "@parcela/engine/payments/IncomingPayments"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Fault } from "@parcela/provider-simulator/InjectedFailures"
import { Duration, Effect, Fiber, Layer } from "effect"
import * as CardPayments from "../fixtures/CardPayments.ts"
import { standings } from "../fixtures/Receipts.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** A captured payment, and how its operator reports a dispute of it. */
const captured = Effect.gen(function* () {
  const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
  const payment = yield* World.pay(company, "p")
  const { value } = referencesOf(payment).find(({ kind }) => kind === "tid")!
  /** The result of the report. */
  const report = (id: string, more: { readonly companyId?: CompanyId; readonly tid?: string } = {}) => {
    const { companyId, tid = value } = more
    const reference = { kind: "tid", value: tid } as const
    return ReceiveChargebacks.use(({ receive }) =>
      receive({ id, reference, ...(companyId === undefined ? {} : { companyId }) })
    )
  }
  return { company, payment, report }
})

const standingOf = ({ payment: { problem, standing } }: ReceivedPayment) => [standing, problem?.split(":")[0]]

const statusOf = (myId: string) => Effect.map(Rows.transaction(myId), ({ status }) => status)

const runDueWork = Effect.flatMap(Recovery, (recovery) => recovery.runDueWork)

describe("a dispute that a card operator reports", () => {
  it.effect("makes a payment a chargeback and announces it once, however often and concurrently it arrives", () =>
    Effect.gen(function* () {
      const { company, payment, report } = yield* captured
      yield* World.listen(company, ["transaction.updateStatus", "chargeback.update"])
      const reported = yield* Effect.all(
        [1, 2, 3, 4, 5].map(() => report("d")),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(reported.filter(({ isNew }) => isNew).length, 1)
      assert.strictEqual(yield* statusOf("p"), "chargeback")
      assert.deepStrictEqual((yield* Rows.journal).slice(-2), ["TransactionStatusChanged", "ChargebackOpened"])
      const announced = (yield* Rows.deliveries).map(({ event, payload }) => [event, payload] as const)
      assert.deepStrictEqual(
        announced.map(([event]) => event),
        ["transaction.updateStatus", "chargeback.update"]
      )
      const disputed: object = announced[1]![1]
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
      assert.notProperty(announced[0]![1], "Chargeback")
      assert.deepStrictEqual(standingOf(yield* report("d")), ["applied", undefined])
      assert.deepStrictEqual(standingOf(yield* report("another")), ["unmatched", "Transaction.status"])
      assert.strictEqual(World.refusalOf(yield* Effect.flip(World.reverse(company, "p"))), "TransactionCannot")
    }).pipe(World.inWorld())
  )

  it.effect(
    "of a denied attempt finds its payment, whose status decides, because an operator may use one reference for two attempts",
    () =>
      Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(Samples.cards.deniedAtFirst)
        const denied = yield* World.pay(company, "p")
        const [reference] = referencesOf(denied)
        const report = (id: string) =>
          ReceiveChargebacks.use(({ receive }) => receive({ id, reference: { kind: "tid", value: reference!.value } }))
        const early = yield* report("early")
        assert.deepStrictEqual(standingOf(early), ["unmatched", "Transaction.status"])
        assert.strictEqual(early.payment.transactionId, denied.id)
        assert.strictEqual(yield* statusOf("p"), "denied")
        yield* World.retry(company, "p")
        assert.deepStrictEqual(standingOf(yield* report("late")), ["applied", undefined])
        assert.strictEqual(yield* statusOf("p"), "chargeback")
      }).pipe(World.inWorld())
  )

  it.effect("of an unknown charge waits and is finally unmatched, also for a charge of another company", () =>
    Effect.gen(function* () {
      const { report } = yield* captured
      const nobodys = yield* report("d", { tid: "nobody's" })
      assert.deepStrictEqual(standingOf(nobodys), ["waiting", "No payment has the tid nobody's"])
      yield* report("e", { companyId: yield* World.company() })
      for (let attempts = 0; attempts < 9; attempts++) {
        yield* World.passTime("5 minutes")
        yield* runDueWork
      }
      assert.deepStrictEqual(yield* standings, [
        ["d", "unmatched"],
        ["e", "unmatched"]
      ])
      assert.strictEqual(yield* statusOf("p"), "captured")
    }).pipe(World.inWorld())
  )

  it.effect("waits for an open reversal, and then covers the remaining amount", () =>
    Effect.gen(function* () {
      const { company, report } = yield* captured
      const plan = yield* World.faults
      yield* plan.next("reverse", Fault.Slow({ delay: Duration.seconds(5) }))
      const reversing = yield* Effect.forkChild(World.reverse(company, "p", 500))
      yield* World.passTime("1 second")
      assert.deepStrictEqual(standingOf(yield* report("d")), ["waiting", "Transaction.status"])
      yield* World.passTime("4 seconds")
      yield* Fiber.join(reversing)
      yield* runDueWork
      assert.strictEqual(yield* statusOf("p"), "chargeback")
    }).pipe(World.inWorld())
  )

  it.effect("is stored before it is applied: a crash in between loses no dispute", () =>
    Effect.gen(function* () {
      const database = yield* World.database
      let isEnding = false
      const down = Effect.fail(
        new StoreError({ reason: new Unavailable({ cause: new Error("the process ends here") }) })
      )
      const ending = Layer.effect(
        CommandStore,
        Effect.map(CommandStore, (inner) => ({
          run: <N extends LoadName, A, R>(command: StoreCommand<N, A, R>) => (isEnding ? down : inner.run(command))
        }))
      )
      yield* Effect.gen(function* () {
        const { report } = yield* captured
        isEnding = true
        assert.deepStrictEqual(standingOf(yield* report("d")), ["waiting", undefined])
      }).pipe(World.inWorld({ database, store: Layer.provideMerge(ending, World.storeAt(database)) }))
      yield* Effect.gen(function* () {
        const { recover } = yield* Recovery
        yield* World.leasesEnd
        yield* recover
        yield* World.passTime("2 minutes")
        yield* runDueWork
        assert.strictEqual(yield* statusOf("p"), "chargeback")
        assert.strictEqual((yield* Rows.journal).filter((tag) => tag === "ChargebackOpened").length, 1)
      }).pipe(World.inWorld({ database }))
    }).pipe(Effect.scoped)
  )
})
