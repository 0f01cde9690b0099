/**
 * Tests of the port `Inbox`, for every adapter.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { Inbox, type InboxEntry, type LeasedEntry, maxDelay } from "@parcela/webhooks/Inbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"

/**
 * @category models
 * @since 0.1.0
 */
export interface InboxSuiteOptions<E> {
  /**
   * A layer over separate storage, which exists as long as the scope. A second build of the layer opens the same
   * storage, as after a restart.
   */
  readonly storage: Effect.Effect<Layer.Layer<Inbox, E>, E, Scope.Scope>
  /** False for an inbox in memory. */
  readonly durable: boolean
  /** True if `acceptLeased` leases. False for storage that other processes write to. */
  readonly leasesAtOnce: boolean
}

/**
 * Declares the tests.
 *
 * @category suites
 * @since 0.1.0
 */
export const suite = <E>(name: string, { durable, leasesAtOnce, storage }: InboxSuiteOptions<E>): void => {
  const onEmpty = <A, F>(test: Effect.Effect<A, F, Inbox | Scope.Scope>) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      return yield* using(yield* storage)(test)
    })

  describe(`Inbox: ${name}`, () => {
    accepting(onEmpty)
    acceptingLeased(onEmpty, leasesAtOnce)
    leasing(onEmpty)
    ordering(onEmpty)
    settling(onEmpty)

    it.effect(durable ? "keeps what was accepted over a restart" : "starts empty after a restart", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const layer = yield* storage
        assert.strictEqual(yield* using(layer)(accept(entry(1))), "new")
        assert.strictEqual(yield* using(layer)(accept(entry(1))), durable ? "repeated" : "new")
        assert.deepStrictEqual(ids(yield* using(layer)(lease())), durable ? [1] : [])
      })
    )
  })
}

type OnEmpty = <A, F>(test: Effect.Effect<A, F, Inbox | Scope.Scope>) => Effect.Effect<A, unknown, Scope.Scope>

const accepting = (onEmpty: OnEmpty) => {
  it.effect("accepts a delivery once, and reports each repeat of it, handled or not", () =>
    Effect.gen(function* () {
      const all = [entry(1), entry(1), entry(2), entry(1)]
      assert.deepStrictEqual(yield* Effect.forEach(all, accept), ["new", "repeated", "new", "repeated"])
      yield* settle(yield* lease())
      assert.strictEqual(yield* accept(entry(1)), "repeated")
    }).pipe(onEmpty)
  )

  it.effect("distinguishes the deliveries of two senders with the same numbers", () =>
    Effect.gen(function* () {
      const other = { ...entry(5), sender: "other" }
      assert.deepStrictEqual(yield* Effect.forEach([entry(5), other, other], accept), ["new", "new", "repeated"])
      assert.deepStrictEqual((yield* lease()).map(({ sender }) => sender).toSorted(), ["other", "shop"])
    }).pipe(onEmpty)
  )

  it.effect("reports the same number with another body, and retains the first body", () =>
    Effect.gen(function* () {
      yield* accept(entry(1))
      assert.strictEqual(yield* accept({ ...entry(1), body: `{"other":true}` }), "conflict")
      // Another time and signature belong to another try of the same delivery.
      assert.strictEqual(yield* accept({ ...entry(1), signedAt: 9, signature: "v1,other" }), "repeated")
      assert.deepStrictEqual(
        (yield* lease()).map(({ body }) => body),
        [entry(1).body]
      )
    }).pipe(onEmpty)
  )

  it.effect("accepts one of many concurrent deliveries with the same number as new", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 60 }, (_, index) => accept(entry(index % 3)))
      const won = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(won.filter((one) => one === "new").length, 3)
    }).pipe(onEmpty)
  )

  it.effect("returns every field unchanged, also texts with quotes", () =>
    Effect.gen(function* () {
      const careful: InboxEntry = {
        ...entry(9_007_199_254_740_991),
        sender: "'; DROP TABLE inbox_deliveries; --",
        subject: "transaction/myId/ação ' ? %",
        body: `{"name":"ação 🙂 ' \\" ?","confirmHash":"\u001a"}`
      }
      yield* accept(careful)
      assert.deepStrictEqual(yield* lease(), [{ ...careful, attempts: 1, late: false }])
    }).pipe(onEmpty)
  )
}

