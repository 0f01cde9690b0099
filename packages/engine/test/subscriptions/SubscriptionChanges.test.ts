import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BoletoBank } from "@parcela/engine/ports/BoletoBank"
import { CardOperator } from "@parcela/engine/ports/CardOperator"
import { DueWork, type WorkKind } from "@parcela/engine/ports/DueWork"
import type { PixProvider } from "@parcela/engine/ports/PixProvider"
import { SubscriptionChanges } from "@parcela/engine/subscriptions/SubscriptionEditing"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Scope } from "effect"
import * as Periodic from "../fixtures/Periodic.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const run = (kind: WorkKind) => DueWorker.use((due) => due.runOnce(kind, 1_000))

const change = (name: "cancel" | "deactivate" | "reactivate" | "stop") => (company: CompanyId) =>
  Effect.map(
    SubscriptionChanges.use((changes) => changes[name](company, World.ref("sub"))),
    World.valueOf
  )
const cancel = change("cancel")
const stop = change("stop")
const reactivate = change("reactivate")
const deactivate = change("deactivate")

/** The second charge arrives late, also where its sender has gone. */
const holdingUp = (arrival: Deferred.Deferred<void>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const providers = yield* Effect.context<BoletoBank | CardOperator | PixProvider>()
      const operator = yield* CardOperator
      const scope = yield* Scope.Scope
      let charges = 0
      const charge: typeof operator.charge = (request) =>
        charges++ === 1
          ? Deferred.await(arrival).pipe(
              Effect.andThen(operator.charge(request)),
              Effect.forkIn(scope),
              Effect.flatMap((sent) => Effect.interruptible(Fiber.join(sent)))
            )
          : operator.charge(request)
      return Context.add(providers, CardOperator, { ...operator, charge })
    })
  )

const statuses = (company: CompanyId) =>
  Effect.map(Periodic.payments(company), (all) => all.map(({ status }) => status))

const refusal = <A, E extends object, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), World.refusalOf)

/** The requests to providers about boletos and Pix codes. */
const codes = Effect.map(World.providerRequests, (entries) =>
  entries.map(({ call }) => call).filter((call) => call !== "tokenize" && call !== "charge")
)

