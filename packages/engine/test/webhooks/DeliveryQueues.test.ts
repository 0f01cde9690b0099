/** Tests of the concurrency of queues and attempts, and of the leases of a queue. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { DeliverySignal } from "@parcela/engine/ports/DeliverySignal"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { DeliveryQueues } from "@parcela/engine/webhooks/DeliveryQueues"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import type { SendResult } from "@parcela/webhooks/WebhookSender"
import { Array, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

/** More endpoints than queues that may run at once. */
const endpoints = 300

/** Creates endpoints of one company, each with due deliveries of different transactions. Returns their numbers. */
const backlog = Effect.fnUntraced(function* (count: number, deliveries: number) {
  const sql = yield* SqlClient.SqlClient
  const company = yield* World.company()
  yield* World.listen(company)
  const [own] = yield* Rows.rows("webhook_endpoints")
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
      created_at: Samples.start,
      state: "pending",
      attempts: 0,
      due_at: Samples.start,
      waits_since: Samples.start
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

/** Runs workers until each endpoint had a run, or until 20 times that many runs. Returns the endpoints in run order. */
const runsUntilAll = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, processes: number) {
  const runs: Array<number> = []
  const all = yield* Deferred.make<void>()
  // Sends nothing, so that all deliveries stay due.
  const queues = Layer.succeed(DeliveryQueues, {
    pending: Effect.succeed(0),
    run: (id) =>
      Effect.gen(function* () {
        runs.push(id)
        if (new Set(runs).size === ids.length || runs.length > 20 * ids.length) yield* Deferred.succeed(all, undefined)
        yield* Effect.yieldNow
        return { attempts: 1, isCut: true }
      })
  })
  const run = DeliveryWorker.use((worker) => worker.run).pipe(
    Effect.provide(Layer.fresh(DeliveryWorker.layer.pipe(Layer.provide([queues, DeliverySignal.layer]))), {
      local: true
    })
  )
  const fibers = yield* Effect.forEach(
    Array.makeBy(processes, () => run),
    (one) => Effect.forkChild(one)
  )
  yield* Deferred.await(all)
  yield* Fiber.interruptAll(fibers)
  return runs
})

describe("a worker with more endpoints than queues that may run at once", () => {
  it.effect.each([1, 2])("runs the queue of each endpoint (%i processes)", (processes) =>
    Effect.gen(function* () {
      const ids = yield* backlog(endpoints, 1)
      const runs = yield* runsUntilAll(ids, processes)
      assert.deepStrictEqual(
        [...new Set(runs)].toSorted((a, b) => a - b),
        ids
      )
      // No process runs a queue a second time long before it runs the last one for the first time.
      assert.isAtMost(runs.length, 2 * processes * endpoints)
    }).pipe(World.inWorld())
  )
})

const accepted: SendResult = { _tag: "Accepted", status: 200 }
const unavailable: SendResult = { _tag: "Refused", status: 503, problem: "The receiver responded with 503" }

