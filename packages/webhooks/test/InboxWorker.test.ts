import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Deferred, Duration, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Delivery } from "../src/Delivery.ts"
import * as InboxMemory from "../src/Inbox.ts"
import { Inbox, type InboxEntry, InboxError } from "../src/Inbox.ts"
import * as InboxWorker from "../src/InboxWorker.ts"
import { parseText, readMessage } from "../src/ReceivedMessage.ts"
import * as InboxSql from "../src/sql/InboxSql.ts"

const entry = (webhookId: number, svcPayId: number): InboxEntry => ({
  sender: "shop",
  webhookId,
  event: "transaction.updateStatus",
  subject: `transaction/${svcPayId}`,
  receivedAt: MachineTime.make(0),
  body: JSON.stringify({ event: "transaction.updateStatus", webhookId, Transaction: { svcPayId } }),
  signedAt: 0,
  signature: "v1,AA=="
})

const accept = (webhookId: number, svcPayId: number = webhookId) =>
  Inbox.use((inbox) => inbox.accept(entry(webhookId, svcPayId)))

/** Stores a delivery through the worker, which may handle it directly. */
const receive = (webhookId: number, svcPayId: number = webhookId, confirmHash = "\u001a") =>
  Effect.gen(function* () {
    const own = entry(webhookId, svcPayId)
    const parsed = Result.getOrThrow(parseText(own.body))
    const worker = yield* InboxWorker.InboxWorker
    const body = own.body.replace("}}", `},"confirmHash":"${confirmHash}"}`)
    return yield* worker.accept({ ...own, body }, Result.getOrThrow(readMessage(parsed)))
  })

const unreadable = [10, 11, 12].map((webhookId) => ({
  sender: "shop",
  webhookId,
  event: "transaction.updateStatus",
  subject: undefined,
  receivedAt: MachineTime.make(0),
  body: "{",
  signedAt: 0,
  signature: "v1,AA=="
}))

/** A worker over a new inbox, and the deliveries that it handled. */
const worker = <E = never>(
  options: Partial<InboxWorker.InboxWorkerOptions<E, never>> = {},
  inbox: Layer.Layer<Inbox> = InboxMemory.layerMemory
) => {
  const seen: Array<Delivery> = []
  const layer = InboxWorker.layer({
    // The tests wake the worker: a clock that moves by a day would cause 86,400 polls.
    interval: "30 days",
    ...options,
    handle: (delivery) =>
      Effect.andThen(
        Effect.sync(() => void seen.push(delivery)),
        options.handle?.(delivery) ?? Effect.void
      )
  })
  const ids = () => seen.map(({ message }) => message.webhookId)
  return { seen, ids, layer: Layer.provideMerge(layer, Layer.fresh(inbox)) }
}

const wake = InboxWorker.InboxWorker.use((_) => _.wake)
const idle = InboxWorker.InboxWorker.use((_) => _.idle)

