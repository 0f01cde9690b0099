import { assert, describe, it } from "@effect/vitest"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import type { WorkKind } from "@parcela/engine/ports/DueWork"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"
import * as Backlog from "./fixtures/Backlog.ts"
import { changeStatus } from "./fixtures/Statuses.ts"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const rowsOf = Effect.fnUntraced(function* (kind: WorkKind) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT subject FROM due_work WHERE kind = ${kind}`).length
})

const waiting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rows: number }>`SELECT count(*) AS "rows" FROM deliveries WHERE state = 'pending'`
  return Number(row!.rows)
})

const parts = Effect.fnUntraced(function* (kind: WorkKind, count: number) {
  const worker = yield* DueWorker
  return yield* worker.runOnce(kind, count)
})

/** Works on a kind until nothing of it is left. */
const all = Effect.fnUntraced(function* (kind: WorkKind) {
  while ((yield* rowsOf(kind)) > 0) yield* parts(kind, 1)
})

/** Runs an effect as a process that is killed when it has done a part, and before it ends the part's own row. */
const killedBeforeEnd = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const kill: Statement.Transformer = (statement) =>
    /DELETE FROM\s+due_work\s+WHERE/.test(statement.compile()[0]) ? Effect.interrupt : Effect.succeed(statement)
  return Effect.exit(Effect.provideService(effect, Statement.CurrentTransformer, kill))
}

describe("a subscription whose payments are paused or resumed", () => {
  const kind = "follow subscription"

  it.effect("schedules one job, which changes a hundred payments per run", () =>
    Effect.gen(function* () {
      // One more is due far ahead: see `Backlog`.
      const { company } = yield* Backlog.duePayments(249)
      yield* changeStatus(company, "stopped")
      assert.deepStrictEqual([yield* rowsOf(kind), yield* rowsOf("send payment")], [1, 250])
      for (const left of [150, 50, 0]) {
        assert.strictEqual(yield* parts(kind, 1), 1)
        assert.strictEqual(yield* rowsOf("send payment"), left)
      }
      assert.strictEqual(yield* rowsOf(kind), 0)
      yield* changeStatus(company, "active")
      for (const scheduled of [100, 200, 250]) {
        assert.strictEqual(yield* parts(kind, 1), 1)
        assert.strictEqual(yield* rowsOf("send payment"), scheduled)
      }
      assert.strictEqual(yield* rowsOf(kind), 0)
    }).pipe(World.inWorld())
  )

  it.effect("changes all payments although a crash interrupts the job between two parts", () =>
    Effect.gen(function* () {
      const { company } = yield* Backlog.duePayments(150)
      yield* changeStatus(company, "stopped")
      yield* killedBeforeEnd(parts(kind, 1))
      // The part, which is leased yet, and the next one.
      assert.deepStrictEqual([yield* rowsOf(kind), yield* rowsOf("send payment")], [2, 51])
      yield* World.passTime("61 seconds")
      yield* World.inAnotherProcess(all(kind))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* rowsOf("send payment")], [0, 0])
    }).pipe(World.inWorld())
  )

  it.effect("sends no paused payment before the job has changed it", () =>
    Effect.gen(function* () {
      const { company } = yield* Backlog.duePayments(3)
      yield* changeStatus(company, "stopped")
      yield* parts("send payment", 9)
      assert.deepStrictEqual(yield* World.ledger, [])
      yield* changeStatus(company, "active")
      yield* all(kind)
      yield* parts("send payment", 9)
      assert.lengthOf(yield* World.ledger, 3)
    }).pipe(World.inWorld())
  )

  it.effect("applies the last change, although an earlier job still runs and two processes run jobs", () =>
    Effect.gen(function* () {
      const { company } = yield* Backlog.duePayments(249)
      yield* changeStatus(company, "stopped")
      yield* parts(kind, 1)
      yield* changeStatus(company, "active")
      // The rest of the first change, and the second one from its beginning.
      assert.strictEqual(yield* rowsOf(kind), 2)
      while ((yield* rowsOf(kind)) > 0) {
        yield* Effect.all([parts(kind, 2), World.inAnotherProcess(parts(kind, 2))], { concurrency: "unbounded" })
      }
      assert.strictEqual(yield* rowsOf("send payment"), 250)
    }).pipe(World.inWorld())
  )
})

describe("an endpoint that unsubscribes from events", () => {
  const kind = "abandon deliveries"

  const waitingDeliveries = Effect.fnUntraced(function* (count: number) {
    const company = yield* World.company()
    yield* World.listen(company)
    yield* World.subscribeByCard(company, Samples.cards.captured)
    yield* World.pay(company, "p", { payday: "2099-01-01" })
    yield* Backlog.dueDeliveries(count - 1)
    yield* all(kind)
    assert.strictEqual(yield* waiting, count)
    return company
  })

  it.effect("schedules one job, which abandons pending deliveries five hundred at a time", () =>
    Effect.gen(function* () {
      const company = yield* waitingDeliveries(1_100)
      yield* World.listen(company, ["transaction.updateStatus"])
      assert.deepStrictEqual([yield* rowsOf(kind), yield* waiting], [1, 1_100])
      for (const left of [600, 100, 0]) {
        assert.strictEqual(yield* parts(kind, 1), 1)
        assert.strictEqual(yield* waiting, left)
      }
      assert.strictEqual(yield* rowsOf(kind), 0)
    }).pipe(World.inWorld())
  )

  it.effect("abandons all unwanted deliveries although a crash interrupts the job between two parts", () =>
    Effect.gen(function* () {
      const company = yield* waitingDeliveries(600)
      yield* World.listen(company, [])
      yield* killedBeforeEnd(parts(kind, 1))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* waiting], [2, 100])
      yield* World.passTime("61 seconds")
      yield* World.inAnotherProcess(all(kind))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* waiting], [0, 0])
    }).pipe(World.inWorld())
  )

  it.effect("receives no unwanted delivery, however many precede a wanted one", () =>
    Effect.gen(function* () {
      const company = yield* waitingDeliveries(40)
      const { received } = yield* World.Receiver
      yield* World.listen(company, ["transaction.updateStatus"])
      yield* World.pay(company, "q")
      assert.strictEqual(yield* Effect.flatMap(DeliveryWorker, (worker) => worker.deliverDue), 1)
      assert.deepStrictEqual(
        received.map(({ body }) => (JSON.parse(body) as { event: string }).event),
        ["transaction.updateStatus"]
      )
      assert.strictEqual(yield* waiting, 0)
    }).pipe(World.inWorld())
  )

  it.effect("retains deliveries of events that are subscribed again before the job runs", () =>
    Effect.gen(function* () {
      const company = yield* waitingDeliveries(600)
      yield* World.listen(company, [])
      yield* parts(kind, 1)
      yield* World.listen(company)
      yield* all(kind)
      assert.strictEqual(yield* waiting, 100)
    }).pipe(World.inWorld())
  )
})
