import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Deliveries } from "@parcela/engine/webhooks/Replays"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { DeliverySignal } from "@parcela/engine/ports/DeliverySignal"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import { Recovery } from "@parcela/engine/work/Recovery"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { defective, type SendResult } from "@parcela/webhooks/WebhookSender"
import { Clock, Deferred, Duration, Effect, Fiber, Layer, Logger, Redacted, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as FullDisk from "../fixtures/FullDisk.ts"
import * as CardPayments from "../fixtures/CardPayments.ts"
import { inject } from "vitest"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const refused: SendResult = { _tag: "Refused", status: 500, problem: "The receiver responded with 500" }

/** Creates a company with an endpoint and one captured payment, which causes two deliveries. */
const listener = Effect.fnUntraced(function* (url?: string) {
  const company = yield* World.company()
  yield* World.listen(company, undefined, url)
  yield* World.subscribeByCard(company, Samples.cards.captured)
  yield* World.pay(company, "p")
  return company
})

const attempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ webhook_id: number; duration: number; status: number | null; problem: string | null }>`
    SELECT webhook_id, duration, status, problem FROM delivery_attempts ORDER BY id`
})

const endpoint = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ state: string; failures: number; next_at: number | null; off_reason: string | null }>`
    SELECT state, failures, next_at, off_reason FROM webhook_endpoints ORDER BY id`
  return row!
})

const timedOut: SendResult = { _tag: "NoResponse", problem: "The receiver did not respond within 5 s" }

const deliverDue = Effect.flatMap(DeliveryWorker, (worker) => worker.deliverDue)
const states = Effect.map(Rows.deliveries, (all) => all.map(({ state, attempts }) => `${state} ${attempts}`))

