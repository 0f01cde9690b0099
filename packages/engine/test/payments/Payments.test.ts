import { assert, describe, it } from "@effect/vitest"
import { subscriptionOf, pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import { Payments } from "@parcela/engine/payments/Payments"
import { SubscriptionChanges } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import * as Backlog from "../fixtures/Backlog.ts"
import * as FullDisk from "../fixtures/FullDisk.ts"
import * as Periodic from "../fixtures/Periodic.ts"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, RequestLost, refusalOf, Slow } = World

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("retry", () => {
  it.effect("captures a denied payment, and retains the reason for the denial", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.deniedAtFirst)
      const added = yield* World.pay(company, "p")
      assert.strictEqual(added.status, "denied")
      assert.strictEqual(World.denialOf(added)?.code, "51")
      const retried = yield* World.retry(company, "p")
      assert.strictEqual(retried.status, "captured")
      assert.strictEqual(World.denialOf(retried)?.code, "51")
      assert.deepStrictEqual(
        (yield* World.ledger).map(({ outcome }) => outcome),
        ["Denied", "Captured"]
      )
    }).pipe(World.inWorld())
  )

  for (const callers of [2, 20]) {
    it.effect(`by ${callers} concurrent callers is one attempt and one charge, and all get its outcome`, () =>
      Effect.gen(function* () {
        const { company, plan } = yield* CardPayments.denied
        // The operator takes its time, so that all callers come while the first attempt is under way.
        yield* plan.next("charge", Slow({ delay: Duration.seconds(5) }))
        const fiber = yield* Effect.forkChild(
          Effect.all(
            times(callers).map(() => World.retry(company, "p")),
            { concurrency: "unbounded" }
          )
        )
        yield* World.passTime("5 seconds")
        const outcomes = yield* Fiber.join(fiber)
        assert.lengthOf(outcomes, callers)
        for (const outcome of outcomes) assert.deepStrictEqual(outcome, outcomes[0])
        assert.strictEqual(outcomes[0]?.status, "captured")
        assert.lengthOf(yield* World.ledger, 2)
        assert.lengthOf(yield* Rows.attempts, 2)
      }).pipe(World.inWorld())
    )
  }

  it.effect("by concurrent callers charges a card that stays denied once, and all get that denial", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      yield* World.pay(company, "p")
      const outcomes = yield* Effect.all(
        times(8).map(() => World.retry(company, "p")),
        { concurrency: "unbounded" }
      )
      const charges = (yield* World.ledger).length
      assert.lengthOf(yield* Rows.attempts, charges)
      for (const outcome of outcomes) assert.strictEqual(outcome.status, "denied")
    }).pipe(World.inWorld())
  )

  it.effect("of many transactions at once charges each one once", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.deniedAtFirst)
      const ids = times(10).map((index) => `p${index}`)
      yield* Effect.forEach(ids, (id) => World.pay(company, id), { concurrency: "unbounded" })
      const retried = yield* Effect.forEach(ids, (id) => World.retry(company, id), { concurrency: "unbounded" })
      assert.isTrue(retried.every(({ status }) => status === "captured"))
      const charges = yield* World.ledger
      assert.lengthOf(charges, 20)
      assert.lengthOf(
        charges.filter(({ outcome }) => outcome === "Captured"),
        10
      )
    }).pipe(World.inWorld())
  )

  it.effect("with an unknown outcome returns that instead of the previous status, and starts no other charge", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", ResponseLost(), ResponseLost(), ResponseLost())
      for (const _ of times(3)) {
        const error: object = yield* Effect.flip(World.retry(company, "p"))
        assert.deepInclude(error, {
          _tag: "OutcomeUnknown",
          attemptId: (yield* Rows.transaction("p")).pendingAttempt?.attemptId
        })
      }
      assert.lengthOf(yield* World.ledger, 2)
      assert.lengthOf(yield* Rows.attempts, 2)

      // The operator accepts another request at once: no lease has to expire first.
      const retried = yield* World.retry(company, "p")
      assert.strictEqual(retried.status, "captured")
      assert.lengthOf(yield* World.ledger, 2)
      assert.lengthOf(yield* Rows.attempts, 2)
    }).pipe(World.inWorld())
  )

  it.effect("returns one unknown outcome to all concurrent callers when the operator is too slow twice", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", Slow({ delay: Duration.hours(1) }))
      yield* plan.next("lookup", Slow({ delay: Duration.hours(1) }))
      const fiber = yield* Effect.forkChild(
        Effect.all(
          times(5).map(() => Effect.flip(World.retry(company, "p"))),
          { concurrency: "unbounded" }
        )
      )
      yield* World.passTime("20 seconds")
      yield* World.passTime("20 seconds")
      assert.deepStrictEqual(
        (yield* Fiber.join(fiber)).map(World.tagOf),
        times(5).map(() => "OutcomeUnknown")
      )
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("charges once at the next retry when the first request never arrived", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", RequestLost())
      assert.strictEqual(World.tagOf(yield* Effect.flip(World.retry(company, "p"))), "OutcomeUnknown")
      yield* plan.next("lookup", Slow({ delay: Duration.seconds(5) }))
      const fiber = yield* Effect.forkChild(
        Effect.all([World.retry(company, "p"), World.retry(company, "p")], { concurrency: 2 })
      )
      yield* World.passTime("5 seconds")
      const retried = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        retried.map(({ status }) => status),
        ["captured", "captured"]
      )
      assert.lengthOf(yield* World.ledger, 2)
      assert.lengthOf(yield* Rows.attempts, 2)
    }).pipe(World.inWorld())
  )

  for (const first of ["recovery", "retry"] as const) {
    it.effect(
      `and a recovery at one attempt, the ${first} first, ask the operator once and both end with its outcome`,
      () =>
        Effect.gen(function* () {
          const recovery = yield* Recovery
          const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
          yield* plan.next("charge", RequestLost())
          yield* World.pay(company, "p")
          yield* World.passTime("60 seconds")
          // A second question would go well at once, and the test would see it end.
          yield* plan.next("lookup", Slow({ delay: Duration.seconds(5) }))
          const retry = Effect.map(World.retry(company, "p"), ({ status }) => assert.strictEqual(status, "captured"))
          const both = first === "recovery" ? [recovery.runDueWork, retry] : [retry, recovery.runDueWork]
          const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
          for (const one of both) {
            fibers.push(yield* Effect.forkChild(one as Effect.Effect<unknown, unknown>))
            yield* World.passTime("1 second")
          }
          assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")
          yield* World.passTime("4 seconds")
          for (const fiber of fibers) yield* Fiber.join(fiber)
          assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
          assert.lengthOf(yield* World.ledger, 1)
        }).pipe(World.inWorld())
    )
  }

  it.effect("joins an attempt that another process executes, and returns its outcome", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", Slow({ delay: Duration.seconds(5) }))
      const first = yield* Effect.forkChild(World.retry(company, "p"))
      yield* World.passTime("1 second")
      const second = yield* Effect.forkChild(World.inAnotherProcess(World.retry(company, "p")))
      yield* World.passTime("4 seconds")
      yield* World.passTime("250 millis")
      assert.strictEqual((yield* Fiber.join(first)).status, "captured")
      assert.strictEqual((yield* Fiber.join(second)).status, "captured")
      assert.lengthOf(yield* World.ledger, 2)
      assert.lengthOf(yield* Rows.attempts, 2)
    }).pipe(World.inWorld())
  )

  it.effect("waits for another process for at most the attempt timeout, and then returns an unknown outcome", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", Slow({ delay: Duration.hours(1) }))
      yield* plan.next("lookup", Slow({ delay: Duration.hours(1) }))
      const first = yield* Effect.forkChild(Effect.flip(World.retry(company, "p")))
      yield* World.passTime("1 second")
      const second = yield* Effect.forkChild(World.inAnotherProcess(Effect.flip(World.retry(company, "p"))))
      yield* World.passTime("19 seconds")
      assert.isUndefined(second.pollUnsafe())
      yield* World.passTime("2 seconds")
      assert.strictEqual(World.tagOf(yield* Fiber.join(second)), "OutcomeUnknown")
      yield* World.passTime("20 seconds")
      assert.strictEqual(World.tagOf(yield* Fiber.join(first)), "OutcomeUnknown")
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("takes over an attempt of a stopped process when its lease expires", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", ResponseLost())
      yield* Effect.flip(World.inAnotherProcess(World.retry(company, "p")))
      yield* World.passTime("60 seconds")
      assert.strictEqual((yield* World.retry(company, "p")).status, "captured")
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("returns an unknown outcome, not a store error, when its attempt cannot be read again", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.denied
      const retried = World.retry(company, "p").pipe(FullDisk.whileFull("journal", "OperatorResponded"))
      assert.strictEqual(World.tagOf(yield* Effect.flip(retried)), "OutcomeUnknown")
      assert.strictEqual((yield* World.retry(company, "p")).status, "captured")
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("continues and is recorded after the caller disconnects", () =>
    Effect.gen(function* () {
      const { company, plan } = yield* CardPayments.denied
      yield* plan.next("charge", Slow({ delay: Duration.seconds(5) }))
      const fiber = yield* Effect.forkChild(World.retry(company, "p"))
      yield* World.passTime("1 second")
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* World.passTime("4 seconds")
      yield* Fiber.join(interrupted)
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      assert.isUndefined((yield* Rows.transaction("p")).pendingAttempt)
    }).pipe(World.inWorld())
  )

  it.effect("is refused with a reason when nothing can be retried", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.subscribeBy(company, "boleto", "by-boleto")
      yield* World.pay(company, "captured")
      yield* World.pay(company, "boleto", {}, "by-boleto")
      yield* World.pay(company, "outside", { payedOutsideSvcPay: true })
      for (const id of ["captured", "boleto", "outside"]) {
        const error = yield* Effect.flip(World.retry(company, id))
        assert.strictEqual(refusalOf(error), "NotRetriable", id)
      }
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )
})

describe("add", () => {
  it.effect("sends a due card payment, and does not send a later one", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      assert.strictEqual((yield* World.pay(company, "due")).status, "captured")
      assert.strictEqual((yield* World.pay(company, "late", { payday: "2026-09-01" })).status, "captured")
      assert.strictEqual((yield* World.pay(company, "ahead", { payday: Samples.tomorrow })).status, "notSend")
      assert.strictEqual((yield* World.pay(company, "cash", { payedOutsideSvcPay: true })).status, "payExternal")
      const values: ReadonlyArray<number | null> = (yield* World.ledger).map(({ value }) => value)
      assert.deepStrictEqual(values, [1990, 1990])
    }).pipe(World.inWorld())
  )

  it.effect("numbers the instalments of a subscription without gaps, also for concurrent requests", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeBy(company, "pix")
      const added = yield* Effect.forEach(times(10), (index) => World.pay(company, `p${index}`), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        added.map(({ installment }) => installment).sort((a, b) => a - b),
        times(10).map((index) => index + 1)
      )
    }).pipe(World.inWorld())
  )

  it.effect(
    "creates one transaction and one charge for concurrent requests with one myId, and refuses the others",
    () =>
      Effect.gen(function* () {
        const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
        const results = yield* Effect.forEach(times(10), () => Effect.result(World.pay(company, "same")), {
          concurrency: "unbounded"
        })
        const failures = results.flatMap((result) => (result._tag === "Failure" ? [refusalOf(result.failure)] : []))
        assert.deepStrictEqual(
          failures,
          times(9).map(() => "MyIdTaken")
        )
        assert.lengthOf(yield* World.ledger, 1)
        assert.strictEqual(yield* Rows.count("transactions"), 1)
      }).pipe(World.inWorld())
  )

  it.effect("charges the card of the payment, and uses it for later payments", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      const paid = yield* World.pay(company, "p", { PaymentMethodCreditCard: Samples.card(Samples.cards.captured) })
      assert.strictEqual(paid.status, "captured")
      assert.strictEqual((yield* World.pay(company, "q")).status, "captured")
    }).pipe(World.inWorld())
  )

  it.effect("is refused without a card or with a past payday for a code, and stores nothing", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribe(company, { myId: "sub", mainPaymentMethodId: "creditcard", Customer: Samples.ana })
      yield* World.subscribeBy(company, "pix", "by-pix")
      assert.strictEqual(refusalOf(yield* Effect.flip(World.pay(company, "p"))), "CardMissing")
      const past = World.pay(company, "q", { payday: "2026-09-20" }, "by-pix")
      assert.strictEqual(refusalOf(yield* Effect.flip(past)), "PaydayPast")
      assert.strictEqual(yield* Rows.count("transactions"), 0)
      assert.strictEqual(yield* Rows.count("attempts"), 0)
    }).pipe(World.inWorld())
  )

  it.effect("writes nothing when one of its writes fails", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.listen(company)
      yield* World.subscribeByCard(company, Samples.cards.captured)
      const tables = ["transactions", "attempts", "journal", "deliveries"]
      const before = yield* Effect.forEach(tables, Rows.count)
      for (const table of ["journal", "deliveries", "transactions", "attempts"]) {
        const error = yield* Effect.flip(World.pay(company, "p")).pipe(FullDisk.whileFull(table))
        assert.strictEqual(error._tag, "StoreError", table)
        assert.deepStrictEqual(yield* Effect.forEach(tables, Rows.count), before, table)
        assert.deepStrictEqual(yield* World.ledger, [], table)
      }
      const paid = yield* World.pay(company, "p")
      assert.strictEqual(paid.installment, 1)
      assert.strictEqual(paid.status, "captured")
    }).pipe(World.inWorld())
  )
})