describe("InboxWorker", () => {
  it.effect("handles deliveries from before its start and new ones, each once", () =>
    Effect.gen(function* () {
      const { ids, layer } = worker()
      yield* Effect.gen(function* () {
        yield* accept(1)
        yield* idle
        assert.deepStrictEqual(ids(), [1])
        yield* Effect.forEach([2, 3, 4], (id) => accept(id))
        yield* idle
        yield* TestClock.adjust("1 day")
        yield* idle
        assert.deepStrictEqual(ids(), [1, 2, 3, 4])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("handles an accepted delivery without a poll, unless another delivery of its subject is pending", () =>
    Effect.gen(function* () {
      const go = yield* Deferred.make<void>()
      const { ids, layer } = worker({
        handle: ({ message }) => (message.webhookId === 1 ? Deferred.await(go) : Effect.void)
      })
      yield* Effect.gen(function* () {
        const inbox = yield* Inbox
        yield* wake
        assert.strictEqual(yield* receive(1, 7), "new")
        assert.strictEqual(yield* receive(2), "new")
        assert.strictEqual(yield* receive(3, 7), "new")
        // The body contains the confirmHash twice, so the worker parses the stored body.
        assert.strictEqual(yield* receive(4, 4, "\u001a,\u001a"), "new")
        assert.strictEqual(yield* receive(2), "repeated")
        yield* Effect.yieldNow
        assert.deepStrictEqual(ids(), [1, 2, 4])
        yield* Deferred.succeed(go, undefined)
        yield* idle
        assert.deepStrictEqual(ids(), [1, 2, 4, 3])
        assert.strictEqual(yield* inbox.release, 0)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("respects the concurrency limit and handles deliveries that are accepted during a poll", () =>
    Effect.gen(function* () {
      let looked = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const slow = Layer.effect(
        Inbox,
        Effect.map(Inbox, (inbox) =>
          Inbox.of({
            ...inbox,
            lease: (options) =>
              Effect.andThen(
                Effect.suspend(() => Deferred.await(looked)),
                inbox.lease(options)
              )
          })
        )
      ).pipe(Layer.provide(InboxMemory.layerMemory))
      const { ids, layer } = worker({ concurrency: 8, handle: () => Deferred.await(go) }, slow)
      const ticks = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })
      const counts: Array<number> = []
      yield* Effect.gen(function* () {
        yield* ticks
        // The poll found no delivery.
        yield* Deferred.succeed(looked, undefined)
        yield* ticks
        looked = yield* Deferred.make<void>()
        yield* accept(1)
        yield* wake
        yield* ticks
        for (let id = 2; id <= 12; id++) yield* receive(id)
        yield* ticks
        counts.push(ids().length)
        yield* Deferred.succeed(looked, undefined)
        yield* ticks
        counts.push(ids().length)
        yield* Deferred.succeed(go, undefined)
        yield* idle
        counts.push(ids().length)
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, [6, 8, 12])
    })
  )

  it.effect("reserves a slot for pending deliveries and releases the slot of a delivery that was not stored", () =>
    Effect.gen(function* () {
      let failures = 3
      const go = yield* Deferred.make<void>()
      const failing = Layer.effect(
        Inbox,
        Effect.map(Inbox, (inbox) =>
          Inbox.of({
            ...inbox,
            acceptLeased: (...accepted) =>
              failures-- > 0 ? Effect.fail(new InboxError({ cause: "disk full" })) : inbox.acceptLeased(...accepted)
          })
        )
      ).pipe(Layer.provide(InboxMemory.layerMemory))
      const { ids, layer } = worker(
        { concurrency: 2, handle: ({ message }) => (message.webhookId === 3 ? Effect.void : Deferred.await(go)) },
        failing
      )
      yield* Effect.gen(function* () {
        for (const id of [6, 7, 8]) assert.instanceOf(yield* Effect.flip(receive(id)), InboxError)
        yield* receive(4)
        yield* accept(3)
        yield* receive(5)
        for (let tick = 0; tick < 20; tick++) yield* Effect.yieldNow
        assert.deepStrictEqual(ids(), [4, 3, 5])
        yield* Deferred.succeed(go, undefined)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("polls the inbox without a wake-up", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<void>()
      const { layer } = worker({
        interval: "1 second",
        handle: () => Effect.asVoid(Deferred.succeed(done, undefined))
      })
      yield* Effect.gen(function* () {
        yield* idle
        yield* accept(1)
        yield* TestClock.adjust("1 second")
        yield* Deferred.await(done)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect(
    "retries a failed delivery after a delay, before later deliveries of its payment and after all others",
    () =>
      Effect.gen(function* () {
        let down = true
        const { layer, seen } = worker({
          handle: ({ message }) => (message.webhookId === 1 && down ? Effect.fail("database down") : Effect.void)
        })
        yield* Effect.gen(function* () {
          yield* accept(1, 1)
          yield* accept(2, 1)
          yield* accept(3, 3)
          yield* idle
          assert.deepStrictEqual(
            seen.map(({ message }) => message.webhookId),
            [1, 3]
          )
          down = false
          yield* TestClock.adjust("1 second")
          yield* idle
          assert.deepStrictEqual(
            seen.slice(2).map(({ message, attempts }) => [message.webhookId, attempts]),
            [
              [1, 2],
              [2, 1]
            ]
          )
        }).pipe(Effect.provide(layer))
      })
  )

  it.effect("waits longer before each attempt and ends the attempts, which unblocks later deliveries", () =>
    Effect.gen(function* () {
      const { ids, layer } = worker({
        maximumAttempts: 4,
        handle: ({ message }) => (message.webhookId === 1 ? Effect.fail("no") : Effect.void)
      })
      yield* Effect.gen(function* () {
        yield* accept(1, 1)
        yield* accept(2, 1)
        for (const [seconds, count] of [
          [0, 1],
          [1, 2],
          [2, 3],
          [4, 5]
        ] as const) {
          yield* TestClock.adjust(seconds * 1000)
          yield* idle
          assert.strictEqual(ids().length, count)
        }
        assert.deepStrictEqual(ids(), [1, 1, 1, 1, 2])
        yield* TestClock.adjust("1 day")
        yield* idle
        assert.strictEqual(ids().length, 5)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("ends the attempts of an invalid delivery and of one that stops its process each time", () =>
    Effect.gen(function* () {
      const { ids, layer } = worker({ maximumAttempts: 2 })
      const memory = yield* Layer.build(InboxMemory.layerMemory)
      const lease = Inbox.use((inbox) => inbox.lease({ limit: 1, duration: Duration.minutes(1) }))
      yield* Effect.gen(function* () {
        yield* accept(1)
        // Two processes leased the delivery and died.
        for (const _ of [1, 2]) {
          assert.strictEqual((yield* lease).length, 1)
          yield* Inbox.use((inbox) => inbox.release)
        }
        yield* Effect.forEach(unreadable, (entry) => Inbox.use((inbox) => inbox.accept(entry)))
        yield* accept(9)
        yield* idle
        assert.deepStrictEqual(ids(), [9])
        yield* TestClock.adjust("1 day")
        assert.deepStrictEqual(yield* lease, [])
      }).pipe(Effect.provide(Layer.provideMerge(layer, Layer.succeedContext(memory))))
    })
  )

  it.effect("does not retry a defect of the handler", () =>
    Effect.gen(function* () {
      const { ids, layer } = worker({ handle: () => Effect.die(new TypeError("undefined is not a function")) })
      yield* Effect.gen(function* () {
        yield* accept(1)
        yield* idle
        yield* TestClock.adjust("1 day")
        yield* idle
        assert.deepStrictEqual(ids(), [1])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("handles other deliveries while one hangs, and interrupts that one at the timeout", () =>
    Effect.gen(function* () {
      const hung = yield* Deferred.make<void>()
      const last = yield* Deferred.make<void>()
      const { ids, layer } = worker({
        concurrency: 2,
        handle: ({ message, attempts }) => {
          if (message.webhookId === 5) return Effect.asVoid(Deferred.succeed(last, undefined))
          return message.webhookId === 1 && attempts === 1
            ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(hung, undefined))
            : Effect.void
        }
      })
      yield* Effect.gen(function* () {
        yield* Effect.forEach([1, 2, 3, 4, 5], (id) => accept(id))
        yield* wake
        yield* Deferred.await(last)
        assert.deepStrictEqual(ids(), [1, 2, 3, 4, 5])
        yield* TestClock.adjust("1 minute")
        yield* Deferred.await(hung)
        yield* idle
        yield* TestClock.adjust("1 second")
        yield* idle
        assert.deepStrictEqual(ids(), [1, 2, 3, 4, 5, 1])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("aborts the signal of a promise at the timeout", () =>
    Effect.gen(function* () {
      const aborted = yield* Deferred.make<void>()
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const handle = () =>
        Effect.promise(
          (signal) =>
            new Promise<void>((resolve) =>
              signal.addEventListener("abort", () => {
                run(Deferred.succeed(aborted, undefined))
                resolve()
              })
            )
        )
      yield* Effect.gen(function* () {
        yield* receive(1)
        yield* TestClock.adjust("2 seconds")
        yield* Deferred.await(aborted)
      }).pipe(Effect.provide(worker({ timeout: "1 second", handle }).layer))
    })
  )

  it.effect("respects the concurrency limit", () =>
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const { layer } = worker({
        concurrency: 3,
        handle: () =>
          Effect.gen(function* () {
            most = Math.max(most, ++now)
            yield* Effect.yieldNow
            now--
          })
      })
      yield* Effect.gen(function* () {
        yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], (id) => accept(id))
        yield* idle
        assert.strictEqual(most, 3)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("continues after a failure of the inbox", () =>
    Effect.gen(function* () {
      let failures = 3
      const flaky = Layer.effect(
        Inbox,
        Effect.map(Inbox, (inbox) =>
          Inbox.of({
            ...inbox,
            lease: (options) =>
              failures-- > 0 ? Effect.fail(new InboxError({ cause: "disk full" })) : inbox.lease(options)
          })
        )
      ).pipe(Layer.provide(InboxMemory.layerMemory))
      const { ids, layer } = worker({ interval: "1 second" }, flaky)
      yield* Effect.gen(function* () {
        yield* accept(1)
        yield* TestClock.adjust("5 seconds")
        yield* idle
        assert.deepStrictEqual(ids(), [1])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("finishes running handlers when it ends", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const done: Array<number> = []
      const { layer } = worker({
        handle: ({ message }) =>
          Deferred.succeed(started, undefined).pipe(
            Effect.andThen(Deferred.await(go)),
            Effect.andThen(Effect.sync(() => void done.push(message.webhookId)))
          )
      })
      const memory = yield* Layer.build(InboxMemory.layerMemory)
      yield* Effect.gen(function* () {
        yield* accept(1)
        yield* wake
        yield* Deferred.await(started)
        yield* Effect.forkDetach(Deferred.succeed(go, undefined))
      }).pipe(Effect.provide(Layer.provideMerge(layer, Layer.succeedContext(memory))))
      assert.deepStrictEqual(done, [1])
    })
  )

  it.effect("runs a handler exactly once if its writes and the mark are one transaction", () =>
    Effect.gen(function* () {
      const database = Layer.provideMerge(InboxSql.layer, NodeSqliteClient.layer({ filename: ":memory:" }))
      let crashes = 2
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inbox = yield* Inbox
        yield* sql`CREATE TABLE paid (webhook_id INTEGER)`
        const layer = InboxWorker.layer({
          together: sql.withTransaction,
          handle: ({ message }) =>
            Effect.andThen(
              sql`INSERT INTO paid VALUES (${message.webhookId})`,
              crashes-- > 0 ? Effect.fail("after the write") : Effect.void
            )
        }).pipe(Layer.provide(Layer.succeed(Inbox, inbox)))
        yield* Effect.gen(function* () {
          yield* accept(1)
          for (const seconds of [0, 1, 2]) {
            yield* TestClock.adjust(seconds * 1000)
            yield* idle
          }
          assert.deepStrictEqual(yield* sql`SELECT webhook_id FROM paid`.values, [[1]])
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.provide(database))
    })
  )
})