describe("DeliveryWorker", () => {
  it.effect("delivers each event once, in order, with the hash and secret of the company", () =>
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
      assert.deepStrictEqual(received[0]!.secrets.map(Redacted.value), [Redacted.value(secret)])
    }).pipe(World.inWorld())
  )

  it.effect("repeats a refused delivery after 30 seconds and not before", () =>
    Effect.gen(function* () {
      yield* listener()
      const { responses, received } = yield* World.Receiver
      responses.push(Effect.succeed(refused))
      yield* deliverDue
      assert.deepStrictEqual(yield* states, ["pending 1", "delivered 1"])
      yield* World.passTime("29 seconds")
      assert.strictEqual(yield* deliverDue, 0)
      yield* World.passTime("1 second")
      assert.strictEqual(yield* deliverDue, 1)
      assert.deepStrictEqual(yield* states, ["delivered 2", "delivered 1"])
      assert.strictEqual(received[2]?.body, received[0]?.body, "a repeat is the same delivery")
    }).pipe(World.inWorld())
  )

  it.effect("repeats a delivery after a defect, logs the defect, and does not pause the endpoint", () =>
    Effect.gen(function* () {
      const levels: Array<string> = []
      const logged = Logger.layer([Logger.make(({ logLevel }) => void levels.push(logLevel))])
      yield* listener()
      const { responses } = yield* World.Receiver
      responses.push(Effect.succeed(defective(new TypeError("ours"))))
      yield* Effect.provide(deliverDue, logged)
      assert.deepStrictEqual(yield* states, ["pending 1", "delivered 1"])
      assert.include(levels, "Error")
      assert.deepInclude(yield* endpoint, { failures: 0, next_at: null })
    }).pipe(World.inWorld())
  )

  it.effect("logs the delivery, the address, the problem and the time of the next attempt when an attempt fails", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      yield* listener("http://127.0.0.1:8149/hooks?key=hidden#here")
      const { responses } = yield* World.Receiver
      const unauthenticated: SendResult = { _tag: "Refused", status: 401, problem: "The receiver responded with 401" }
      responses.push(Effect.succeed(refused), Effect.succeed(unauthenticated))
      yield* Effect.provide(deliverDue, logged)
      assert.deepStrictEqual(lines.toSorted(), [
        "Delivery 1 (subscription.addTransaction, transaction 1) to http://127.0.0.1:8149/hooks failed: " +
          "The receiver responded with 500; next attempt in 30s at the earliest",
        "Delivery 2 (transaction.updateStatus, transaction 1) to http://127.0.0.1:8149/hooks failed: " +
          "The receiver responded with 401 (check the receiver's PARCELA_WEBHOOK_SECRET and PARCELA_CONFIRM_HASH); " +
          "next attempt in 30s at the earliest"
      ])
    }).pipe(World.inWorld())
  )

  it.effect("logs the number of pending deliveries that it abandons when a company switches their events off", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const company = yield* listener()
      const { runDueWork } = yield* Recovery
      yield* World.listen(company, ["transaction.updateStatus", "subscription.addTransaction"])
      yield* Effect.provide(runDueWork, logged)
      assert.deepStrictEqual(lines, [])
      yield* World.listen(company, [])
      yield* Effect.provide(runDueWork, logged)
      assert.deepStrictEqual(lines, [
        `2 waiting deliveries were abandoned: company ${company} switched their events off`
      ])
    }).pipe(World.inWorld())
  )

  it.effect("abandons a delivery after six attempts in about 48 hours and stores the last problem", () =>
    Effect.gen(function* () {
      yield* listener()
      const { responses, received } = yield* World.Receiver
      const sql = yield* SqlClient.SqlClient
      responses.push(...Array.from({ length: 12 }, () => Effect.succeed(refused)))
      for (let hour = 0; hour <= 50; hour++) {
        yield* deliverDue
        yield* World.passTime("1 hour")
      }
      assert.lengthOf(received, 12)
      assert.deepStrictEqual(yield* states, ["abandoned 6", "abandoned 6"])
      const problems = yield* sql<{ last_problem: string }>`SELECT last_problem FROM deliveries`
      assert.strictEqual(problems[0]?.last_problem, "The receiver responded with 500")
    }).pipe(World.inWorld())
  )

  it.effect("sends each delivery once when several workers run", () =>
    Effect.gen(function* () {
      yield* listener()
      const { responses, received } = yield* World.Receiver
      responses.push(Effect.as(Effect.sleep("3 seconds"), { _tag: "Accepted", status: 200 } as const))
      const fiber = yield* Effect.forkChild(
        Effect.all([deliverDue, deliverDue, deliverDue], { concurrency: "unbounded" })
      )
      yield* World.passTime("3 seconds")
      yield* Fiber.join(fiber)
      assert.lengthOf(received, 2)
      assert.strictEqual(new Set(received.map(({ webhookId }) => webhookId)).size, 2)
    }).pipe(World.inWorld())
  )

  it.effect("repeats the delivery of a worker that died when the lease ends", () =>
    Effect.gen(function* () {
      yield* listener()
      const { responses, received } = yield* World.Receiver
      responses.push(Effect.never)
      const dead = yield* Effect.forkChild(deliverDue)
      yield* World.passTime("1 second")
      yield* Fiber.interrupt(dead)
      assert.strictEqual(yield* deliverDue, 0)
      yield* World.passTime("59 seconds")
      assert.strictEqual(yield* deliverDue, 2)
      assert.deepStrictEqual(yield* states, ["delivered 1", "delivered 1"])
      assert.lengthOf(received, 3)
    }).pipe(World.inWorld())
  )

  it.effect("discards the late result of a worker that was paused past its lease", () =>
    Effect.gen(function* () {
      yield* listener()
      const { responses, received } = yield* World.Receiver
      responses.push(Effect.as(Effect.sleep("70 seconds"), refused))
      const paused = yield* Effect.forkChild(deliverDue, { startImmediately: true })
      yield* World.passTime("60 seconds")
      assert.strictEqual(yield* deliverDue, 2)
      assert.deepStrictEqual(yield* states, ["delivered 1", "delivered 1"])
      yield* World.passTime("10 seconds")
      assert.strictEqual(yield* Fiber.join(paused), 1)
      assert.deepStrictEqual(yield* states, ["delivered 1", "delivered 1"])
      assert.lengthOf(received, 3)
      assert.lengthOf(yield* attempts, 2)
    }).pipe(World.inWorld())
  )

  it.effect("delivers to other endpoints while one does not respond", () =>
    Effect.gen(function* () {
      const [one, two] = ["https://one.example/", "https://two.example/"] as const
      yield* listener(one)
      yield* listener(two)
      const { responses, received } = yield* World.Receiver
      responses.push(Effect.never)
      const fiber = yield* Effect.forkChild(deliverDue)
      yield* World.passTime("1 millis")
      // The order of companies is not defined. The first receiver is the slow one.
      const [slow, ...others] = received.map(({ url }) => url)
      assert.include([one, two], slow)
      const fast = slow === one ? two : one
      assert.deepStrictEqual(others, [fast, fast])
      yield* Fiber.interrupt(fiber)
    }).pipe(World.inWorld())
  )

  it.effect("delivers pending events to the current address and abandons events that were switched off", () =>
    Effect.gen(function* () {
      const company = yield* listener("https://old.example/")
      const { received } = yield* World.Receiver
      yield* World.listen(company, ["transaction.updateStatus"], "https://new.example/")
      yield* deliverDue
      assert.deepStrictEqual(
        received.map(({ url }) => url),
        ["https://new.example/"]
      )
      // The job of the edit has not run yet.
      assert.strictEqual(yield* Rows.count("due_work"), 1)
      assert.deepStrictEqual(yield* states, ["abandoned 0", "delivered 1"])
      yield* World.listen(company, [], "https://newer.example/")
      yield* World.pay(company, "q")
      assert.strictEqual(yield* deliverDue, 0)
    }).pipe(World.inWorld())
  )

  it.effect("is signalled when new deliveries are committed and not when they are rolled back", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const signal = yield* DeliverySignal
      yield* World.listen(company)
      // The edit signals too, because pending deliveries can go to the new address.
      yield* signal.wait
      yield* World.subscribeByCard(company, Samples.cards.captured)
      const waiting = yield* Effect.forkChild(signal.wait, { startImmediately: true })
      // The job is written after the delivery.
      yield* Effect.flip(World.pay(company, "p").pipe(FullDisk.whileFull("due_work")))
      yield* World.passTime("1 second")
      assert.isUndefined(waiting.pollUnsafe())
      assert.lengthOf(yield* Rows.deliveries, 0)
      yield* World.pay(company, "q")
      yield* Fiber.join(waiting)
    }).pipe(World.inWorld())
  )

  it.effect("makes the other deliveries when the sender of one has a defect", () =>
    Effect.gen(function* () {
      yield* listener("https://broken.example/")
      yield* listener("https://well.example/")
      const { responses, received } = yield* World.Receiver
      responses.push(Effect.die("a sender's bug"))
      yield* deliverDue
      assert.sameMembers(
        received.map(({ url }) => url),
        ["https://broken.example/", "https://broken.example/", "https://well.example/", "https://well.example/"]
      )
      assert.deepStrictEqual((yield* states).toSorted(), ["delivered 1", "delivered 1", "delivered 1", "pending 1"])
    }).pipe(World.inWorld())
  )

  it.effect("delivers the current card of the subscription with a payment that used an earlier card", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.denied
      yield* World.pay(company, "q", { PaymentMethodCreditCard: Samples.card(Samples.cards.captured) })
      yield* World.listen(company)
      yield* World.retry(company, "p")
      const [{ payload } = { payload: undefined }] = yield* Rows.deliveries
      const shown = payload as unknown as {
        readonly Transaction: { readonly CreditCard: { readonly Card: { readonly number: string } } }
        readonly Subscription: { readonly PaymentMethodCreditCard: { readonly Card: { readonly number: string } } }
      }
      assert.strictEqual(shown.Transaction.CreditCard.Card.number, "4000********0341")
      assert.strictEqual(shown.Subscription.PaymentMethodCreditCard.Card.number, "4111********1111")
    }).pipe(World.inWorld())
  )

  it.effect("writes deliveries with the naming profile of the deployment", () =>
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

  describe("for an endpoint", () => {
    it.effect("that is unreachable, pauses longer after each failure and then makes a single attempt", () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.listen(company)
        yield* World.subscribeByCard(company, Samples.cards.captured)
        for (let index = 0; index < 12; index++) yield* World.pay(company, `p${index}`)
        const { responses, received } = yield* World.Receiver
        responses.push(...Array.from({ length: 13 }, () => Effect.succeed(timedOut)))
        // One delivery of each transaction is sent. The others stay pending without an attempt.
        assert.strictEqual(yield* deliverDue, 12)
        assert.strictEqual((yield* endpoint).failures, 1)
        assert.strictEqual(yield* deliverDue, 0)
        yield* World.passTime("5 seconds")
        assert.strictEqual(yield* deliverDue, 1)
        assert.strictEqual((yield* endpoint).failures, 2)
        yield* World.passTime("4 seconds")
        assert.strictEqual(yield* deliverDue, 0)
        yield* World.passTime("1 hour")
        assert.strictEqual(yield* deliverDue, 24)
        assert.lengthOf(received, 37)
        assert.isTrue((yield* states).every((state) => state.startsWith("delivered")))
        assert.deepInclude(yield* endpoint, { failures: 0, next_at: null })
      }).pipe(World.inWorld())
    )

    it.effect(
      "that returns 429 or 503, pauses for its Retry-After of at most an hour, and ignores that of other statuses",
      () =>
        Effect.gen(function* () {
          for (const [status, asked, seconds] of [
            [429, 90, 90],
            [503, 1e9, 3_600],
            [500, 90, 0]
          ] as const) {
            yield* Effect.gen(function* () {
              yield* listener()
              const { responses } = yield* World.Receiver
              const retryAfter = Duration.seconds(asked)
              responses.push(Effect.succeed({ _tag: "Refused", status, problem: "no", retryAfter }))
              const before = yield* Clock.currentTimeMillis
              yield* deliverDue
              assert.strictEqual(((yield* endpoint).next_at ?? before) - before, seconds * 1_000, String(status))
            }).pipe(World.inWorld())
          }
        })
    )

    it.effect(
      "that returns 410, switches it off with a journal entry, and sends its pending and new events after an edit",
      () =>
        Effect.gen(function* () {
          const company = yield* listener()
          const { responses, received } = yield* World.Receiver
          responses.push(Effect.succeed({ _tag: "Refused", status: 410, problem: "The receiver responded with 410" }))
          assert.strictEqual(yield* deliverDue, 1)
          assert.deepInclude(yield* endpoint, { state: "off", off_reason: "It returned 410 Gone" })
          assert.include(yield* Rows.journal, "WebhookEndpointSwitchedOff")
          yield* World.pay(company, "q")
          yield* World.passTime("1 day")
          assert.strictEqual(yield* deliverDue, 0)
          assert.deepStrictEqual(yield* states, ["pending 1", "pending 0", "pending 0", "pending 0"])
          yield* World.listen(company, undefined, "https://new.example/")
          assert.strictEqual(yield* deliverDue, 4)
          const late = received.slice(1)
          assert.deepStrictEqual(new Set(late.map(({ url }) => url)), new Set(["https://new.example/"]))
          assert.sameMembers(
            late.map(({ webhookId }) => webhookId),
            [1, 2, 3, 4]
          )
        }).pipe(World.inWorld())
    )

    it.effect("that fails for five days, switches it off", () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.listen(company)
        yield* World.subscribeByCard(company, Samples.cards.captured)
        const { responses } = yield* World.Receiver
        responses.push(...Array.from({ length: 200 }, () => Effect.succeed(timedOut)))
        for (let day = 0; day <= 6; day++) {
          yield* World.pay(company, `p${day}`)
          yield* deliverDue
          yield* World.passTime("1 day")
        }
        assert.strictEqual((yield* endpoint).state, "off")
      }).pipe(World.inWorld())
    )

    it.effect("sends a delivery of one transaction while the delivery of another is in progress", () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* World.listen(company)
        yield* World.subscribeByCard(company, Samples.cards.captured)
        yield* World.pay(company, "a")
        const { responses, received } = yield* World.Receiver
        responses.push(Effect.never)
        const fiber = yield* Effect.forkChild(deliverDue, { startImmediately: true })
        yield* World.passTime("1 millis")
        assert.lengthOf(received, 1)
        yield* Fiber.interrupt(fiber)
        yield* World.pay(company, "b")
        assert.strictEqual(yield* deliverDue, 2, "both of b; a is still leased")
        assert.deepStrictEqual(yield* states, ["pending 0", "pending 0", "delivered 1", "delivered 1"])
      }).pipe(World.inWorld())
    )
  })

  it.effect("sends a dead letter again when it is replayed", () =>
    Effect.gen(function* () {
      const company = yield* listener()
      const letters = yield* Deliveries
      const { responses, received } = yield* World.Receiver
      responses.push(...Array.from({ length: 6 }, () => Effect.succeed(refused)))
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE deliveries SET state = 'delivered' WHERE webhook_id = 2`
      for (let hour = 0; hour <= 50; hour++) {
        yield* deliverDue
        yield* World.passTime("1 hour")
      }
      const [dead] = yield* letters.list(company, { state: "abandoned" })
      assert.deepInclude(dead, { webhookId: 1, attempts: 6, problem: "The receiver responded with 500" })
      assert.lengthOf(Option.getOrThrow(yield* letters.attempts(company, 1)), 6)
      assert.deepStrictEqual(yield* letters.attempts(company, 99), Option.none())
      assert.isTrue(yield* letters.replay(company, 1))
      assert.strictEqual(yield* deliverDue, 1)
      assert.strictEqual(received.at(-1)?.body, received[0]?.body)
      assert.deepStrictEqual(yield* letters.list(company, { state: "abandoned" }), [])
      assert.strictEqual(received.at(-1)?.webhookId, 1)
    }).pipe(World.inWorld())
  )

  it.effect("records the start, duration, status and problem of each attempt", () =>
    Effect.gen(function* () {
      yield* listener()
      const { responses } = yield* World.Receiver
      responses.push(Effect.as(Effect.sleep("2 seconds"), refused))
      const fiber = yield* Effect.forkChild(deliverDue, { startImmediately: true })
      yield* World.passTime("2 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        (yield* attempts).map((row) => ({ ...row })),
        [
          { webhook_id: 1, duration: 2_000, status: 500, problem: "The receiver responded with 500" },
          { webhook_id: 2, duration: 0, status: 200, problem: null }
        ]
      )
    }).pipe(World.inWorld())
  )

  it.effect("records an attempt whose response was received before the worker was stopped", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const mayRecord = yield* Deferred.make<void>()
      const slowRecords = Layer.effect(
        Outbox,
        Effect.map(Outbox, (inner) => ({
          ...inner,
          record: (attempts: Parameters<typeof inner.record>[0]) =>
            Deferred.succeed(started, undefined).pipe(
              Effect.andThen(Deferred.await(mayRecord)),
              Effect.andThen(inner.record(attempts))
            )
        }))
      ).pipe(Layer.provideMerge(storeOf(inject("store"))))
      yield* Effect.gen(function* () {
        yield* listener()
        const worker = yield* Effect.forkChild(Effect.flatMap(DeliveryWorker, ({ run }) => run))
        yield* Deferred.await(started)
        const stopping = yield* Effect.forkChild(Fiber.interrupt(worker), { startImmediately: true })
        yield* Deferred.succeed(mayRecord, undefined)
        yield* Fiber.join(stopping)
        assert.strictEqual((yield* states)[0], "delivered 1")
      }).pipe(World.inWorld({ store: slowRecords }))
    })
  )
})