describe("cancelling a subscription", () => {
  it.effect("cancels its open payments, announces that, and leaves paid ones unchanged", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, { quantity: 3 }))
      yield* World.listen(company)
      const { status } = yield* cancel(company)
      assert.strictEqual(status, "canceled")
      assert.deepStrictEqual(yield* statuses(company), ["captured", "cancelByContract", "cancelByContract"])
      const announced = yield* Rows.deliveries
      assert.deepStrictEqual(
        announced.map(({ event, payload }) => [event, payload.Transaction.status]),
        [
          ["transaction.updateStatus", "cancelByContract"],
          ["transaction.updateStatus", "cancelByContract"]
        ]
      )
      yield* run("follow subscription")
      assert.strictEqual(yield* Rows.count("due_work"), 0)
      yield* Periodic.advance(company, 90)
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("withdraws its registered boletos and Pix codes at their provider", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly({ quantity: 2 }))
      yield* run("send payment")
      yield* cancel(company)
      assert.deepStrictEqual(yield* statuses(company), ["pendingPix", "pendingPix"])
      yield* run("cancel payment")
      assert.deepStrictEqual(yield* statuses(company), ["cancelByContract", "cancelByContract"])
      assert.deepStrictEqual(yield* codes, ["open", "open", "cancel", "cancel"])
    }).pipe(World.inWorld())
  )

  it.effect("leaves a payment with an open attempt, and cancels it if the outcome leaves it open", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("charge", World.Slow({ delay: Duration.seconds(5) }))
      const body = Periodic.monthlyByCard(Samples.cards.denied)
      const creating = yield* Effect.forkChild(Periodic.create(company, body))
      yield* World.passTime("1 second")
      yield* cancel(company)
      assert.deepStrictEqual(yield* statuses(company), ["notSend"])
      yield* World.passTime("5 seconds")
      const created = yield* Fiber.join(creating)
      assert.strictEqual(created.Transactions[0]!.status, "denied")
      yield* run("cancel payment")
      assert.deepStrictEqual(yield* statuses(company), ["cancelByContract"])
    }).pipe(World.inWorld())
  )

  it.effect("requests a denied withdrawal once, although its process stops before the job is recorded as done", () =>
    Effect.suspend(() => {
      const store = Layer.effect(
        DueWork,
        Effect.map(DueWork, (inner) => ({ ...inner, done: () => Effect.succeed(false) }))
      ).pipe(Layer.provideMerge(World.storeAt(undefined)))
      return Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.subscribeBy(company, "boleto")
        yield* World.pay(company, "p")
        const plan = yield* World.faults
        yield* plan.next("cancel", World.denied)
        yield* SubscriptionChanges.use((changes) => changes.cancel(company, World.ref("sub")))
        yield* run("cancel payment")
        yield* World.passTime("2 minutes")
        yield* run("cancel payment")
        assert.lengthOf(
          (yield* World.providerRequests).filter(({ call }) => call === "cancel"),
          1
        )
        assert.strictEqual((yield* Rows.transaction("p")).status, "pendingBoleto")
      }).pipe(World.inWorld({ store }))
    })
  )

  it.effect("retains a payment that is captured concurrently", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("charge", World.Slow({ delay: Duration.seconds(5) }))
      const creating = yield* Effect.forkChild(Periodic.create(company, Periodic.monthlyByCard()))
      yield* World.passTime("1 second")
      yield* cancel(company)
      yield* World.passTime("5 seconds")
      yield* Fiber.join(creating)
      yield* run("cancel payment")
      assert.deepStrictEqual(yield* statuses(company), ["captured"])
    }).pipe(World.inWorld())
  )

  it.effect("abandons a charge that never reached the operator, once no request can be in transit", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("charge", World.RequestLost())
      yield* Periodic.create(company, Periodic.monthlyByCard())
      yield* World.passTime("2 minutes")
      yield* cancel(company)
      yield* World.passTime("30 seconds")
      yield* run("resolve attempt")
      // It may have been sent as the subscription was cancelled.
      assert.notInclude(yield* Rows.journal, "AttemptAbandoned")
      yield* World.passTime("10 minutes")
      yield* run("resolve attempt")
      yield* run("cancel payment")
      assert.deepStrictEqual(yield* statuses(company), ["cancelByContract"])
      assert.lengthOf(yield* World.ledger, 0)
      assert.deepStrictEqual((yield* Rows.journal).slice(-2), ["AttemptAbandoned", "TransactionStatusChanged"])
    }).pipe(World.inWorld())
  )

  it.effect("abandons no charge whose request may still arrive, however far the company's clock was advanced", () =>
    Effect.gen(function* () {
      const arrival = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.faults.pipe(Effect.flatMap((plan) => plan.next("charge", World.RequestLost())))
        yield* Periodic.create(company, Periodic.monthlyByCard())
        yield* World.passTime("2 minutes")
        // The worker asks for it again, and is not waited for by its request, which is held up on its way.
        yield* World.whileTimePasses(run("resolve attempt"))
        yield* cancel(company)
        yield* World.whileTimePasses(Periodic.advance(company, 365))
        yield* World.passTime("30 seconds")
        yield* run("resolve attempt")
        assert.notInclude(yield* Rows.journal, "AttemptAbandoned")
        yield* Deferred.succeed(arrival, undefined)
        yield* World.passTime("10 minutes")
        yield* run("resolve attempt")
        assert.deepStrictEqual(yield* statuses(company), ["captured"])
      }).pipe(World.inWorld({ providers: holdingUp(arrival) }))
    })
  )

  it.effect("retains a captured charge whose response was lost", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("charge", World.ResponseLost())
      yield* plan.next("lookup", World.ResponseLost())
      yield* Periodic.create(company, Periodic.monthlyByCard())
      yield* cancel(company)
      yield* World.passTime("10 minutes")
      yield* run("resolve attempt")
      assert.deepStrictEqual(yield* statuses(company), ["captured"])
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("cancels a hundred payments at once, and the others by jobs", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const changes = { quantity: 120, periodicity: "weekly", firstPayDayDate: Samples.tomorrow }
      yield* Periodic.create(company, Periodic.monthlyByCard(Samples.cards.captured, changes))
      while ((yield* Periodic.payments(company)).length < 120) yield* run("make instalments")
      const left = Effect.map(statuses(company), (all) => all.filter((status) => status === "notSend").length)
      yield* cancel(company)
      assert.strictEqual(yield* left, 20)
      yield* run("follow subscription")
      assert.strictEqual(yield* left, 0)
    }).pipe(World.inWorld())
  )

  it.effect("is refused a second time, and for a closed subscription", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly())
      yield* cancel(company)
      assert.strictEqual(yield* refusal(cancel(company)), "SubscriptionOver")
      assert.strictEqual(yield* refusal(stop(company)), "SubscriptionCannot")
      assert.strictEqual(yield* refusal(cancel(yield* World.company())), "SubscriptionNotFound")
    }).pipe(World.inWorld())
  )
})