const acceptingLeased = (onEmpty: OnEmpty, leasesAtOnce: boolean) => {
  const acceptLeased = (entry: InboxEntry) =>
    Inbox.use((inbox) => inbox.acceptLeased(entry, { duration: Duration.minutes(1) }))

  /** Its lease, by whichever way. */
  const taken = Effect.fnUntraced(function* (entry: InboxEntry) {
    const accepted = yield* acceptLeased(entry)
    assert.strictEqual(typeof accepted, leasesAtOnce ? "object" : "string")
    return typeof accepted === "string" ? (yield* lease())[0]! : accepted
  })

  it.effect("leases a new delivery when it is stored, unless another of its subject is open", () =>
    Effect.gen(function* () {
      const newer = yield* taken(about("transaction/1", 7))
      assert.deepStrictEqual(newer, { ...about("transaction/1", 7), attempts: 1, late: false })
      assert.strictEqual(yield* acceptLeased(about("transaction/1", 5)), "new")
      assert.strictEqual(yield* acceptLeased(about("transaction/1", 9)), "new")
      assert.deepStrictEqual(ids([yield* taken({ ...entry(2), subject: undefined })]), [2])
      assert.deepStrictEqual(yield* lease(), [])
      assert.strictEqual(yield* settle([newer]), 1)
      assert.deepStrictEqual(
        (yield* lease()).map(({ late, webhookId }) => [webhookId, late]),
        [[5, true]]
      )
      assert.strictEqual(yield* acceptLeased(about("transaction/1", 7)), "repeated")
      assert.strictEqual(yield* acceptLeased({ ...about("transaction/1", 7), body: "{}" }), "conflict")
    }).pipe(onEmpty)
  )

  it.effect(
    "reports a late delivery that is leased when it is stored, and leases it again when its lease expires",
    () =>
      Effect.gen(function* () {
        yield* settle([yield* taken(about("transaction/1", 7))])
        const older = yield* taken(about("transaction/1", 6))
        assert.isTrue(older.late)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(
          (yield* lease()).map(({ attempts, webhookId }) => [webhookId, attempts]),
          [[6, 2]]
        )
        assert.strictEqual(yield* settle([older]), 0)
      }).pipe(onEmpty)
  )
}

