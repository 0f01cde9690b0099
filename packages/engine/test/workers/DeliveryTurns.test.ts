/** Endpoints that take turns, and tries that are bounded. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { DeliveryLane } from "@parcela/engine/workers/DeliveryLane"
import { DeliveryRecords } from "@parcela/engine/workers/DeliveryRecords"
import { DeliverySignal } from "@parcela/engine/ports/DeliverySignal"
import { DeliveryTries } from "@parcela/engine/workers/DeliveryTries"
import { DeliveryWorker } from "@parcela/engine/workers/DeliveryWorker"
import type { SendResult } from "@parcela/webhooks/WebhookSender"
import { Array, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as World from "../fixtures/World.ts"

/** More endpoints than there are lanes. */
const endpoints = 300

/** As many endpoints of a company as are asked for, each with so many deliveries that are due, of a transaction each. */
const backlog = Effect.fnUntraced(function* (count: number, deliveries: number) {
  const sql = yield* SqlClient.SqlClient
  const company = yield* World.company()
  yield* World.listen(company)
  const [own] = yield* World.rows("webhook_endpoints")
  const { id: _, ...row } = own!
  const others = Array.makeBy(count - 1, (index) => ({ ...row, is_default: 0, url: `https://${index}.example/` }))
  if (others.length > 0) yield* sql`INSERT INTO webhook_endpoints ${sql.insert(others as never)}`
  const ids = (yield* sql<{ id: number }>`SELECT id FROM webhook_endpoints ORDER BY id`).map(({ id }) => Number(id))
  const due = ids.flatMap((endpoint_id) =>
    Array.makeBy(deliveries, (index) => ({
      company_id: company,
      endpoint_id,
      event: "transaction.updateStatus",
      transaction_id: index + 1,
      created_at: World.start,
      state: "pending",
      tries: 0,
      due_at: World.start,
      waits_since: World.start
    }))
  )
  yield* sql.withTransaction(
    Effect.andThen(
      Effect.forEach(Array.chunksOf(due, 500), (rows) => sql`INSERT INTO deliveries ${sql.insert(rows)}`),
      sql`INSERT INTO delivery_payloads (webhook_id, payload) SELECT webhook_id, '{}' FROM deliveries`
    )
  )
  return ids
})

/** Turns until every endpoint had one; or so many that one of them never will. */
const turnsUntilAll = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, processes: number) {
  const turns: Array<number> = []
  const all = yield* Deferred.make<void>()
  // What is due stays due: the lanes do nothing but take turns.
  const lane = Layer.succeed(DeliveryLane, {
    underWay: Effect.succeed(0),
    drive: (id) =>
      Effect.gen(function* () {
        turns.push(id)
        if (new Set(turns).size === ids.length || turns.length > 20 * ids.length)
          yield* Deferred.succeed(all, undefined)
        yield* Effect.yieldNow
        return { tried: 1, isCut: true }
      })
  })
  const run = DeliveryWorker.use((worker) => worker.run).pipe(
    Effect.provide(Layer.fresh(DeliveryWorker.layer.pipe(Layer.provide([lane, DeliverySignal.layer]))), { local: true })
  )
  const fibers = yield* Effect.forEach(
    Array.makeBy(processes, () => run),
    (one) => Effect.forkChild(one)
  )
  yield* Deferred.await(all)
  yield* Fiber.interruptAll(fibers)
  return turns
})

describe("more endpoints with deliveries than there are lanes", () => {
  it.effect.each([1, 2])("all come to their turn, with %i processes", (processes) =>
    Effect.gen(function* () {
      const ids = yield* backlog(endpoints, 1)
      const turns = yield* turnsUntilAll(ids, processes)
      assert.deepStrictEqual(
        [...new Set(turns)].toSorted((a, b) => a - b),
        ids
      )
      // No endpoint had a second turn of a process long before the last one had the first.
      assert.isAtMost(turns.length, 2 * processes * endpoints)
    }).pipe(World.inWorld())
  )
})

const accepted: SendResult = { _tag: "Accepted", status: 200 }
const unavailable: SendResult = { _tag: "Refused", status: 503, problem: "The receiver responded with 503" }

/** A lane of one's own, beside those of the engine. */
const ownLane = DeliveryLane.layer.pipe(Layer.provide(DeliveryTries.layer.pipe(Layer.provide(DeliveryRecords.layer))))

