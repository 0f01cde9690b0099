import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/NamingProfile"
import { CurrentKey } from "@parcela/engine/CurrentKey"
import { DeliverySignal } from "@parcela/engine/DeliverySignal"
import { DeliveryWorker } from "@parcela/engine/DeliveryWorker"
import { Secrets } from "@parcela/engine/Secrets"
import type { SendResult } from "@parcela/webhooks/WebhookSender"
import { Effect, Fiber, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as World from "./fixtures/World.ts"

const refused: SendResult = { _tag: "Refused", status: 500, problem: "The receiver answered 500" }

/** A company that listens, with one captured payment: two deliveries. */
const listener = Effect.fnUntraced(function* (url?: string) {
  const company = yield* World.company()
  yield* World.listen(company, undefined, url)
  yield* World.subscribeByCard(company, World.cards.captured)
  yield* World.pay(company, "p")
  return company
})

const deliverDue = Effect.flatMap(DeliveryWorker, (worker) => worker.deliverDue)
const states = Effect.map(World.deliveries, (all) => all.map(({ state, tries }) => `${state} ${tries}`))

describe("DeliveryWorker", () => {
  it.effect("delivers each event once, in order, with the company's own hash and secret", () =>
    Effect.gen(function* () {
      const company = yield* listener()
      const { received } = yield* World.Receiver
      const secrets = yield* Secrets
      assert.strictEqual(yield* deliverDue, 2)
      assert.strictEqual(yield* deliverDue, 0)
      assert.deepStrictEqual(yield* states, ["delivered 1", "delivered 1"])
      const confirmHash = Redacted.value(yield* secrets.confirmHash(company))
      const bodies = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      assert.deepStrictEqual(
        bodies.map(({ confirmHash, event, webhookId }) => ({ confirmHash, event, webhookId })),
        [
          { confirmHash, event: "subscription.addTransaction", webhookId: 1 },
          { confirmHash, event: "transaction.updateStatus", webhookId: 2 }
        ]
      )
      assert.deepStrictEqual(
        bodies.map(({ Transaction }) => (Transaction as { readonly status: string }).status),
        ["notSend", "captured"]
      )
      for (const { Subscription } of bodies) assert.isObject(Subscription)
      assert.deepStrictEqual(
        received.map(({ webhookId }) => webhookId),
        [1, 2]
      )
      const secret = yield* secrets.signingSecret(company)
      assert.deepStrictEqual(Redacted.value(received[0]!.secret), Redacted.value(secret))
    }).pipe(World.inWorld())
  )

  it.effect("tries again after 30 s what was refused, and not before", () =>
    Effect.gen(function* () {
      yield* listener()
      const { answers, received } = yield* World.Receiver
      answers.push(Effect.succeed(refused))
      yield* deliverDue
      assert.deepStrictEqual(yield* states, ["pending 1", "delivered 1"])
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* deliverDue, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* deliverDue, 1)
      assert.deepStrictEqual(yield* states, ["delivered 2", "delivered 1"])
      assert.strictEqual(received[2]?.body, received[0]?.body, "a repeat is the same delivery")
    }).pipe(World.inWorld())
  )

  it.effect("gives up after six tries over about 48 hours, and says what the problem was", () =>
    Effect.gen(function* () {
      yield* listener()
      const { answers, received } = yield* World.Receiver
      const sql = yield* SqlClient.SqlClient
      answers.push(...Array.from({ length: 12 }, () => Effect.succeed(refused)))
      for (let hour = 0; hour <= 50; hour++) {
        yield* deliverDue
        yield* TestClock.adjust("1 hour")
      }
      assert.lengthOf(received, 12)
      assert.deepStrictEqual(yield* states, ["given_up 6", "given_up 6"])
      const problems = yield* sql<{ last_problem: string }>`SELECT last_problem FROM deliveries`
      assert.strictEqual(problems[0]?.last_problem, "The receiver answered 500")
    }).pipe(World.inWorld())
  )

  it.effect("hands each delivery to one of several workers", () =>
    Effect.gen(function* () {
      yield* listener()
      const { answers, received } = yield* World.Receiver
      answers.push(Effect.as(Effect.sleep("3 seconds"), { _tag: "Accepted", status: 200 } as const))
      const fiber = yield* Effect.forkChild(
        Effect.all([deliverDue, deliverDue, deliverDue], { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(fiber)
      assert.lengthOf(received, 2)
      assert.strictEqual(new Set(received.map(({ webhookId }) => webhookId)).size, 2)
    }).pipe(World.inWorld())
  )

  it.effect("delivers again what a worker that died had taken, when its lease has run out", () =>
    Effect.gen(function* () {
      yield* listener()
      const { answers, received } = yield* World.Receiver
      answers.push(Effect.never)
      const dead = yield* Effect.forkChild(deliverDue)
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(dead)
      assert.strictEqual(yield* deliverDue, 0)
      yield* TestClock.adjust("59 seconds")
      assert.strictEqual(yield* deliverDue, 2)
      assert.deepStrictEqual(yield* states, ["delivered 1", "delivered 1"])
      assert.lengthOf(received, 3)
    }).pipe(World.inWorld())
  )

  it.effect("stops when slow tries have used its lease up, and leaves the rest to others", () =>
    Effect.gen(function* () {
      yield* listener()
      const { answers, received } = yield* World.Receiver
      answers.push(Effect.as(Effect.sleep("60 seconds"), refused))
      const fiber = yield* Effect.forkChild(deliverDue)
      yield* TestClock.adjust("60 seconds")
      yield* Fiber.join(fiber)
      assert.lengthOf(received, 1)
      assert.deepStrictEqual(yield* states, ["pending 1", "pending 0"])
      assert.strictEqual(yield* deliverDue, 1)
    }).pipe(World.inWorld())
  )

  it.effect("does not let a slow company's endpoint keep the others waiting", () =>
    Effect.gen(function* () {
      yield* listener("https://slow.example/")
      yield* listener("https://fast.example/")
      const { answers, received } = yield* World.Receiver
      answers.push(Effect.never)
      const fiber = yield* Effect.forkChild(deliverDue)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(
        received.map(({ url }) => url),
        ["https://slow.example/", "https://fast.example/", "https://fast.example/"]
      )
      yield* Fiber.interrupt(fiber)
    }).pipe(World.inWorld())
  )

  it.effect("sends to the address that is set now, and not to one that was replaced", () =>
    Effect.gen(function* () {
      const company = yield* listener("https://old.example/")
      const { received } = yield* World.Receiver
      yield* World.listen(company, [], "https://new.example/")
      yield* deliverDue
      assert.deepStrictEqual(
        received.map(({ url }) => url),
        ["https://new.example/", "https://new.example/"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("is told of new deliveries once they are committed, and not when they were undone", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const signal = yield* DeliverySignal
      yield* World.listen(company)
      yield* World.subscribeByCard(company, World.cards.captured)
      const waiting = yield* Effect.forkChild(signal.wait, { startImmediately: true })
      // A key that nobody claimed makes the last write of the transaction fail, after the delivery was written.
      const unclaimed = Option.some({ key: "unclaimed", written: Option.none() })
      yield* Effect.flip(Effect.provideService(World.pay(company, "p"), CurrentKey, unclaimed))
      yield* TestClock.adjust("1 second")
      assert.isUndefined(waiting.pollUnsafe())
      assert.lengthOf(yield* World.deliveries, 0)
      yield* World.pay(company, "q")
      yield* Fiber.join(waiting)
    }).pipe(World.inWorld())
  )

  it.effect("makes the other deliveries when one of them cannot be handled", () =>
    Effect.gen(function* () {
      yield* listener("https://broken.example/")
      yield* listener("https://well.example/")
      const { answers, received } = yield* World.Receiver
      answers.push(Effect.die("a sender's bug"))
      yield* deliverDue
      assert.sameMembers(
        received.map(({ url }) => url),
        ["https://broken.example/", "https://broken.example/", "https://well.example/", "https://well.example/"]
      )
      assert.deepStrictEqual(yield* states, ["pending 0", "delivered 1", "delivered 1", "delivered 1"])
    }).pipe(World.inWorld())
  )

  it.effect("shows the subscription's own card beside a payment that was made with an earlier one", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      yield* World.subscribeByCard(company, World.cards.deniedAtFirst)
      yield* World.pay(company, "p")
      yield* World.pay(company, "q", { PaymentMethodCreditCard: World.card(World.cards.captured) })
      yield* World.listen(company)
      yield* World.retry(company, "p")
      const [{ payload } = { payload: undefined }] = yield* World.deliveries
      const shown = payload as unknown as {
        readonly Transaction: { readonly CreditCard: { readonly Card: { readonly number: string } } }
        readonly Subscription: { readonly PaymentMethodCreditCard: { readonly Card: { readonly number: string } } }
      }
      assert.strictEqual(shown.Transaction.CreditCard.Card.number, "4000********0341")
      assert.strictEqual(shown.Subscription.PaymentMethodCreditCard.Card.number, "4111********1111")
    }).pipe(World.inWorld())
  )

  it.effect("names the service in a delivery as the deployment does", () =>
    Effect.gen(function* () {
      yield* listener()
      const { received } = yield* World.Receiver
      yield* deliverDue
      for (const { body } of received) {
        assert.include(body, "galaxPayId")
        assert.notInclude(body, "svcPayId")
      }
      assert.lengthOf(received, 2)
    }).pipe(World.inWorld({ settings: { naming: galaxPay } }))
  )
})
