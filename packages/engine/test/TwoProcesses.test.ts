import { assert, describe, it } from "@effect/vitest"
import { AddPayment } from "@parcela/core/transactions/PaymentRequests"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { forEachStore, type TestStore } from "@parcela/tooling-postgres/Stores"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Payments } from "@parcela/engine/payments/Payments"
import { Recovery } from "@parcela/engine/work/Recovery"
import * as InjectedFailures from "@parcela/provider-simulator/InjectedFailures"
import { Deferred, Duration, Effect, Fiber, Layer, Option, Schema } from "effect"
import * as CardPayments from "./fixtures/CardPayments.ts"
import * as Crash from "./fixtures/Crash.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** Signals a charge at the operator and delays its response, or loses the response. */
interface Operator {
  gate: Option.Option<{ readonly isAsked: Deferred.Deferred<void>; readonly mayGoOn: Deferred.Deferred<void> }>
  isSilent: boolean
}

/** Runs a test on the real clock, as a database responds in its own time. */
const onStore = <A, E, R>(store: TestStore, test: (operator: Operator) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const operator: Operator = { gate: Option.none(), isSilent: false }
    const faults = Layer.succeed(InjectedFailures.InjectedFailures, {
      take: (call) =>
        Effect.gen(function* () {
          if (call === "charge" && Option.isSome(operator.gate)) {
            yield* Deferred.succeed(operator.gate.value.isAsked, undefined)
            yield* Deferred.await(operator.gate.value.mayGoOn)
          }
          return operator.isSilent && call !== "tokenize" ? Option.some(World.ResponseLost()) : Option.none()
        })
    })
    return Effect.provide(test(operator), Layer.fresh(World.world({ store, faults })), { local: true })
  })

const gated = Effect.fnUntraced(function* (operator: Operator) {
  const gate = { isAsked: yield* Deferred.make<void>(), mayGoOn: yield* Deferred.make<void>() }
  operator.gate = Option.some(gate)
  return gate
})

/** A company with a payment that was denied and is captured when it is retried. */
const denied = Effect.gen(function* () {
  const { company } = yield* CardPayments.subscribed(Samples.cards.deniedAtFirst)
  const paid = yield* World.pay(company, "p", { payday: "2020-01-01" })
  assert.strictEqual(paid.status, "denied")
  return company
})

/** Adds a card payment that is due, under the key `k`; its response is the status. */
const payUnderKey = (company: CompanyId) =>
  Effect.gen(function* () {
    const payments = yield* Payments
    const body = { myId: "p", value: 1990, payday: Samples.today }
    return yield* payments.add(company, World.ref("sub"), yield* Effect.orDie(Schema.decodeEffect(AddPayment)(body)), {
      name: { companyId: company, key: "k", fingerprint: "f" },
      respond: ({ transaction }: PaymentContext) => ({ status: 200, body: transaction.status })
    })
  })

const outcomes = Effect.map(World.ledger, (charges) => charges.map(({ outcome }) => outcome))

