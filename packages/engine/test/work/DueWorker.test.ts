import { assert, describe, it } from "@effect/vitest"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { atOnce, DueWork, type LeaseRequest } from "@parcela/engine/ports/DueWork"
import { Recovery } from "@parcela/engine/work/Recovery"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { MachineTime } from "@parcela/core/time/Instant"
import { storeOf } from "@parcela/tooling-postgres/Stores"
import { Clock, Effect, Fiber, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Backlog from "../fixtures/Backlog.ts"
import { changeStatus } from "../fixtures/Statuses.ts"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, RequestLost, Slow } = World

const work = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{
    kind: string
    subject: string
    failures: number
    last_problem: string | null
    quarantined_at: number
  }>`
    SELECT kind, subject, failures, last_problem, quarantined_at FROM due_work
    WHERE kind NOT LIKE 'delete %' ORDER BY kind, due_at, subject`
})

const kinds = Effect.map(work, (rows) => rows.map(({ kind }) => kind))

describe("a job", () => {
  it.effect("is written with its payment, and deleted when the payment is sent", () =>
    Effect.gen(function* () {
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "now")
      assert.deepStrictEqual(yield* kinds, [])
      yield* World.pay(company, "later", { payday: Samples.tomorrow })
      assert.deepStrictEqual(yield* kinds, ["send payment"])
      yield* World.retry(company, "later")
      assert.deepStrictEqual(yield* kinds, [])
    }).pipe(World.inWorld())
  )

  it.effect("exists for an attempt without an outcome until the outcome is recorded", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* plan.next("charge", RequestLost())
      yield* World.pay(company, "p")
      assert.deepStrictEqual(yield* kinds, ["resolve attempt"])
      yield* World.passTime("60 seconds")
      yield* recovery.runDueWork
      assert.deepStrictEqual(yield* kinds, [])
    }).pipe(World.inWorld())
  )

  it.effect("of a stopped subscription is cancelled, and scheduled again after reactivation", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      yield* World.pay(company, "q", { payday: "2026-09-23" })
      yield* changeStatus(company, "stopped")
      yield* World.passTime("1 day")
      assert.strictEqual(yield* recovery.runDueWork, 0)
      assert.deepStrictEqual(yield* kinds, [])
      yield* changeStatus(company, "active")
      assert.strictEqual(yield* recovery.runDueWork, 1)
      assert.deepStrictEqual(
        [(yield* Rows.transaction("p")).status, (yield* Rows.transaction("q")).status],
        ["captured", "notSend"]
      )
    }).pipe(World.inWorld())
  )

  it.effect("that fails is repeated after growing delays until it succeeds", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* plan.next("charge", RequestLost())
      yield* World.pay(company, "p")
      yield* plan.next("lookup", ...Array.from({ length: 9 }, () => ResponseLost()))
      yield* World.passTime("60 seconds")
      let reads = 0
      for (let second = 0; second < 300; second++) {
        reads += yield* recovery.runDueWork
        yield* World.passTime("1 second")
      }
      // 5, 10, 20, 40, 80 and 160 seconds at most, and half of that at least.
      assert.isAtLeast(reads, 6)
      assert.isAtMost(reads, 8)
      yield* World.passTime("1 hour")
      for (let again = 0; again < 9; again++) {
        yield* recovery.runDueWork
        yield* World.passTime("5 minutes")
      }
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("with a broken row is quarantined with its problem, and runs after repair and release", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const dueWork = yield* DueWork
      const sql = yield* SqlClient.SqlClient
      const recovery = yield* Recovery
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      const [row] = yield* sql<{ id: number; data: string }>`SELECT id, data FROM transactions`
      yield* sql`UPDATE transactions SET data = '[]'`
      yield* World.passTime("1 day")
      assert.strictEqual(yield* recovery.runDueWork, 1)
      yield* World.passTime("1 day")
      assert.strictEqual(yield* recovery.runDueWork, 0)
      const [quarantined] = yield* dueWork.listQuarantined(10)
      assert.deepInclude(quarantined, {
        kind: "send payment",
        companyId: company,
        problem: "A row of transactions cannot be read"
      })
      yield* sql`UPDATE transactions SET data = ${row!.data}`
      const now = MachineTime.make(yield* Clock.currentTimeMillis)
      assert.isTrue(yield* dueWork.release("send payment", String(row!.id), now))
      assert.strictEqual(yield* recovery.runDueWork, 1)
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
    }).pipe(World.inWorld())
  )
})