describe("the queue of an endpoint with many deliveries", () => {
  it.effect("sends 32 deliveries at once and ends each run after 400", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 1_000)
      const queues = yield* DeliveryQueues
      const receiver = yield* World.Receiver
      let pending = 0
      let most = 0
      receiver.respond = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++pending)
          yield* Effect.yieldNow
          pending -= 1
          return { _tag: "Accepted", status: 200 } as const
        })
      const runs = yield* Effect.replicateEffect(queues.run(id!), 4)
      assert.deepStrictEqual(
        runs.map(({ isCut }) => isCut),
        [true, true, false, false]
      )
      assert.strictEqual(
        runs.reduce((sum, { attempts }) => sum + attempts, 0),
        1_000
      )
      for (const { attempts } of runs) assert.isAtMost(attempts, 400 + 32)
      assert.strictEqual(most, 32)
    }).pipe(Effect.provide(DeliveryQueues.layer, { local: true }), World.inWorld())
  )

  it.effect("leases many deliveries with one commit, and the next batch when half of the slots are free", () =>
    Effect.gen(function* () {
      const leases: Array<{ readonly limit: number; readonly inProgress: number }> = []
      let inProgress = 0
      const counted = Layer.effect(
        Outbox,
        Effect.map(Outbox, (inner) => ({
          ...inner,
          lease: (...[endpointId, request]: Parameters<typeof inner.lease>) => {
            leases.push({ limit: request.limit, inProgress })
            return inner.lease(endpointId, request)
          }
        }))
      ).pipe(Layer.provideMerge(storeOf(inject("store"))))
      yield* Effect.gen(function* () {
        const [id] = yield* backlog(1, 400)
        const queues = yield* DeliveryQueues
        const receiver = yield* World.Receiver
        receiver.respond = () =>
          Effect.suspend(() => {
            inProgress += 1
            return Effect.as(Effect.yieldNow, accepted)
          }).pipe(Effect.ensuring(Effect.sync(() => (inProgress -= 1))))
        assert.strictEqual((yield* queues.run(id!)).attempts, 400)
        assert.deepStrictEqual(
          leases.map(({ limit }) => limit),
          [32, 256, 112]
        )
        for (const lease of leases) assert.isAtMost(lease.inProgress, 16)
      }).pipe(Effect.provide(DeliveryQueues.layer, { local: true }), World.inWorld({ store: counted }))
    })
  )

  it.effect("gives back leased deliveries when the endpoint requests a pause, without a delay or a lost attempt", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 400)
      const queues = yield* DeliveryQueues
      const sql = yield* SqlClient.SqlClient
      const receiver = yield* World.Receiver
      receiver.respond = () => Effect.succeed(receiver.received.length <= 100 ? accepted : unavailable)
      const { attempts } = yield* queues.run(id!)
      assert.isAtMost(attempts, 100 + 32)
      const [left] = yield* sql`
        SELECT count(*) AS "waiting", count(lease) AS "leased", max(attempts) AS "attempts", max(due_at) AS "due"
        FROM deliveries WHERE endpoint_id = ${id!} AND state = 'pending' AND last_problem IS NULL
      `
      assert.deepStrictEqual({ ...left }, { waiting: 400 - attempts, leased: 0, attempts: 0, due: Samples.start })
    }).pipe(Effect.provide(DeliveryQueues.layer, { local: true }), World.inWorld())
  )

  it.effect("loads the endpoint again before it sends deliveries that were leased five seconds ago", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 200)
      const queues = yield* DeliveryQueues
      const sql = yield* SqlClient.SqlClient
      const receiver = yield* World.Receiver
      // The first deliveries are so fast that all others are leased with one commit.
      receiver.respond = () =>
        receiver.received.length <= 40
          ? Effect.succeed(accepted)
          : Effect.andThen(Effect.sleep("4900 millis"), Effect.as(Effect.sleep("100 millis"), accepted))
      const run = yield* Effect.forkChild(queues.run(id!), { startImmediately: true })
      yield* World.passTime("1 second")
      const started = receiver.received.length
      yield* sql`UPDATE webhook_endpoints SET url = 'https://new.example/'`
      yield* World.passTime("1 minute")
      yield* Fiber.join(run)
      assert.lengthOf(receiver.received, 200)
      assert.isBelow(started, 100)
      for (const { url } of receiver.received.slice(started)) assert.strictEqual(url, "https://new.example/")
    }).pipe(Effect.provide(DeliveryQueues.layer, { local: true }), World.inWorld())
  )

  it.effect("sends leased deliveries to the new URL as soon as the company has changed it", () =>
    Effect.gen(function* () {
      const [id] = yield* backlog(1, 200)
      const queues = yield* DeliveryQueues
      const sql = yield* SqlClient.SqlClient
      const receiver = yield* World.Receiver
      const [own] = yield* Rows.rows("webhook_endpoints")
      // The first deliveries are so fast that all others are leased with one commit.
      receiver.respond = () =>
        receiver.received.length <= 40 ? Effect.succeed(accepted) : Effect.as(Effect.sleep("100 millis"), accepted)
      const run = yield* Effect.forkChild(queues.run(id!), { startImmediately: true })
      yield* World.passTime("50 millis")
      const sent = receiver.received.length
      const [leases] = yield* sql<{ count: number }>`
        SELECT count(lease) AS "count" FROM deliveries WHERE endpoint_id = ${id!} AND state = 'pending'`
      assert.isAbove(Number(leases!.count), 100, "most deliveries are leased before the change")
      yield* World.listen(CompanyId.make(Number(own!["company_id"])), undefined, "https://new.example/")
      yield* World.passTime("1 second")
      yield* Fiber.join(run)
      assert.lengthOf(receiver.received, 200)
      assert.isBelow(sent, 100)
      for (const { url } of receiver.received.slice(sent)) assert.strictEqual(url, "https://new.example/")
    }).pipe(Effect.provide(DeliveryQueues.layer, { local: true }), World.inWorld())
  )
})

describe("a process", () => {
  it.effect("makes at most 512 attempts at once", () =>
    Effect.gen(function* () {
      const ids = yield* backlog(20, 32)
      const receiver = yield* World.Receiver
      const mayEnd = yield* Deferred.make<void>()
      let pending = 0
      let most = 0
      receiver.respond = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++pending)
          yield* Deferred.await(mayEnd)
          pending -= 1
          return { _tag: "Accepted", status: 200 } as const
        })
      const worker = yield* DeliveryWorker
      const delivering = yield* Effect.forkChild(worker.deliverDue)
      const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* Effect.repeat(tick, { until: () => pending >= 512 })
      for (let count = 0; count < 20; count++) yield* tick
      yield* Deferred.succeed(mayEnd, undefined)
      assert.strictEqual(yield* Fiber.join(delivering), ids.length * 32)
      assert.strictEqual(most, 512)
    }).pipe(World.inWorld())
  )
})
