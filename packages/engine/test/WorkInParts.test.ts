import { assert, describe, it } from "@effect/vitest"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import type { SubscriptionStatus } from "@parcela/core/subscriptions/SubscriptionStatus"
import { DeliveryWorker } from "@parcela/engine/workers/DeliveryWorker"
import { DueWork, type WorkKind } from "@parcela/engine/ports/DueWork"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import { DueWorker } from "@parcela/engine/workers/DueWorker"
import { followingOf } from "@parcela/engine/workers/HeldPayments"
import { Clock, Effect, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import * as Backlog from "./fixtures/Backlog.ts"
import * as World from "./fixtures/World.ts"

/** Changes the status of the subscription "sub" as a command would: with its event, in one unit. */
const change = Effect.fnUntraced(function* (companyId: CompanyId, from: SubscriptionStatus, to: SubscriptionStatus) {
  const dueWork = yield* DueWork
  const subscriptions = yield* Subscriptions
  const unitOfWork = yield* UnitOfWork
  const now = MachineTime.make(yield* Clock.currentTimeMillis)
  yield* unitOfWork.transact(
    Effect.gen(function* () {
      const state = Option.getOrThrow(yield* subscriptions.findForUpdate(companyId, World.ref("sub")))
      yield* subscriptions.update({ ...state, status: to })
      const event = { _tag: "SubscriptionStatusChanged", subscriptionId: state.id, from, to } as const
      yield* dueWork.schedule(followingOf(companyId, [event], now))
    })
  )
})

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

/** Runs an effect as a process that is killed before it writes the row of the next part. */
const killedBeforeNext = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const kill: Statement.Transformer = (statement) =>
    /INSERT INTO\s+due_work/.test(statement.compile()[0]) &&
    statement.compile()[1].some((value) => / after /.test(`${value}`))
      ? Effect.interrupt
      : Effect.succeed(statement)
  return Effect.exit(Effect.provideService(effect, Statement.CurrentTransformer, kill))
}

describe("a subscription whose payments are held back, or let go again", () => {
  const kind = "follow subscription"

  it.effect("is one row of work, which is followed a hundred payments at a time", () =>
    Effect.gen(function* () {
      // One more is due far ahead: see `Backlog`.
      const { company } = yield* Backlog.duePayments(249)
      yield* change(company, "active", "stopped")
      assert.deepStrictEqual([yield* rowsOf(kind), yield* rowsOf("send payment")], [1, 250])
      for (const left of [150, 50, 0]) {
        assert.strictEqual(yield* parts(kind, 1), 1)
        assert.strictEqual(yield* rowsOf("send payment"), left)
      }
      assert.strictEqual(yield* rowsOf(kind), 0)
      yield* change(company, "stopped", "active")
      for (const scheduled of [100, 200, 250]) {
        assert.strictEqual(yield* parts(kind, 1), 1)
        assert.strictEqual(yield* rowsOf("send payment"), scheduled)
      }
      assert.strictEqual(yield* rowsOf(kind), 0)
    }).pipe(World.inWorld())
  )

  it.effect("loses none when a crash comes in the middle of a part", () =>
    Effect.gen(function* () {
      const { company } = yield* Backlog.duePayments(150)
      yield* change(company, "active", "stopped")
      yield* killedBeforeNext(parts(kind, 1))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* rowsOf("send payment")], [1, 151])
      yield* World.passTime("61 seconds")
      yield* World.inAnotherProcess(all(kind))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* rowsOf("send payment")], [0, 0])
    }).pipe(World.inWorld())
  )

  it.effect("sends none that is held before its part is done", () =>
    Effect.gen(function* () {
      const { company } = yield* Backlog.duePayments(3)
      yield* change(company, "active", "stopped")
      yield* parts("send payment", 9)
      assert.deepStrictEqual(yield* World.ledger, [])
      yield* change(company, "stopped", "active")
      yield* all(kind)
      yield* parts("send payment", 9)
      assert.lengthOf(yield* World.ledger, 3)
    }).pipe(World.inWorld())
  )

  it.effect("ends as the last change wants, though an earlier one is still followed and two processes follow", () =>
    Effect.gen(function* () {
      const { company } = yield* Backlog.duePayments(249)
      yield* change(company, "active", "stopped")
      yield* parts(kind, 1)
      yield* change(company, "stopped", "active")
      // The rest of the first change, and the second one from its beginning.
      assert.strictEqual(yield* rowsOf(kind), 2)
      while ((yield* rowsOf(kind)) > 0) {
        yield* Effect.all([parts(kind, 2), World.inAnotherProcess(parts(kind, 2))], { concurrency: "unbounded" })
      }
      assert.strictEqual(yield* rowsOf("send payment"), 250)
    }).pipe(World.inWorld())
  )
})

describe("an endpoint whose events are switched off", () => {
  const kind = "give up deliveries"

  const waitingDeliveries = Effect.fnUntraced(function* (count: number) {
    const company = yield* World.company()
    yield* World.listen(company)
    yield* World.subscribeByCard(company, World.cards.captured)
    yield* World.pay(company, "p", { payday: "2099-01-01" })
    yield* Backlog.dueDeliveries(count - 1)
    yield* all(kind)
    assert.strictEqual(yield* waiting, count)
    return company
  })

  it.effect("is one row of work, which gives up what waits for it five hundred at a time", () =>
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

  it.effect("loses none when a crash comes in the middle of a part", () =>
    Effect.gen(function* () {
      const company = yield* waitingDeliveries(600)
      yield* World.listen(company, [])
      yield* killedBeforeNext(parts(kind, 1))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* waiting], [1, 600])
      yield* World.passTime("61 seconds")
      yield* World.inAnotherProcess(all(kind))
      assert.deepStrictEqual([yield* rowsOf(kind), yield* waiting], [0, 0])
    }).pipe(World.inWorld())
  )

  it.effect("gets none of them, however many stand before what it wants", () =>
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

  it.effect("keeps what is switched on again before its part is done", () =>
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