forEachStore(
  (name, store) =>
    void describe(`two processes on one store (${name})`, () => {
      it.live("share one attempt and one capture when both retry at once, and both return its outcome", () =>
        onStore(
          store,
          Effect.fnUntraced(function* (operator) {
            const company = yield* denied
            const { isAsked, mayGoOn } = yield* gated(operator)
            const first = yield* Effect.forkChild(World.retry(company, "p"))
            yield* Deferred.await(isAsked)
            const second = yield* Effect.forkChild(World.inAnotherProcess(World.retry(company, "p")))
            const third = yield* Effect.forkChild(World.inAnotherProcess(World.retry(company, "p")))
            // Nothing but the gate holds the operator: a second question would go through with it.
            yield* Deferred.succeed(mayGoOn, undefined)
            for (const fiber of [first, second, third]) {
              // One that came after the capture is refused; none gets another response.
              const result = yield* Effect.result(Fiber.join(fiber))
              if (result._tag === "Success") assert.strictEqual(result.success.status, "captured")
              else assert.strictEqual(World.refusalOf(result.failure), "NotRetriable")
            }
            assert.strictEqual((yield* Fiber.join(first)).status, "captured")
            assert.deepStrictEqual(yield* outcomes, ["Denied", "Captured"])
            assert.lengthOf(yield* Rows.attempts, 2)
          })
        )
      )

      it.live("share an unknown outcome: a repeat under the key at the other process joins the attempt", () =>
        onStore(
          store,
          Effect.fnUntraced(function* (operator) {
            const company = yield* denied
            const name = { companyId: company, key: "k", fingerprint: "f" }
            const respond = ({ transaction }: PaymentContext) => ({ status: 200, body: transaction.status })
            const underKey = Effect.flatMap(Payments, (payments) =>
              payments.retry(company, World.ref("p"), { name, respond })
            )

            operator.isSilent = true
            assert.strictEqual(World.tagOf(yield* Effect.flip(underKey)), "OutcomeUnknown")

            operator.isSilent = false
            const repeated = yield* Effect.forkChild(World.inAnotherProcess(underKey))
            // This process abandoned the attempt: the first request resolves it, and the other one waits for that.
            assert.strictEqual((yield* World.retry(company, "p")).status, "captured")
            assert.strictEqual(World.valueOf(yield* Fiber.join(repeated)).transaction.status, "captured")
            const again = yield* underKey
            assert.deepStrictEqual(again, { _tag: "Replayed", response: { status: 200, body: "captured" } })
            assert.deepStrictEqual(yield* outcomes, ["Denied", "Captured"])
            assert.lengthOf(yield* Rows.attempts, 2)
          })
        )
      )

      it.live("deliver the outcome to an endpoint that the other process added during the provider call", () =>
        onStore(
          store,
          Effect.fnUntraced(function* (operator) {
            const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
            const { isAsked, mayGoOn } = yield* gated(operator)
            const paid = yield* Effect.forkChild(World.pay(company, "p", { payday: Samples.today }))
            yield* Deferred.await(isAsked)
            yield* World.inAnotherProcess(World.listen(company))
            yield* Deferred.succeed(mayGoOn, undefined)
            assert.strictEqual((yield* Fiber.join(paid)).status, "captured")
            const delivered = (yield* Rows.deliveries).map(({ event, payload }) => [event, payload.Transaction.status])
            assert.deepStrictEqual(delivered, [["transaction.updateStatus", "captured"]])
          })
        )
      )

      it.effect("charge once when one is killed during a provider call and the request is repeated at the other", () =>
        Effect.gen(function* () {
          const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
          const crash: Crash.Crash = { at: "before the call", isReached: false }
          const { providers, store: crashing } = Crash.processOf(crash)
          const killed = yield* payUnderKey(company).pipe(
            World.inAnotherProcess,
            Effect.provide(Layer.merge(providers, crashing), { local: true }),
            Effect.forkDetach
          )
          yield* World.passTime("10 seconds")
          assert.isTrue(crash.isReached)
          killed.interruptUnsafe()

          const repeat = yield* Effect.forkChild(payUnderKey(company))
          yield* World.passTime("20 seconds")
          const first = yield* Fiber.join(repeat)
          assert.strictEqual(World.valueOf(first).transaction.status, "captured")
          const again = yield* payUnderKey(company)
          assert.deepStrictEqual(again, { _tag: "Replayed", response: { status: 200, body: "captured" } })
          assert.deepStrictEqual(yield* outcomes, ["Captured"])
        }).pipe(World.inWorld({ store }))
      )

      it.effect("renew the lease of an attempt whose provider takes longer than the lease", () =>
        Effect.gen(function* () {
          const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
          yield* plan.next("charge", World.Slow({ delay: Duration.seconds(19) }))
          const first = yield* Effect.forkChild(payUnderKey(company))
          yield* World.passTime("1 seconds")
          const second = yield* Effect.forkChild(World.inAnotherProcess(payUnderKey(company)))
          yield* World.passTime("19 seconds")
          assert.strictEqual(World.valueOf(yield* Fiber.join(first)).transaction.status, "captured")
          assert.strictEqual((yield* Fiber.join(second))._tag, "Done")
          const calls = (yield* World.providerRequests).map(({ call }) => call)
          assert.deepStrictEqual(
            calls.filter((call) => call !== "tokenize"),
            ["charge"]
          )
        }).pipe(World.inWorld({ store }))
      )

      it.effect("return the outcome to a repeat under the key once a worker has resolved the attempt", () =>
        Effect.gen(function* () {
          const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
          yield* plan.next("charge", World.ResponseLost())
          yield* plan.next("lookup", World.ResponseLost())
          const first = yield* payUnderKey(company)
          assert.strictEqual(World.valueOf(first).transaction.status, "notSend")
          yield* World.passTime("2 seconds")
          yield* World.inAnotherProcess(Effect.flatMap(Recovery, (other) => other.runDueWork))

          const repeated = yield* payUnderKey(company)
          assert.strictEqual(World.valueOf(repeated).transaction.status, "captured")
          const again = yield* World.inAnotherProcess(payUnderKey(company))
          assert.deepStrictEqual(again, { _tag: "Replayed", response: { status: 200, body: "captured" } })
          assert.deepStrictEqual(yield* outcomes, ["Captured"])
        }).pipe(World.inWorld({ store }))
      )
    }),
  ["SQLite in memory", "PostgreSQL"]
)