const leasing = (onEmpty: OnEmpty) => {
  it.effect("leases the oldest deliveries first, up to the limit, and none twice", () =>
    Effect.gen(function* () {
      for (const id of [3, 1, 2]) {
        yield* accept({ ...entry(id), receivedAt: MachineTime.make(start + 3 - id) })
      }
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(ids(yield* lease(2)), [3, 2])
      assert.deepStrictEqual(ids(yield* lease(2)), [1])
      assert.deepStrictEqual(yield* lease(), [])
    }).pipe(onEmpty)
  )

  it.effect("leases a delivery to one of many concurrent workers", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2, 3, 4, 5, 6], (id) => accept(entry(id)))
      const leased = yield* Effect.all(
        Array.from({ length: 10 }, () => lease(2)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        ids(leased.flat()).toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6]
      )
    }).pipe(onEmpty)
  )

  it.effect("leases an unsettled delivery again when its lease expires, and counts the attempts", () =>
    Effect.gen(function* () {
      yield* accept(entry(1))
      yield* lease()
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* lease(), [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        (yield* lease()).map(({ attempts }) => attempts),
        [2]
      )
    }).pipe(onEmpty)
  )

  it.effect("settles nothing for a lost lease", () =>
    Effect.gen(function* () {
      const inbox = yield* Inbox
      yield* accept(entry(1))
      const [lost] = yield* lease()
      yield* TestClock.adjust("1 minute")
      const [own] = yield* lease()
      assert.strictEqual(yield* inbox.done([lost!]), 0)
      assert.isFalse(yield* inbox.retry(lost!, { wait: Duration.zero, problem: "late" }))
      assert.isFalse(yield* inbox.fail(lost!, "late"))
      assert.strictEqual(yield* inbox.done([own!]), 1)
      assert.strictEqual(yield* inbox.done([own!]), 0)
    }).pipe(onEmpty)
  )

  it.effect("ends all leases when it is released", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2, 3], (id) => accept(entry(id)))
      const [first] = yield* lease(1)
      yield* settle([first!])
      assert.deepStrictEqual(ids(yield* lease()), [2, 3])
      assert.strictEqual(yield* Effect.flatMap(Inbox, ({ release }) => release), 2)
      assert.deepStrictEqual(ids(yield* lease()), [2, 3])
    }).pipe(onEmpty)
  )

  it.effect("limits leases and delays after the clock was set back", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2], (id) => accept(entry(id)))
      const [, second] = yield* lease()
      yield* Effect.flatMap(Inbox, (inbox) => inbox.retry(second!, { wait: maxDelay, problem: "no" }))
      yield* TestClock.setTime(start - 86_400_000)
      assert.deepStrictEqual(ids(yield* lease()), [1, 2])
    }).pipe(onEmpty)
  )
}

const ordering = (onEmpty: OnEmpty) => {
  it.effect("leases one delivery of a subject at a time, in the order of their numbers", () =>
    Effect.gen(function* () {
      for (const id of [30, 10, 20]) yield* accept(about("transaction/1", id))
      yield* accept(about("transaction/2", 25))
      const first = yield* lease()
      assert.deepStrictEqual(ids(first), [10, 25])
      assert.deepStrictEqual(yield* lease(), [])
      yield* settle(first)
      const second = yield* lease()
      assert.deepStrictEqual(ids(second), [20])
      yield* settle(second)
      assert.deepStrictEqual(ids(yield* lease()), [30])
    }).pipe(onEmpty)
  )

  it.effect("delays no deliveries without a subject, nor those of other senders with the same subject", () =>
    Effect.gen(function* () {
      yield* accept({ ...entry(1), subject: undefined })
      yield* accept({ ...entry(2), subject: undefined })
      yield* accept(about("transaction/1", 3))
      yield* accept({ ...about("transaction/1", 4), sender: "other" })
      assert.deepStrictEqual(ids(yield* lease()), [1, 2, 3, 4])
    }).pipe(onEmpty)
  )

  it.effect("reports a delivery as late only when a newer one of the subject is done", () =>
    Effect.gen(function* () {
      yield* accept(about("transaction/1", 7))
      yield* accept({ ...about("transaction/1", 9), sender: "other" })
      yield* settle(yield* lease())
      yield* accept(about("transaction/1", 5))
      yield* accept(about("transaction/2", 6))
      yield* accept({ ...about("transaction/1", 10), sender: "other" })
      const late = new Map((yield* lease()).map(({ late, webhookId }) => [webhookId, late]))
      assert.deepStrictEqual([late.get(5), late.get(6), late.get(10)], [true, false, false])
    }).pipe(onEmpty)
  )

  it.effect("delays an older delivery while a newer one is being handled, and then reports it as late", () =>
    Effect.gen(function* () {
      yield* accept(about("transaction/1", 7))
      const newer = yield* lease()
      yield* accept(about("transaction/1", 5))
      assert.deepStrictEqual(yield* lease(), [])
      yield* settle(newer)
      assert.deepStrictEqual(
        (yield* lease()).map(({ late, webhookId }) => [webhookId, late]),
        [[5, true]]
      )
    }).pipe(onEmpty)
  )
}

