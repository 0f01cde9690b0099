import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { Journal } from "@parcela/engine/ports/Journal"
import { Deliveries } from "@parcela/engine/webhooks/Replays"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Array, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { writeDeliveries } from "@parcela/test-world/StoreWrites"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const transactionId = SvcPayId.make(1)

const at = (minutes: number) => MachineTime.make(Samples.start + minutes * 60_000)

/** As after the last try of each. */
const abandonAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE deliveries SET state = 'abandoned', abandoned_at = ${at(0)} WHERE state = 'pending'`
})

/** Dead letters of a company, created one minute apart. */
const deadLetters = Effect.fnUntraced(function* (company: CompanyId, count: number) {
  const endpoints = yield* WebhookEndpoints
  const [endpoint] = yield* endpoints.ofCompany(company)
  yield* writeDeliveries(
    Array.makeBy(count, (index) => ({
      companyId: company,
      endpointId: endpoint!.id,
      event: "transaction.updateStatus" as const,
      transactionId: SvcPayId.make((index % 3) + 1),
      payload: "{}",
      createdAt: at(index)
    }))
  )
  yield* abandonAll
  return endpoint!
})

const listener = Effect.tap(World.company(), (company) => World.listen(company))

const pending = Effect.map(Rows.deliveries, (all) => all.filter(({ state }) => state === "pending").length)
const workOnce = DueWorker.use((worker) => worker.runOnce("replay deliveries", 1))

describe("Deliveries", () => {
  it.effect("runs a replay in steps and returns its progress", () =>
    Effect.gen(function* () {
      const company = yield* listener
      yield* deadLetters(company, 1_100)
      const deliveries = yield* Deliveries
      const { id } = yield* deliveries.replayAll(company, {})
      assert.strictEqual(yield* pending, 0)
      const counts: Array<number> = []
      for (let step = 0; step < 3; step++) {
        assert.strictEqual(yield* workOnce, 1)
        counts.push(Option.getOrThrow(yield* deliveries.findReplay(company, id)).replayed)
      }
      assert.deepStrictEqual(counts, [500, 1_000, 1_100])
      assert.deepInclude(Option.getOrThrow(yield* deliveries.findReplay(company, id)), { isDone: true })
      assert.strictEqual(yield* pending, 1_100)
      assert.strictEqual(yield* workOnce, 0)
    }).pipe(World.inWorld())
  )

  it.effect("continues the replay of a stopped process in another one, and replays nothing twice", () =>
    Effect.gen(function* () {
      const database = yield* World.database
      const [company, id] = yield* Effect.gen(function* () {
        const company = yield* listener
        yield* deadLetters(company, 700)
        const deliveries = yield* Deliveries
        const { id } = yield* deliveries.replayAll(company, {})
        yield* workOnce
        assert.strictEqual(yield* pending, 500)
        return [company, id] as const
      }).pipe(World.inWorld({ database }))
      yield* Effect.gen(function* () {
        yield* World.leasesEnd
        // Abandoned again during the replay: it is not replayed a second time.
        yield* abandonAll
        yield* workOnce
        assert.strictEqual(yield* pending, 200)
        const deliveries = yield* Deliveries
        const replay = Option.getOrThrow(yield* deliveries.findReplay(company, id))
        assert.deepInclude(replay, { isDone: true, replayed: 700 })
      }).pipe(World.inWorld({ database }))
    })
  )

  it.effect("journals the replay of one delivery once, with its client", () =>
    Effect.gen(function* () {
      const company = yield* listener
      const endpoint = yield* deadLetters(company, 1)
      const deliveries = yield* Deliveries
      const [dead] = yield* deliveries.list(company, {})
      const { webhookId } = dead!
      const requested = Effect.provideService(deliveries.replay(company, webhookId), Origin, {
        actor: { _tag: "Client", clientId: "shop" }
      })
      assert.isTrue(yield* requested)
      yield* World.passTime("1 minute")
      assert.isFalse(yield* requested, "it is due already")
      const entries = (yield* (yield* Journal).latest(company, 100)).filter(({ events }) =>
        events.some(({ _tag }) => _tag === "DeliveryReplayed")
      )
      assert.lengthOf(entries, 1)
      assert.deepInclude(entries[0], {
        subject: { kind: "webhook endpoint", id: String(endpoint.id) },
        events: [{ _tag: "DeliveryReplayed", endpointId: endpoint.id, webhookId }],
        origin: { actor: { _tag: "Client", clientId: "shop" } }
      })
    }).pipe(World.inWorld())
  )

  it.effect("journals a replay by filter with its client and its filter", () =>
    Effect.gen(function* () {
      const company = yield* listener
      yield* deadLetters(company, 1)
      const deliveries = yield* Deliveries
      const actor = { _tag: "Client", clientId: "shop" } as const
      const { id } = yield* Effect.provideService(deliveries.replayAll(company, { transactionId }), Origin, { actor })
      yield* workOnce
      const entries = (yield* (yield* Journal).latest(company, 100)).filter(
        ({ subject }) => subject.kind === "webhook replay"
      )
      assert.lengthOf(entries, 1)
      const [entry] = entries
      assert.deepStrictEqual([entry?.subject.id, entry?.origin], [String(id), { actor }])
      assert.deepInclude(entry?.after, { id, filter: { transactionId, state: "abandoned" } })
    }).pipe(World.inWorld())
  )

  it.effect("replays exactly the deliveries that match the filter", () =>
    Effect.gen(function* () {
      const company = yield* listener
      const endpoint = yield* deadLetters(company, 9)
      const deliveries = yield* Deliveries
      const replayed = Effect.fnUntraced(function* (filter: Parameters<typeof deliveries.replayAll>[1]) {
        const { id } = yield* deliveries.replayAll(company, filter)
        yield* workOnce
        return Option.getOrThrow(yield* deliveries.findReplay(company, id)).replayed
      })
      assert.strictEqual(yield* replayed({ event: "chargeback.update" }), 0)
      assert.strictEqual(yield* replayed({ endpointId: endpoint.id + 1 }), 0)
      assert.strictEqual(yield* replayed({ state: "delivered" }), 0)
      assert.strictEqual(yield* replayed({ from: at(7), endpointId: endpoint.id }), 2)
      assert.strictEqual(yield* replayed({ to: at(2) }), 2)
      assert.strictEqual(yield* replayed({ transactionId: 3 }), 2, "the third of that transaction is due already")
      assert.strictEqual(yield* replayed({}), 3)
    }).pipe(World.inWorld())
  )

  it.effect("replays only deliveries of the company from before the request", () =>
    Effect.gen(function* () {
      const company = yield* listener
      yield* deadLetters(company, 2)
      const deliveries = yield* Deliveries
      const { id } = yield* deliveries.replayAll(company, {})
      yield* deadLetters(company, 2)
      const stranger = yield* World.company()
      assert.isTrue(Option.isNone(yield* deliveries.findReplay(stranger, id)))
      yield* workOnce
      assert.deepInclude(Option.getOrThrow(yield* deliveries.findReplay(company, id)), { isDone: true, replayed: 2 })
      assert.strictEqual(yield* pending, 2)
    }).pipe(World.inWorld())
  )
})