describe("stopping a subscription", () => {
  it.effect("creates and sends nothing until reactivation, and skips the missed instalments", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthlyByCard())
      yield* run("make instalments")
      yield* stop(company)
      yield* run("follow subscription")
      yield* Periodic.advance(company, 100)
      assert.deepStrictEqual(yield* Periodic.paydays(company), [Samples.today, "2026-10-21"])
      assert.lengthOf(yield* World.ledger, 1)
      assert.strictEqual((yield* reactivate(company)).status, "active")
      yield* Periodic.advance(company, 1)
      // The one that had been made is sent; those of November and December are left out.
      assert.deepStrictEqual(yield* Periodic.paydays(company), [Samples.today, "2026-10-21", "2027-01-21"])
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("abandons a charge that never reached the operator, and sends it after reactivation", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("charge", World.RequestLost())
      yield* Periodic.create(company, Periodic.monthlyByCard())
      yield* stop(company)
      yield* World.passTime("10 minutes")
      yield* run("resolve attempt")
      const [payment] = yield* Periodic.payments(company)
      assert.deepStrictEqual(
        [payment!.status, "pendingAttempt" in payment!, "lastSentAt" in payment!],
        ["notSend", false, false]
      )
      assert.lengthOf(yield* World.ledger, 0)
      yield* reactivate(company)
      yield* run("follow subscription")
      yield* run("send payment")
      // The next one came with it.
      assert.deepStrictEqual(yield* statuses(company), ["captured", "notSend"])
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("changes nothing when stop or reactivate is repeated, and both are refused for a closed subscription", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* Periodic.create(company, Periodic.monthly())
      const active = yield* reactivate(company)
      assert.strictEqual(active.status, "active")
      const stopped = yield* stop(company)
      yield* World.passTime("1 minute")
      assert.deepStrictEqual(yield* stop(company), stopped)
      assert.strictEqual(yield* refusal(deactivate(company)), "SubscriptionCannot")
      assert.strictEqual((yield* cancel(company)).status, "canceled")
      assert.strictEqual(yield* refusal(reactivate(company)), "SubscriptionCannot")
    }).pipe(World.inWorld())
  )
})

describe("a subscription that waits for its card", () => {
  it.effect("can be deactivated, waits again after reactivation, and bills once it has its card", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const withoutCard = Periodic.monthly({ mainPaymentMethodId: "creditcard", quantity: 2 })
      yield* Periodic.create(company, withoutCard)
      assert.strictEqual((yield* deactivate(company)).status, "inactive")
      assert.strictEqual((yield* deactivate(company)).status, "inactive")
      assert.strictEqual((yield* reactivate(company)).status, "waitingPayment")
      const { status } = yield* World.editSubscription(company, {
        PaymentMethodCreditCard: Samples.card(Samples.cards.captured)
      })
      assert.strictEqual(status, "active")
      assert.strictEqual(yield* refusal(deactivate(company)), "SubscriptionCannot")
      yield* Periodic.advance(company, 1)
      assert.deepStrictEqual(yield* statuses(company), ["captured", "notSend"])
    }).pipe(World.inWorld())
  )
})
