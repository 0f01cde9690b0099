import { assert, describe, it } from "@effect/vitest"
import { forEachStore, type TestStore } from "@parcela/tooling-postgres/Stores"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { atOnce, DueWork, type NewWork } from "@parcela/engine/ports/DueWork"
import { MachineTime } from "@parcela/core/time/Instant"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Array, Clock, Effect, Fiber, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import * as Backlog from "./fixtures/Backlog.ts"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const hangingUrl = "https://hanging.example/"
const liveUrl = "https://live.example/"

/** The number of concurrent deliveries to an endpoint. */
const maxAtOnce = 32

/** Looks again and again, on the real clock, as a database takes its own time. What starves never comes. */
const until = <E, R>(holds: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.andThen(Effect.sleep("5 millis"), holds), { until: (held) => held })

/** 10,000 payments of a company that are held, and 100 of another that cannot be read. */
const heldAndUnreadable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const held = yield* Backlog.duePayments(10_000)
  yield* Backlog.stop(held.company)
  const unreadable = yield* Backlog.duePayments(100)
  yield* sql`UPDATE transactions SET data = '[]' WHERE company_id = ${unreadable.company}`
})

/** A company with one payment, which is due last of all. */
const dueLast = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const live = yield* Backlog.duePayments(1)
  const [last] = yield* sql<{ at: number }>`
    SELECT max(due_at) AS at FROM due_work WHERE due_at <= ${yield* Clock.currentTimeMillis}
  `
  yield* sql`UPDATE due_work SET due_at = ${last!.at + 1} WHERE subject = ${String(live.ids[0])}`
  const isSent = Effect.map(World.ledger, (charges) =>
    charges.some(({ transactionId }) => transactionId === live.ids[0])
  )
  return { company: live.company, isSent, subject: String(live.ids[0]) }
})

/** 10,000 deliveries that are due to an endpoint that never responds. */
const hangingDeliveries = Effect.gen(function* () {
  const { hanging } = yield* World.Receiver
  const company = yield* World.company()
  yield* World.listen(company, undefined, hangingUrl)
  yield* World.subscribeByCard(company, Samples.cards.captured)
  yield* World.pay(company, "h", { payday: "2099-01-01" })
  yield* Backlog.dueDeliveries(10_000)
  hanging.add(hangingUrl)
})

/** The number of deliveries that an address received. */
const taken = (url: string) =>
  Effect.map(World.Receiver, ({ received }) => received.filter((delivery) => delivery.url === url).length)

const isDelivered = Effect.map(taken(liveUrl), (count) => count > 0)

const dueOf = Effect.fnUntraced(function* (company: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rows: number }>`
    SELECT count(*) AS "rows" FROM due_work WHERE company_id = ${company} AND quarantined_at IS NULL
  `
  return row!.rows
})

type World = Layer.Success<ReturnType<typeof World.world>>

/** The order in which work was begun and quarantined, by its subjects. */
interface Noted {
  readonly begun: Array<string>
  readonly quarantined: Array<string>
}

const noting = (store: TestStore, noted: Noted) =>
  Layer.effect(
    DueWork,
    Effect.map(DueWork, (inner) => ({
      ...inner,
      lease: (request: Parameters<typeof inner.lease>[0]) =>
        Effect.tap(inner.lease(request), (leased) =>
          Effect.sync(() => noted.begun.push(...leased.map(({ subject }) => subject)))
        ),
      quarantine: (...[lease, problem]: Parameters<typeof inner.quarantine>) => {
        noted.quarantined.push(lease.subject)
        return inner.quarantine(lease, problem)
      }
    }))
  ).pipe(Layer.provideMerge(store))

/** As many companies with three payments each, and one company with one that is due after all of these. */
const manyCompanies = Effect.fnUntraced(function* (count: number) {
  const dueWork = yield* DueWork
  const kind = "send payment"
  const work: Array<NewWork> = []
  for (let index = 0; index < count; index++) {
    const companyId = yield* World.company()
    // These payments do not exist, so their jobs are quarantined. That ends them too.
    for (const nth of [1, 2, 3]) {
      work.push({ kind, companyId, subject: `${9_000_000 + work.length}`, ...atOnce(MachineTime.make(nth)) })
    }
  }
  const last = { kind, companyId: yield* World.company(), subject: "9900000", ...atOnce(MachineTime.make(4)) } as const
  for (const chunk of Array.chunksOf([...work, last], 500)) yield* dueWork.schedule(chunk)
  return last.subject
})