describe("another company's identifiers", () => {
  it.effect("are not found by any command", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const other = yield* World.company()
      const payments = yield* Payments
      yield* World.subscribeByCard(company, Samples.cards.deniedAtFirst)
      const theirs = yield* World.pay(company, "p")
      const bySvcPayId = { typeId: "svcPayId", id: theirs.id } as const
      const ofSubscription = { typeId: "svcPayId", id: subscriptionOf(theirs)! } as const
      const outcomes = yield* Effect.all([
        Effect.flip(World.pay(other, "q")),
        Effect.flip(payments.add(other, ofSubscription, { myId: "q", value: 1, payday: Samples.today } as never)),
        Effect.flip(World.retry(other, "p")),
        Effect.flip(payments.retry(other, bySvcPayId)),
        Effect.flip(payments.show(other, bySvcPayId))
      ])
      assert.deepStrictEqual(outcomes.map(refusalOf), [
        "SubscriptionNotFound",
        "SubscriptionNotFound",
        "TransactionNotFound",
        "TransactionNotFound",
        "TransactionNotFound"
      ])
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )
})

describe("around an attempt", () => {
  it.effect("captures an authorized amount under its own tid, without a second authorization", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      yield* World.pay(company, "p")
      const sql = yield* SqlClient.SqlClient
      const authorization = { tid: "held-1", code: "012345" }
      const held = JSON.stringify({ ...(yield* Rows.transaction("p")), status: "authorized", authorization })
      yield* sql`UPDATE transactions SET status = 'authorized', data = ${held} WHERE my_id = 'p'`
      const retried = yield* World.retry(company, "p")
      // The card is always denied: only a capture of what is held can succeed.
      assert.strictEqual(retried.status === "captured" ? retried.authorization.tid : retried.status, "held-1")
    }).pipe(World.inWorld())
  )

  it.effect("stores no card in the vault for a payment or subscription that is refused", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "p")
      const before = yield* World.vault
      const withCard = { PaymentMethodCreditCard: Samples.card(Samples.cards.captured) }
      const refusals = [
        yield* Effect.flip(World.pay(company, "q", withCard, "nobody")),
        yield* Effect.flip(World.pay(company, "p", withCard)),
        yield* Effect.flip(World.subscribeByCard(company, Samples.cards.captured))
      ]
      assert.deepStrictEqual(refusals.map(refusalOf), ["SubscriptionNotFound", "MyIdTaken", "MyIdTaken"])
      const byCard = Samples.cardMethod(Samples.cards.captured)
      const others = [
        yield* Effect.flip(World.charge(company, "c", { ...byCard, planMyId: "nowhere" })),
        yield* Effect.flip(
          World.charge(company, "c", Samples.cardMethod(Samples.cards.captured, { qtdInstallments: 99 }))
        ),
        yield* Effect.flip(World.charge(company, "c", { ...byCard, Customer: { myId: "nobody" } })),
        yield* Effect.flip(Periodic.create(company, Periodic.monthly({ ...byCard, myId: "s", planMyId: "nowhere" })))
      ]
      assert.deepStrictEqual(others.map(refusalOf), [
        "PlanNotFound",
        "InstallmentsTooMany",
        "CustomerNotFound",
        "PlanNotFound"
      ])
      yield* SubscriptionChanges.use((changes) => changes.cancel(company, World.ref("sub")))
      assert.strictEqual(refusalOf(yield* Effect.flip(World.pay(company, "q", withCard))), "SubscriptionNotOpen")
      assert.deepStrictEqual(yield* World.vault, before)
    }).pipe(World.inWorld())
  )

  it.effect("refuses to retry a Pix during its registration, without waiting", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* World.subscribeBy(company, "pix")
      yield* plan.next("open", RequestLost())
      assert.isDefined(pendingAttemptOf(yield* World.pay(company, "p")))
      assert.strictEqual(refusalOf(yield* Effect.flip(World.retry(company, "p"))), "NotRetriable")
    }).pipe(World.inWorld())
  )

  it.effect("does not send a due payment while its subscription is stopped", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      yield* Backlog.stop(company)
      yield* World.passTime("1 day")
      const { runDueWork } = yield* Recovery
      yield* runDueWork
      assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")
      assert.lengthOf(yield* World.ledger, 0)
    }).pipe(World.inWorld())
  )
})