describe("an endpoint with many deliveries", () => {
  it.effect("has a turn of four hundred tries, 32 at once, and goes on in the next one", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 1_000)
      const lane = yield* DeliveryLane
      const receiver = yield* World.Receiver
      let underWay = 0
      let most = 0
      receiver.respond = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++underWay)
          yield* Effect.yieldNow
          underWay -= 1
          return { _tag: "Accepted", status: 200 } as const
        })
      const turns = yield* Effect.replicateEffect(lane.drive(id!), 4)
      assert.deepStrictEqual(
        turns.map(({ isCut }) => isCut),
        [true, true, false, false]
      )
      assert.strictEqual(
        turns.reduce((sum, { tried }) => sum + tried, 0),
        1_000
      )
      for (const { tried } of turns) assert.isAtMost(tried, 400 + 32)
      assert.strictEqual(most, 32)
    }).pipe(Effect.provide(ownLane, { local: true }), World.inWorld())
  )

  it.effect(
    "gives back what it leased ahead when the endpoint asks for a pause: nothing of it waits or loses a try",
    () =>
      Effect.gen(function* () {
        const [id] = yield* backlog(1, 400)
        const lane = yield* DeliveryLane
        const sql = yield* SqlClient.SqlClient
        const receiver = yield* World.Receiver
        receiver.respond = () => Effect.succeed(receiver.received.length <= 100 ? accepted : unavailable)
        const { tried } = yield* lane.drive(id!)
        assert.isAtMost(tried, 100 + 32)
        const [left] = yield* sql`
        SELECT count(*) AS "waiting", count(lease) AS "leased", max(tries) AS "tries", max(due_at) AS "due"
        FROM deliveries WHERE endpoint_id = ${id!} AND state = 'pending' AND last_problem IS NULL
      `
        assert.deepStrictEqual({ ...left }, { waiting: 400 - tried, leased: 0, tries: 0, due: World.start })
      }).pipe(Effect.provide(ownLane, { local: true }), World.inWorld())
  )

  it.effect("looks at the endpoint again before it sends what waited for five seconds", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 200)
      const lane = yield* DeliveryLane
      const sql = yield* SqlClient.SqlClient
      const receiver = yield* World.Receiver
      // At the pace of the first ones all others are leased at once.
      receiver.respond = () =>
        receiver.received.length <= 40
          ? Effect.succeed(accepted)
          : Effect.andThen(Effect.sleep("4900 millis"), Effect.as(Effect.sleep("100 millis"), accepted))
      const turn = yield* Effect.forkChild(lane.drive(id!), { startImmediately: true })
      yield* World.passTime("1 second")
      const begun = receiver.received.length
      yield* sql`UPDATE webhook_endpoints SET url = 'https://new.example/'`
      yield* World.passTime("1 minute")
      yield* Fiber.join(turn)
      assert.lengthOf(receiver.received, 200)
      assert.isBelow(begun, 100)
      for (const { url } of receiver.received.slice(begun)) assert.strictEqual(url, "https://new.example/")
    }).pipe(Effect.provide(ownLane, { local: true }), World.inWorld())
  )

  it.effect("sends leased deliveries to the new URL as soon as the company has changed it", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 200)
      const lane = yield* DeliveryLane
      const sql = yield* SqlClient.SqlClient
      const receiver = yield* World.Receiver
      const [own] = yield* World.rows("webhook_endpoints")
      // At the pace of the first 40 all others are leased at once.
      receiver.respond = () =>
        receiver.received.length <= 40 ? Effect.succeed(accepted) : Effect.as(Effect.sleep("100 millis"), accepted)
      const turn = yield* Effect.forkChild(lane.drive(id!), { startImmediately: true })
      yield* World.passTime("50 millis")
      const sent = receiver.received.length
      const [leases] = yield* sql<{ count: number }>`
        SELECT count(lease) AS "count" FROM deliveries WHERE endpoint_id = ${id!} AND state = 'pending'`
      assert.strictEqual(Number(leases!.count), 160, "all that are left are leased")
      yield* World.listen(CompanyId.make(Number(own!["company_id"])), undefined, "https://new.example/")
      yield* World.passTime("1 second")
      yield* Fiber.join(turn)
      assert.lengthOf(receiver.received, 200)
      assert.isBelow(sent, 100)
      for (const { url } of receiver.received.slice(sent)) assert.strictEqual(url, "https://new.example/")
    }).pipe(Effect.provide(ownLane, { local: true }), World.inWorld())
  )
})

describe("a process", () => {
  it.effect("makes 512 tries at once, and the others when there is room", () =>
    Effect.gen(function* () {
      const ids = yield* backlog(20, 32)
      const receiver = yield* World.Receiver
      const mayEnd = yield* Deferred.make<void>()
      let underWay = 0
      let most = 0
      receiver.respond = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++underWay)
          yield* Deferred.await(mayEnd)
          underWay -= 1
          return { _tag: "Accepted", status: 200 } as const
        })
      const worker = yield* DeliveryWorker
      const delivering = yield* Effect.forkChild(worker.deliverDue)
      const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* Effect.repeat(turn, { until: () => underWay >= 512 })
      for (let count = 0; count < 20; count++) yield* turn
      yield* Deferred.succeed(mayEnd, undefined)
      assert.strictEqual(yield* Fiber.join(delivering), ids.length * 32)
      assert.strictEqual(most, 512)
    }).pipe(World.inWorld())
  )
})