/** Two leases of all places of a worker: each of a few companies has had a turn by then. */
const firstRounds = 64

forEachStore(
  (name, store) =>
    void describe(`a backlog of other companies (${name})`, () => {
      /** Runs a test on a store that notes the order of its work. */
      const onStore = <A, E>(test: (noted: Noted) => Effect.Effect<A, E, World>) =>
        Effect.suspend(() => {
          const noted: Noted = { begun: [], quarantined: [] }
          return Effect.provide(test(noted), World.world({ store: noting(store, noted) }), { local: true })
        })

      it.live(
        "sends a payment in the first rounds, past 10,000 leased, 100 unreadable and 100 failing jobs",
        () =>
          onStore(
            Effect.fnUntraced(function* ({ begun }) {
              const worker = yield* DueWorker
              yield* heldAndUnreadable
              const failing = yield* Backlog.duePayments(100)
              const live = yield* dueLast
              const run = Effect.gen(function* () {
                const fiber = yield* Effect.forkChild(worker.run("send payment"), { startImmediately: true })
                yield* until(live.isSent)
                yield* Fiber.interrupt(fiber)
                assert.include(begun.slice(0, firstRounds), live.subject)
              })
              yield* Backlog.whileFailing(failing.company, run)
              assert.strictEqual(yield* dueOf(failing.company), 101, "what fails stays due")
            })
          ),
        60_000
      )

      it.live(
        "delivers an event while 32 deliveries are in progress to a hanging endpoint with 10,000 due deliveries",
        () =>
          onStore(
            Effect.fnUntraced(function* () {
              const worker = yield* DeliveryWorker
              yield* hangingDeliveries
              const live = yield* World.company()
              yield* World.listen(live, undefined, liveUrl)
              yield* World.subscribeByCard(live, Samples.cards.captured)
              const fiber = yield* Effect.forkChild(worker.run, { startImmediately: true })
              yield* until(Effect.map(taken(hangingUrl), (count) => count === maxAtOnce))
              yield* World.pay(live, "p", { payday: "2099-01-01" })
              yield* until(isDelivered)
              assert.strictEqual(yield* taken(hangingUrl), maxAtOnce, "the endpoint that hangs is asked no more")
              yield* Fiber.interrupt(fiber)
            })
          ),
        60_000
      )

      it.live(
        "sends a payment and an event past all of these at the same time",
        () =>
          onStore(
            Effect.fnUntraced(function* ({ begun }) {
              const deliveries = yield* DeliveryWorker
              const worker = yield* DueWorker
              yield* hangingDeliveries
              yield* heldAndUnreadable
              const failing = yield* Backlog.duePayments(100)
              const live = yield* dueLast
              yield* World.listen(live.company, ["subscription.addTransaction"], liveUrl)
              const run = Effect.gen(function* () {
                const fibers = yield* Effect.forEach([deliveries.run, worker.run("send payment")], (work) =>
                  Effect.forkChild(work, { startImmediately: true })
                )
                yield* World.pay(live.company, "q", { payday: "2099-01-01" })
                yield* Effect.all([until(live.isSent), until(isDelivered)], { concurrency: "unbounded" })
                yield* until(Effect.map(taken(hangingUrl), (count) => count === maxAtOnce))
                yield* Fiber.interruptAll(fibers)
                assert.include(begun.slice(0, firstRounds), live.subject)
              })
              yield* Backlog.whileFailing(failing.company, run)
              assert.strictEqual(yield* dueOf(failing.company), 101, "what fails stays due")
              assert.strictEqual(yield* taken(hangingUrl), maxAtOnce, "the endpoint that hangs is asked no more")
            })
          ),
        60_000
      )

      it.live(
        "serves every company before any other company a second time, however many there are",
        () =>
          onStore(
            Effect.fnUntraced(function* ({ quarantined }) {
              const worker = yield* DueWorker
              const last = yield* manyCompanies(600)
              const fiber = yield* Effect.forkChild(worker.run("send payment"), { startImmediately: true })
              yield* until(Effect.sync(() => quarantined.includes(last)))
              yield* Fiber.interrupt(fiber)
              // A company has one turn before it. Those that are in work when it comes may be begun twice.
              assert.isBelow(quarantined.indexOf(last), 600 + 64)
            })
          ).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
        60_000
      )
    }),
  // PostgreSQL with `npm run prove -- outages`.
  inject("prove").long ? ["SQLite in a file", "PostgreSQL"] : ["SQLite in a file"]
)
