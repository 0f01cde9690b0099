/**
 * Tests of replays of deliveries: commands start them, and the port `WebhookReplays` continues them.
 */
import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { Sequences } from "@parcela/engine/ports/Sequences"
import { type WebhookReplay, WebhookReplays } from "@parcela/engine/ports/WebhookReplays"
import { Effect, Option } from "effect"
import { storedCompany, storedEndpoint, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { look, putEndpoint, recordAttempt, write, writeDeliveries } from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const made = { startedAt: minute(0), duration: 12, status: 500, problem: "down" }

const suite = (name: string, layer: StoreLayer): void =>
  void describe(`WebhookReplays (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    /** Dead letters of one endpoint, one of each of these transactions; `begin` writes a replay of them. */
    const setUp = Effect.fnUntraced(function* (of: ReadonlyArray<number>) {
      const outbox = yield* Outbox
      const replays = yield* WebhookReplays
      const sequences = yield* Sequences
      const { id: companyId } = yield* storedCompany
      const { id: endpointId, url } = yield* storedEndpoint(companyId)
      yield* writeDeliveries(
        of.map((transactionId) => ({
          companyId,
          endpointId,
          event: "transaction.updateStatus",
          transactionId: SvcPayId.make(transactionId),
          payload: "{}",
          createdAt: minute(0)
        }))
      )
      const lease = (at: number) =>
        outbox.lease(endpointId, { owner: "one", now: minute(at), until: minute(at + 1), limit: 99 })
      const leased = yield* lease(0)
      yield* Effect.forEach(leased, (one) =>
        recordAttempt(one, { _tag: "Abandoned", at: minute(1), problem: "down" }, made)
      )
      const ids = leased.map(({ webhookId }) => webhookId)
      const begin = Effect.fnUntraced(function* (changes: Partial<WebhookReplay> = {}) {
        const replay: WebhookReplay = {
          id: yield* sequences.next("replay"),
          companyId,
          filter: { state: "abandoned" },
          upTo: ids.at(-1) ?? 0,
          after: 0,
          replayed: 0,
          isDone: false,
          createdAt: minute(2),
          ...changes
        }
        yield* write(companyId, { changes: [{ table: "webhook_replays", next: replay }] })
        return replay
      })
      return { begin, companyId, ids, lease, replays, url }
    })

    it.effect("stores the request, and a load returns it with the number of the latest delivery", () =>
      Effect.gen(function* () {
        const { begin, companyId, ids, replays } = yield* setUp([1, 2])
        const filter = {
          state: "delivered",
          endpointId: 3,
          event: "transaction.updateStatus",
          transactionId: 7,
          from: minute(1),
          to: minute(2)
        } as const
        const requested = yield* begin({ filter })
        assert.deepStrictEqual(yield* replays.find(requested.id), Option.some(requested))
        const other = yield* begin({ filter: { state: "abandoned", event: undefined } })
        assert.deepStrictEqual(yield* replays.find(other.id), Option.some({ ...other, filter: { state: "abandoned" } }))
        assert.deepStrictEqual(yield* replays.find(0), Option.none())
        const { found } = yield* look("newReplay", { companyId, replayId: requested.id })
        assert.deepStrictEqual([found!.replay, found!.latestDelivery], [requested, ids[1]!])
        const stranger = yield* storedCompany
        const theirs = (yield* look("newReplay", { companyId: stranger.id, replayId: requested.id })).found!
        assert.deepStrictEqual([theirs.replay, theirs.latestDelivery], [undefined, 0])
      }).pipe(onEmpty)
    )

    it.effect(
      "makes matching deliveries due in bounded steps, each from the end of the previous one, and stores its progress",
      () =>
        Effect.gen(function* () {
          const { begin, ids, lease, replays } = yield* setUp([1, 2, 3])
          const { id, ...requested } = yield* begin()
          const advanced = Effect.map(replays.advance(id, 2, minute(5)), Option.getOrThrow)
          const half = { ...requested, id, after: ids[1]!, replayed: 2 }
          assert.deepStrictEqual(yield* advanced, { replayed: 2, replay: half })
          assert.deepStrictEqual(yield* replays.find(id), Option.some(half))
          const done = { ...half, after: ids[2]!, replayed: 3, isDone: true }
          assert.deepStrictEqual(yield* advanced, { replayed: 1, replay: done })
          assert.deepStrictEqual(yield* advanced, { replayed: 0, replay: done })
          assert.deepStrictEqual(
            (yield* lease(5)).map(({ webhookId }) => webhookId),
            ids
          )
          assert.deepStrictEqual(yield* replays.advance(0, 2, minute(5)), Option.none())
        }).pipe(onEmpty)
    )

    it.effect("skips deliveries that do not match or are newer than the request, a bounded step at a time", () =>
      Effect.gen(function* () {
        const { begin, ids, lease, replays } = yield* setUp([1, 2, 3])
        const third = yield* begin({ filter: { state: "abandoned", transactionId: 3 } })
        const look = yield* Effect.map(replays.advance(third.id, 2, minute(5)), Option.getOrThrow)
        assert.deepStrictEqual([look.replayed, look.replay.after, look.replay.isDone], [0, ids[1]!, false])
        for (const changes of [
          { filter: { state: "delivered" } },
          { filter: { state: "abandoned", from: minute(1) } },
          { companyId: (yield* storedCompany).id },
          { upTo: ids[0]! - 1 }
        ] as const) {
          const { id } = yield* begin(changes)
          const { replay, replayed } = Option.getOrThrow(yield* replays.advance(id, 9, minute(5)))
          assert.deepStrictEqual([replayed, replay.isDone], [0, true], JSON.stringify(changes))
        }
        assert.deepStrictEqual(yield* lease(5), [])
      }).pipe(onEmpty)
    )

    it.effect("makes no delivery due whose endpoint is no longer subscribed to its event", () =>
      Effect.gen(function* () {
        const { begin, companyId, lease, replays, url } = yield* setUp([1])
        yield* putEndpoint(companyId, { url, events: ["chargeback.update"] }, minute(3))
        const { id } = yield* begin()
        assert.strictEqual(Option.getOrThrow(yield* replays.advance(id, 9, minute(5))).replayed, 0)
        assert.deepStrictEqual(yield* lease(5), [])
      }).pipe(onEmpty)
    )

    it.effect("makes each delivery due once when two processes continue it, and ends", () =>
      Effect.gen(function* () {
        const { begin, ids, replays } = yield* setUp(Array.from({ length: 9 }, (_, index) => index + 1))
        const { id } = yield* begin()
        const steps = yield* Effect.all(
          Array.from({ length: 5 }, () => replays.advance(id, 2, minute(5))),
          { concurrency: "unbounded" }
        )
        const counts = steps.map((step) => Option.getOrThrow(step).replayed)
        assert.deepStrictEqual(
          counts.toSorted((a, b) => b - a),
          [2, 2, 2, 2, 1]
        )
        const { isDone, replayed } = Option.getOrThrow(yield* replays.find(id))
        assert.deepStrictEqual([isDone, replayed], [true, ids.length])
      }).pipe(onEmpty)
    )
  })

forEachStore(suite)
