import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { Deferred, Duration, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Delivery } from "../src/Delivery.ts"
import { Inbox, type InboxEntry, InboxError } from "../src/Inbox.ts"
import * as InboxMemory from "../src/InboxMemory.ts"
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

/** Stores a delivery by the worker, which may have it handled at once. */
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

/** A worker over an inbox of its own, and the deliveries that it handled. */
const worker = <E = never>(
  options: Partial<InboxWorker.InboxWorkerOptions<E, never>> = {},
  inbox: Layer.Layer<Inbox> = InboxMemory.layer
) => {
  const seen: Array<Delivery> = []
  const layer = InboxWorker.layer({
    // Woken by the tests: a clock that is moved by a day would have it look 86,400 times.
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
  it.effect("handles what was there before it started, and what comes, each once", () =>
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

  it.effect("handles what it accepts without looking for it, but for what waits behind another", () =>
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
        // Its confirmHash stands in another place too: its body is read again.
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

  it.effect("handles no more at once than it may, and what it accepts while it looks for others", () =>
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
      ).pipe(Layer.provide(InboxMemory.layer))
      const { ids, layer } = worker({ concurrency: 8, handle: () => Deferred.await(go) }, slow)
      const turns = Effect.forEach(Array.from({ length: 50 }), () => Effect.yieldNow, { discard: true })
      const counts: Array<number> = []
      yield* Effect.gen(function* () {
        yield* turns
        // It has found nothing so far.
        yield* Deferred.succeed(looked, undefined)
        yield* turns
        looked = yield* Deferred.make<void>()
        yield* accept(1)
        yield* wake
        yield* turns
        for (let id = 2; id <= 12; id++) yield* receive(id)
        yield* turns
        counts.push(ids().length)
        yield* Deferred.succeed(looked, undefined)
        yield* turns
        counts.push(ids().length)
        yield* Deferred.succeed(go, undefined)
        yield* idle
        counts.push(ids().length)
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(counts, [6, 8, 12])
    })
  )

  it.effect("leaves a place to what waits in the inbox, and keeps none for what could not be stored", () =>
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
      ).pipe(Layer.provide(InboxMemory.layer))
      const { ids, layer } = worker(
        { concurrency: 2, handle: ({ message }) => (message.webhookId === 3 ? Effect.void : Deferred.await(go)) },
        failing
      )
      yield* Effect.gen(function* () {
        for (const id of [6, 7, 8]) assert.instanceOf(yield* Effect.flip(receive(id)), InboxError)
        yield* receive(4)
        yield* accept(3)
        yield* receive(5)
        for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow
        assert.deepStrictEqual(ids(), [4, 3, 5])
        yield* Deferred.succeed(go, undefined)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("looks by itself, also when nobody wakes it", () =>
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

  it.effect("tries a failed one again after a wait, before the later ones of its payment and after all others", () =>
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
          seen.slice(2).map(({ message, tries }) => [message.webhookId, tries]),
          [
            [1, 2],
            [2, 1]
          ]
        )
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("waits longer each time, and gives up in the end, which holds the later ones back no more", () =>
    Effect.gen(function* () {
      const { ids, layer } = worker({
        maximumTries: 4,
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

  it.effect("ends the tries of what cannot be read, and of what takes its process down each time, and goes on", () =>
    Effect.gen(function* () {
      const { ids, layer } = worker({ maximumTries: 2 })
      const memory = yield* Layer.build(InboxMemory.layer)
      const lease = Inbox.use((inbox) => inbox.lease({ limit: 1, duration: Duration.minutes(1) }))
      yield* Effect.gen(function* () {
        yield* accept(1)
        // Two processes that leased it and died.
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

  it.effect("does not try a handler's bug again", () =>
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

  it.effect("goes on with others while one hangs, and interrupts that in the end", () =>
    Effect.gen(function* () {
      const hung = yield* Deferred.make<void>()
      const last = yield* Deferred.make<void>()
      const { ids, layer } = worker({
        concurrency: 2,
        handle: ({ message, tries }) => {
          if (message.webhookId === 5) return Effect.asVoid(Deferred.succeed(last, undefined))
          return message.webhookId === 1 && tries === 1
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

  it.effect("aborts the signal of a promise whose handling takes too long", () =>
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

  it.effect("handles no more at once than it may", () =>
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

  it.effect("outlives an inbox that fails for a while", () =>
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
      ).pipe(Layer.provide(InboxMemory.layer))
      const { ids, layer } = worker({ interval: "1 second" }, flaky)
      yield* Effect.gen(function* () {
        yield* accept(1)
        yield* TestClock.adjust("5 seconds")
        yield* idle
        assert.deepStrictEqual(ids(), [1])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("finishes what it is at when it ends", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const done: Array<number> = []
      const { layer } = worker({
        handle: ({ message }) =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(Deferred.await(go)),
            Effect.andThen(Effect.sync(() => void done.push(message.webhookId)))
          )
      })
      const memory = yield* Layer.build(InboxMemory.layer)
      yield* Effect.gen(function* () {
        yield* accept(1)
        yield* wake
        yield* Deferred.await(begun)
        yield* Effect.forkDetach(Deferred.succeed(go, undefined))
      }).pipe(Effect.provide(Layer.provideMerge(layer, Layer.succeedContext(memory))))
      assert.deepStrictEqual(done, [1])
    })
  )

  it.effect("is exactly once for a handler whose writes are one transaction with the mark", () =>
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