const settling = (onEmpty: OnEmpty) => {
  it.effect(
    "leases a failed delivery again after its delay, and delays later ones of its subject until then, and no others",
    () =>
      Effect.gen(function* () {
        const inbox = yield* Inbox
        for (const id of [1, 2]) yield* accept(about("transaction/1", id))
        yield* accept(about("transaction/2", 3))
        const [first] = yield* lease(1)
        assert.isTrue(yield* inbox.retry(first!, { wait: Duration.seconds(30), problem: "database down" }))
        assert.deepStrictEqual(ids(yield* lease()), [3])
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(
          (yield* lease()).map(({ attempts, webhookId }) => [webhookId, attempts]),
          [[1, 2]]
        )
      }).pipe(onEmpty)
  )

  it.effect("limits a delay to its maximum", () =>
    Effect.gen(function* () {
      yield* accept(entry(1))
      const [only] = yield* lease()
      yield* Effect.flatMap(Inbox, (inbox) => inbox.retry(only!, { wait: Duration.days(9), problem: "no" }))
      yield* TestClock.adjust(maxDelay)
      assert.deepStrictEqual(ids(yield* lease()), [1])
    }).pipe(onEmpty)
  )

  it.effect("never leases an abandoned delivery again, and delays nothing for it", () =>
    Effect.gen(function* () {
      for (const id of [1, 2]) yield* accept(about("transaction/1", id))
      const [first] = yield* lease(1)
      assert.isTrue(yield* Effect.flatMap(Inbox, (inbox) => inbox.fail(first!, "a bug")))
      assert.deepStrictEqual(
        (yield* lease()).map(({ late, webhookId }) => [webhookId, late]),
        [[2, false]]
      )
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(ids(yield* lease()), [2])
      assert.strictEqual(yield* accept(about("transaction/1", 1)), "repeated")
    }).pipe(onEmpty)
  )

  it.effect("settles many deliveries at once, except those whose lease was lost", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(
        Array.from({ length: 250 }, (_, index) => index + 1),
        (id) => accept(entry(id))
      )
      const all = yield* lease(250)
      const lost = { ...all[0]!, attempts: 9 }
      const count = yield* Effect.flatMap(Inbox, (inbox) => inbox.done([lost, ...all.slice(1)]))
      assert.strictEqual(count, 249)
      assert.strictEqual(yield* settle([]), 0)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(ids(yield* lease()), [1])
    }).pipe(onEmpty)
  )

  it.effect("settles only the delivery of its own sender if another sender has the same number", () =>
    Effect.gen(function* () {
      yield* accept(entry(1))
      yield* accept({ ...entry(1), sender: "other" })
      const [one] = (yield* lease(2)).filter(({ sender }) => sender === "shop")
      assert.strictEqual(yield* settle([one!]), 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        (yield* lease(2)).map(({ sender }) => sender),
        ["other"]
      )
    }).pipe(onEmpty)
  )
}

const start = 1_785_585_600_000

const entry = (id: number): InboxEntry => ({
  sender: "shop",
  webhookId: id,
  event: "transaction.updateStatus",
  subject: `transaction/${id}`,
  receivedAt: MachineTime.make(start),
  body: `{"event":"transaction.updateStatus","webhookId":${id}}`,
  signedAt: start / 1000,
  signature: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
})

const about = (subject: string, id: number): InboxEntry => ({ ...entry(id), subject })

const accept = (entry: InboxEntry) => Inbox.use((inbox) => inbox.accept(entry))

const lease = (limit = 100) => Inbox.use((inbox) => inbox.lease({ limit, duration: Duration.minutes(1) }))

const settle = (leases: ReadonlyArray<LeasedEntry>) => Inbox.use((inbox) => inbox.done(leases))

const ids = (leases: ReadonlyArray<LeasedEntry>) => leases.map(({ webhookId }) => webhookId)

// Built again at each use: a shared layer would be one process for the whole test.
const using = <E>(layer: Layer.Layer<Inbox, E>) => Effect.provide(layer, { local: true })