describe("the worker of one kind of jobs", () => {
  it.effect("runs without pauses while jobs are due, although the payments of one company hang", () =>
    Effect.gen(function* () {
      yield* Backlog.duePayments(20)
      const live = yield* Backlog.duePayments(60)
      const plan = yield* World.faults
      const worker = yield* DueWorker
      const sql = yield* SqlClient.SqlClient
      yield* plan.next("charge", ...Array.from({ length: 8 }, () => Slow({ delay: World.minutes(5) })))
      yield* sql`UPDATE due_work SET due_at = ${Samples.start + 1_000} WHERE company_id = ${live.company}`
      const fiber = yield* Effect.forkChild(worker.run("send payment"), { startImmediately: true })
      const charged = Effect.map(World.ledger, (charges) => charges.length)
      yield* untilTicks(Effect.map(charged, (count) => count === 8))
      // From here on no time passes: what is due is done without a rest.
      yield* World.passTime("1 second")
      yield* untilTicks(Effect.map(charged, (count) => count === 8 + live.ids.length))
      yield* Fiber.interrupt(fiber).pipe(Effect.forkChild({ startImmediately: true }))
      yield* World.passTime("5 minutes")
    }).pipe(World.inWorld())
  )

  it.effect("continues after the clock is set back: no lease or delay lasts longer than planned", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      const worker = yield* DueWorker
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* plan.next("charge", RequestLost())
      yield* World.pay(company, "p")
      const { clock, setBack } = yield* settable
      const fiber = yield* worker
        .run("resolve attempt")
        .pipe(Effect.provideService(Clock.Clock, clock), Effect.forkChild({ startImmediately: true }))
      yield* World.passTime("2 seconds")
      setBack(3_600_000)
      for (let second = 0; second < 65; second++) {
        yield* World.passTime("1 second")
        yield* tick
      }
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      yield* Fiber.interrupt(fiber)
    }).pipe(World.inWorld())
  )

  it.effect("passes a bounded number of companies to the store, and serves all companies", () =>
    Effect.suspend(() => {
      let longest = 0
      const store = Layer.effect(
        DueWork,
        Effect.map(DueWork, (inner) => ({
          ...inner,
          lease: (request: LeaseRequest) => {
            longest = Math.max(longest, request.except.length)
            return inner.lease(request)
          }
        }))
      ).pipe(Layer.provideMerge(storeOf("SQLite in memory")))
      return Effect.gen(function* () {
        const dueWork = yield* DueWork
        const sql = yield* SqlClient.SqlClient
        const worker = yield* DueWorker
        const due = atOnce(MachineTime.make(Samples.start))
        for (let index = 0; index < 700; index++) {
          const companyId = yield* World.company()
          // This payment does not exist, so its job is quarantined. That ends it too.
          yield* dueWork.schedule([{ kind: "send payment", companyId, subject: String(9_000_000 + index), ...due }])
        }
        const fiber = yield* Effect.forkChild(worker.run("send payment"), { startImmediately: true })
        const quarantined = sql<{
          rows: number
        }>`SELECT count(*) AS "rows" FROM due_work WHERE quarantined_at IS NOT NULL`
        yield* untilTicks(Effect.map(quarantined, ([row]) => Number(row!.rows) === 700))
        yield* Fiber.interrupt(fiber)
        assert.isAtLeast(longest, 400)
        assert.isAtMost(longest, 510)
      }).pipe(World.inWorld({ store }), Effect.provideService(References.MinimumLogLevel, "None"))
    })
  )

  it.effect("does not start a job whose lease expired before the start", () =>
    Effect.suspend(() => {
      const store = Layer.effect(
        DueWork,
        Effect.map(DueWork, (inner) => ({
          ...inner,
          lease: (request: LeaseRequest) => Effect.tap(inner.lease(request), () => TestClock.adjust("61 seconds"))
        }))
      ).pipe(Layer.provideMerge(storeOf("SQLite in memory")))
      return Effect.gen(function* () {
        yield* Backlog.duePayments(3)
        const recovery = yield* Recovery
        assert.strictEqual(yield* recovery.runDueWork, 0)
        assert.deepStrictEqual(yield* World.ledger, [])
      }).pipe(World.inWorld({ store }))
    })
  )

  it.effect("is the recorded actor of jobs that a request runs", () =>
    Effect.gen(function* () {
      const causes: Array<string | undefined> = []
      const noting = Layer.effect(
        DueWork,
        Effect.map(DueWork, (inner) => ({
          ...inner,
          postpone: (...[lease, next]: Parameters<typeof inner.postpone>) =>
            Effect.flatMap(Origin, ({ cause }) => {
              causes.push(cause?._tag)
              return inner.postpone(lease, next)
            })
        }))
      )
      yield* Effect.gen(function* () {
        const worker = yield* DueWorker
        const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
        yield* plan.next("charge", RequestLost())
        yield* World.pay(company, "p")
        yield* plan.next("lookup", ResponseLost())
        yield* World.passTime("60 seconds")
        causes.length = 0
        yield* Effect.provideService(worker.runOnceFor(company, "resolve attempt", 9), Origin, {
          actor: { _tag: "Client", clientId: "shop" },
          cause: { _tag: "Request" }
        })
        assert.deepStrictEqual(causes, ["DueWork"])
      }).pipe(World.inWorld({ store: Layer.provideMerge(noting, storeOf("SQLite in memory")) }))
    })
  )

  it.effect("releases at once the leases of a caller that disconnected, and runs each job once", () =>
    Effect.gen(function* () {
      const worker = yield* DueWorker
      const sql = yield* SqlClient.SqlClient
      // More than are done while a slow machine looks whether any is leased.
      const { company, ids } = yield* Backlog.duePayments(200)
      const leased = sql<{ rows: number }>`SELECT count(*) AS "rows" FROM due_work WHERE lease IS NOT NULL`
      const fiber = yield* Effect.forkChild(worker.runOnceFor(company, "send payment", 500), {
        startImmediately: true
      })
      yield* untilTicks(Effect.map(leased, ([row]) => Number(row!.rows) > 0))
      yield* Fiber.interrupt(fiber)
      assert.isBelow((yield* World.ledger).length, ids.length)
      // No time passes.
      yield* worker.runOnceFor(company, "send payment", 500)
      assert.lengthOf(yield* World.ledger, ids.length)
      assert.deepStrictEqual(yield* leased, [{ rows: 0 }])
    }).pipe(World.inWorld())
  )

  it.effect("continues after a store failure", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const worker = yield* DueWorker
      const { ids } = yield* Backlog.duePayments(3)
      yield* sql`ALTER TABLE due_work RENAME TO elsewhere`
      const fiber = yield* Effect.forkChild(worker.run("send payment"), { startImmediately: true })
      yield* World.passTime("1 second")
      yield* sql`ALTER TABLE elsewhere RENAME TO due_work`
      // The longest that a worker waits for a store.
      yield* World.passTime("15 seconds")
      yield* untilTicks(Effect.map(World.ledger, (charges) => charges.length === ids.length))
      yield* Fiber.interrupt(fiber)
    }).pipe(World.inWorld())
  )
})

/** The test's clock, which can be set back like a machine's. Sleeping fibers do not sleep longer. */
const settable = Effect.map(Clock.Clock, (test) => {
  let behind = 0
  const clock: Clock.Clock = {
    ...test,
    sleep: (duration) => test.sleep(duration),
    currentTimeMillisUnsafe: () => test.currentTimeMillisUnsafe() - behind,
    currentTimeMillis: Effect.map(test.currentTimeMillis, (now) => now - behind)
  }
  return { clock, setBack: (millis: number) => void (behind = millis) }
})

const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Gives the workers turns of the event loop, and no time, until something holds. */
const untilTicks = Effect.fnUntraced(function* <E, R>(holds: Effect.Effect<boolean, E, R>) {
  for (let ticks = 0; ticks < 5_000; ticks++) {
    if (yield* holds) return
    yield* tick
  }
  assert.fail("it did not come to hold")
})
