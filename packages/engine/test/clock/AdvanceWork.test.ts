import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { DueWork, type WaitingWork, type WorkKind, type WorkName } from "@parcela/engine/ports/DueWork"
import { Settings } from "@parcela/engine/Settings"
import { makeAdvanceWork } from "@parcela/engine/clock/AdvanceWork"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

const company = CompanyId.make(5)

/** More looks than any of these tests needs. */
const maxReads = 1_000

interface Row extends WorkName {
  /** The jobs that its handler schedules. */
  readonly leadsTo?: ReadonlyArray<Row>
  readonly waitsUntil?: number
  /** No worker gets it. */
  readonly isStuck?: boolean
}

const row = (subject: string, more: Partial<Row> = {}): Row => ({ kind: "follow subscription", subject, ...more })

/** A row that leads to another one, and so on. */
const chain = (name: string, length: number): Row =>
  row(`${name} ${length}`, length === 1 ? {} : { leadsTo: [chain(name, length - 1)] })

/**
 * Runs an advance's work over a table of rows; before each look but the first clients bring more. Returns the subjects of
 * the rows that were worked on, in order.
 */
const workOn = Effect.fnUntraced(function* (
  rows: ReadonlyArray<Row>,
  clients: (look: number, table: Map<string, Row>) => ReadonlyArray<Row> = () => []
) {
  const table = new Map(rows.map((one) => [`${one.kind} ${one.subject}`, one]))
  const put = (more: ReadonlyArray<Row>) => more.forEach((one) => table.set(`${one.kind} ${one.subject}`, one))
  const done: Array<string> = []
  let reads = 0
  const waiting = ({ kind, subject, waitsUntil }: Row): WaitingWork => ({
    kind,
    subject,
    failures: 0,
    problem: undefined,
    waitsUntil: waitsUntil === undefined ? undefined : MachineTime.make(waitsUntil)
  })
  const runOnceFor = (_: CompanyId, wanted: WorkKind, limit: number) =>
    Effect.gen(function* () {
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const due = [...table.values()].filter(
        ({ isStuck = false, kind, waitsUntil = 0 }) => kind === wanted && waitsUntil <= now && !isStuck
      )
      return due.slice(0, limit).map(({ kind, leadsTo = [], subject }) => {
        table.delete(`${kind} ${subject}`)
        put(leadsTo)
        done.push(subject)
        return { kind, subject, outcome: "done", scheduled: leadsTo }
      })
    })
  const listWaiting = () =>
    Effect.sync(() => {
      if (++reads > maxReads) throw new Error(`The work has no end: ${done.length} rows were worked on`)
      if (reads > 1) put(clients(reads, table))
      return [...table.values()].map(waiting)
    })
  const ports = Layer.mergeAll(
    Layer.mock(DueWork, { listWaiting, maxAtOnce: 8 }),
    Layer.mock(DueWorker, { runOnceFor })
  )
  const work = yield* Effect.flatten(makeAdvanceWork).pipe(Effect.provide(ports))
  const fiber = yield* Effect.forkChild(work.at(company, Effect.succeed(BusinessTime.make(0))))
  yield* TestClock.adjust("5 minutes")
  assert.isDefined(fiber.pollUnsafe(), "the work has not ended")
  yield* Fiber.join(fiber)
  return done
})

describe("the jobs of a clock advance", () => {
  it.effect("run as long as own jobs schedule others, whatever jobs clients add", () =>
    Effect.gen(function* () {
      const own = chain("own", 50)
      const done = yield* workOn([own], (look) => [row(`client ${look}`)])
      assert.includeMembers(
        done,
        Array.from({ length: 50 }, (_, index) => `own ${index + 1}`)
      )
    })
  )

  it.effect("include jobs that clients add during the step, if there is a moment without new ones", () =>
    Effect.gen(function* () {
      const done = yield* workOn([row("own")], (look) => (look <= 4 ? [row(`client ${look}`)] : []))
      assert.deepStrictEqual(done, ["own", "client 2", "client 3", "client 4"])
    })
  )

  it.effect("end although clients add jobs that schedule others", () =>
    Effect.gen(function* () {
      const done = yield* workOn([chain("own", 3)], (look) => [chain(`client ${look}`, 100)])
      assert.include(done, "own 1")
    })
  )

  it.effect("end although clients schedule an own job again and again", () =>
    Effect.gen(function* () {
      const done = yield* workOn([row("same"), chain("own", 3)], () => [row("same")])
      assert.include(done, "own 1")
    })
  )

  it.effect("end although clients always have a job in progress", () =>
    Effect.gen(function* () {
      const waitingRow = (name: string) => row(name, { waitsUntil: 3_600_000 })
      const done = yield* workOn([chain("own", 3), waitingRow("client 1")], (look, table) => {
        table.delete(`follow subscription client ${look - 1}`)
        return [waitingRow(`client ${look}`)]
      })
      assert.deepStrictEqual(done, ["own 3", "own 2", "own 1"])
    })
  )

  it.effect("create instalments although clients keep making payments due", () =>
    Effect.gen(function* () {
      const instalments = row("instalments", { kind: "make instalments" })
      const begins = row("begins", { leadsTo: [instalments] })
      const done = yield* workOn([begins], (look) => [row(`client ${look}`, { kind: "send payment" })])
      assert.include(done, "instalments")
    })
  )

  it.effect("send payments before they create instalments, because payments create the next instalment", () =>
    Effect.gen(function* () {
      const instalments = row("instalments", { kind: "make instalments" })
      const done = yield* workOn([instalments, row("payment", { kind: "send payment" })])
      assert.deepStrictEqual(done, ["payment", "instalments"])
    })
  )

  it.effect("create instalments although a payment is leased elsewhere, and run all jobs that follow", () =>
    Effect.gen(function* () {
      const instalments = row("instalments", { kind: "make instalments", leadsTo: [chain("own", 10)] })
      const stuck = row("stuck", { kind: "send payment", isStuck: true })
      assert.include(yield* workOn([instalments, stuck]), "own 1")
    })
  )

  it.effect("wait for a job that is leased elsewhere at most for the attempt timeout", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* workOn([row("own"), row("stuck", { isStuck: true })]), ["own"])
    })
  )

  it.effect("wait again for a job with the same name that is scheduled later", () =>
    Effect.gen(function* () {
      const wait = 0.75 * Duration.toMillis((yield* Settings).attemptTimeout)
      const again = row("same", { waitsUntil: 2 * wait })
      const done = yield* workOn([row("same", { waitsUntil: wait, leadsTo: [again] })])
      assert.deepStrictEqual(done, ["same", "same"])
    })
  )

  it.effect("wait no longer for a job that is leased elsewhere because clients keep adding others", () =>
    Effect.gen(function* () {
      const done = yield* workOn([row("own"), row("stuck", { isStuck: true })], (look) => [row(`client ${look}`)])
      assert.include(done, "own")
      assert.notInclude(done, "stuck")
    })
  )
})
