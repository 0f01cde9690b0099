import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, ClockOffset, latest, MachineTime, dateAt } from "@parcela/core/time/Instant"
import { Tokens } from "@parcela/engine/authentication/Tokens"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { atOnce, DueWork } from "@parcela/engine/ports/DueWork"
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { type ChangeCount, Journal } from "@parcela/engine/ports/Journal"
import { type Advance, ClockManagement } from "@parcela/engine/clock/Clocks"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { Recovery } from "@parcela/engine/work/Recovery"
import { forEachStore, twoOnOneDatabase } from "@parcela/tooling-postgres/Stores"
import { Duration, Effect, Exit, Fiber, Layer, Option, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Periodic from "../fixtures/Periodic.ts"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, Hang, Slow } = World

const year = { by: Duration.days(365) }

/** The 21st of the months after `Samples.today`. */
const months = ["10", "11", "12", "01", "02", "03", "04", "05", "06", "07"].map(
  (month, index) => `${index < 3 ? 2026 : 2027}-${month}-21`
)

const advance = (company: CompanyId, how: Advance = year) =>
  ClockManagement.use((clocks) => clocks.advance(company, how))

const shown = (company: CompanyId) =>
  Effect.map(
    ClockManagement.use((clocks) => clocks.show(company)),
    Option.getOrThrow
  )

const lastOf = (company: CompanyId) =>
  Effect.map(
    ClockManagement.use((clocks) => clocks.lastAdvance(company)),
    Option.getOrThrow
  )

/** A company with a card payment in each of the months. */
const paysMonthly = Effect.fnUntraced(function* (paydays = months) {
  const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
  yield* Effect.forEach(paydays, (payday) => World.pay(company, `${company} ${payday}`, { payday }))
  return company
})

/** The days of the charges of a company at the operator, in order. */
const daysCharged = (company: CompanyId) =>
  Effect.map(World.providerRequests, (entries) =>
    entries
      .filter((entry) => entry.call === "charge" && entry.companyId === company)
      .map(({ at }) => dateAt(Number(at)))
  )

/** All rows of a company. */
const rowsOf = Effect.fnUntraced(function* (company: CompanyId) {
  const sql = yield* SqlClient.SqlClient
  const tables = ["subscriptions", "transactions", "attempts", "due_work", "deliveries", "access_tokens"]
  const rows = yield* Effect.forEach(
    tables,
    (table) => sql`SELECT * FROM ${sql(table)} WHERE company_id = ${company} ORDER BY 1, 2`
  )
  const journal = yield* sql`SELECT id, at, business_at, events FROM journal WHERE company_id = ${company} ORDER BY id`
  return [...rows, journal, yield* sql`SELECT * FROM companies WHERE id = ${company}`]
})

const reasonOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error as { readonly reason?: unknown }).reason)

/** The changes of the given number of captured payments. */
const captured = (count: number): ReadonlyArray<ChangeCount> => [
  { event: "TransactionSent", count },
  { event: "OperatorResponded", count },
  { event: "TransactionStatusChanged", to: "captured", count }
]

describe("advancing a company's clock", () => {
  it.effect("sends the payments of a year once each, in order and on their own days, and reports them", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly()
      const { eventsAfter, ...report } = yield* advance(company)
      assert.deepStrictEqual(yield* daysCharged(company), months)
      assert.lengthOf(yield* World.ledger, months.length)
      assert.deepStrictEqual(report, {
        from: BusinessTime.make(Samples.start),
        reached: BusinessTime.make(Samples.start + 365 * 86_400_000),
        steps: months.length + 1,
        work: [{ kind: "send payment", outcome: "captured", count: months.length }],
        changes: captured(months.length),
        waitingWork: []
      })
      // What is followed from there on is what the advance did.
      const { entries } = yield* (yield* Journal).follow(eventsAfter, 1_000, company)
      const captures = entries.filter(({ subject }) => subject.kind === "transaction")
      assert.lengthOf(captures, 2 * months.length)
      assert.isAbove(entries[0]!.businessAt, Samples.start)
      yield* advance(company)
      assert.lengthOf(yield* World.ledger, months.length)
    }).pipe(World.inWorld())
  )

  it.effect("does not report changes after its end, also when it is repeated by name", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly()
      const how = { to: BusinessTime.make(Date.UTC(2026, 10, 1)), name: "autumn" }
      const { changes, reached } = yield* advance(company, how)
      assert.deepStrictEqual(changes, captured(1))
      const last = lastOf(company)
      assert.deepInclude(yield* last, { changes, reached })
      // The machine's clock passes the next payday, and the worker sends that payment.
      yield* World.passTime("21 days")
      yield* DueWorker.use((worker) => worker.runOnce("send payment", 10))
      assert.lengthOf(yield* World.ledger, 2)
      assert.deepInclude(yield* last, { changes, reached })
      assert.deepStrictEqual((yield* advance(company, how)).changes, changes)
      assert.deepInclude(yield* last, { changes, reached })
    }).pipe(World.inWorld())
  )

  it.effect("ends when its client disconnects", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const plan = yield* World.faults
      yield* plan.next("charge", Slow({ delay: Duration.seconds(9) }))
      const fiber = yield* Effect.forkChild(advance(company))
      yield* World.passTime("1 second")
      yield* Effect.all([Fiber.interrupt(fiber), World.passTime("10 seconds")], { concurrency: "unbounded" })
      const cutOff = yield* lastOf(company)
      assert.deepInclude(cutOff, { isRunning: false, steps: 1 })
      assert.strictEqual(dateAt(cutOff.reached), months[0])
      yield* World.passTime("31 days")
      yield* DueWorker.use((worker) => worker.runOnce("send payment", 10))
      assert.lengthOf(yield* World.ledger, 2)
      assert.deepStrictEqual(yield* lastOf(company), cutOff)
    }).pipe(World.inWorld())
  )

  it.effect("reports no changes for an empty company, also after later changes", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      assert.deepStrictEqual((yield* advance(company)).changes, [])
      yield* World.subscribeByCard(company, Samples.cards.captured)
      yield* World.pay(company, "p", { payday: "2027-10-21" })
      yield* World.passTime("31 days")
      yield* DueWorker.use((worker) => worker.runOnce("send payment", 10))
      assert.lengthOf(yield* World.ledger, 1)
      assert.deepInclude(yield* lastOf(company), {
        changes: [],
        reached: BusinessTime.make(Samples.start + 365 * 86_400_000)
      })
    }).pipe(World.inWorld())
  )

  it.effect("counts each outcome, and reports failed and quarantined jobs", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { company } = yield* CardPayments.subscribed(Samples.cards.denied)
      for (const payday of months) yield* World.pay(company, payday, { payday })
      yield* sql`UPDATE transactions SET data = '[]' WHERE my_id = ${months[4]}`
      const { reached, waitingWork, work } = yield* advance(company)
      assert.sameDeepMembers(
        [...work],
        [
          { kind: "send payment", outcome: "denied", count: 9 },
          { kind: "send payment", outcome: "quarantined", count: 1 }
        ]
      )
      assert.deepStrictEqual(waitingWork, [])
      assert.strictEqual(reached, Samples.start + 365 * 86_400_000)
    }).pipe(World.inWorld(), Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.effect("changes no other company, and no lease, token, delivery or attempt", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly()
      const other = yield* paysMonthly()
      const deliveries = yield* DeliveryWorker
      const tokens = yield* Tokens
      const sql = yield* SqlClient.SqlClient
      yield* World.listen(company)
      const { token } = yield* tokens.issue({ companyId: company, clientId: "5473", scopes: ["transactions.read"] }, [])
      const before = yield* rowsOf(other)
      yield* advance(company)
      yield* deliveries.deliverDue
      assert.deepStrictEqual(yield* rowsOf(other), before)
      assert.deepStrictEqual(yield* daysCharged(other), [])
      const instants = yield* sql<{ at: number }>`
        SELECT started_at AS at FROM attempts UNION SELECT settled_at FROM attempts
        UNION SELECT created_at FROM deliveries UNION SELECT started_at FROM delivery_attempts UNION SELECT at FROM journal`
      assert.deepStrictEqual(
        instants.map(({ at }) => Number(at)),
        [Samples.start]
      )
      // A token lasts ten minutes of the machine's.
      assert.strictEqual((yield* tokens.authenticate(Redacted.value(token), Option.none())).companyId, company)
      const { received } = yield* World.Receiver
      assert.lengthOf(received, months.length)
    }).pipe(World.inWorld())
  )

  it.effect("returns the clock, the target of the advance and the next due time", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const clocks = yield* ClockManagement
      const plan = yield* World.faults
      const midnight = (month: number) => Date.UTC(2026, month - 1, 21, 3)
      const before = yield* shown(company)
      assert.deepStrictEqual([before.business, before.nextDue], [Samples.start, midnight(10)])
      yield* plan.next("charge", Slow({ delay: Duration.seconds(9) }))
      const to = BusinessTime.make(midnight(11) - 1)
      const fiber = yield* Effect.forkChild(advance(company, { to }))
      yield* World.passTime("5 seconds")
      const during = yield* shown(company)
      assert.deepStrictEqual(during, {
        machine: MachineTime.make(Samples.start + 5_000),
        business: BusinessTime.make(midnight(10) + 5_000),
        offset: ClockOffset.make(midnight(10) - Samples.start),
        advancingTo: to,
        nextDue: BusinessTime.make(midnight(11))
      })
      yield* World.passTime("5 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).reached, to)
      const after = yield* shown(company)
      assert.deepStrictEqual([after.business, after.advancingTo], [to + 1_000, undefined])
      assert.deepStrictEqual(yield* clocks.show(CompanyId.make(4_000_000)), Option.none())
    }).pipe(World.inWorld())
  )

  it.effect("stops after the last due job if requested", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const { steps, reached } = yield* advance(company, { ...year, stopWhenNothingIsDue: true })
      assert.strictEqual(steps, 2)
      assert.strictEqual(dateAt(reached), months[1])
    }).pipe(World.inWorld())
  )

  it.effect("sends payments of the last day of the calendar, which begins after the last instant", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly(["9999-12-31"])
      const { work } = yield* advance(company, { to: BusinessTime.make(latest) })
      assert.deepStrictEqual(
        work.map(({ kind, outcome }) => [kind, outcome]),
        [["send payment", "denied"]]
      )
    }).pipe(World.inWorld())
  )

  it.effect("refuses a past time, a time after the last year, an unknown company and a second concurrent advance", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!])
      const other = yield* paysMonthly([months[0]!])
      const plan = yield* World.faults
      assert.strictEqual(yield* reasonOf(advance(company, { to: BusinessTime.make(Samples.start - 1) })), "Backwards")
      assert.strictEqual(yield* reasonOf(advance(company, { by: Duration.millis(latest) })), "TooFar")
      assert.strictEqual(yield* reasonOf(advance(CompanyId.make(4_000_000))), "CompanyNotFound")
      yield* plan.next("charge", Slow({ delay: Duration.seconds(9) }))
      const first = yield* Effect.forkChild(advance(company))
      yield* World.passTime("1 second")
      assert.strictEqual(yield* reasonOf(advance(company)), "AlreadyRunning")
      assert.strictEqual(yield* reasonOf(World.inAnotherProcess(advance(company))), "AlreadyRunning")
      assert.strictEqual((yield* World.inAnotherProcess(advance(other))).steps, 2)
      yield* World.passTime("10 seconds")
      assert.strictEqual((yield* Fiber.join(first)).steps, 2)
      assert.strictEqual((yield* advance(company)).steps, 1)
    }).pipe(World.inWorld())
  )

  it.effect("ends at its current step when another process has taken it over", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const plan = yield* World.faults
      const sql = yield* SqlClient.SqlClient
      yield* plan.next("charge", Slow({ delay: Duration.seconds(9) }))
      const first = yield* Effect.forkChild(advance(company))
      yield* World.passTime("1 second")
      yield* sql`UPDATE clock_advances SET lease = 'of another'`
      yield* World.passTime("10 seconds")
      assert.strictEqual(yield* reasonOf(Fiber.join(first)), "Interrupted")
      assert.strictEqual(dateAt((yield* shown(company)).business), months[0])
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("ends at its step after a pause longer than its lease, because workers may have started due jobs", () =>
    Effect.gen(function* () {
      const paydays = [months[0]!, months[1]!]
      const company = yield* paysMonthly(paydays)
      const plan = yield* World.faults
      const sql = yield* SqlClient.SqlClient
      yield* plan.next("charge", Slow({ delay: Duration.seconds(9) }))
      const first = yield* Effect.forkChild(advance(company))
      yield* World.passTime("1 second")
      yield* sql`UPDATE clock_advances SET due_at = ${Samples.start}`
      yield* World.passTime("10 seconds")
      assert.strictEqual(yield* reasonOf(Fiber.join(first)), "Interrupted")
      assert.strictEqual(dateAt((yield* shown(company)).business), months[0])
      yield* advance(company)
      assert.deepStrictEqual(yield* daysCharged(company), paydays)
    }).pipe(World.inWorld())
  )

  it.effect("gives requests the time of the current step, and sends payments that they add on their day", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly()
      const plan = yield* World.faults
      yield* plan.next("charge", ...Array.from({ length: 3 }, () => Slow({ delay: Duration.seconds(9) })))
      const fiber = yield* Effect.forkChild(advance(company))
      yield* World.passTime("10 seconds")
      const added = yield* World.pay(company, "added", { payday: "2026-12-24" })
      assert.strictEqual(dateAt(added.createdAt), months[1])
      assert.strictEqual(added.status, "notSend")
      yield* World.passTime("30 seconds")
      const { work } = yield* Fiber.join(fiber)
      assert.deepStrictEqual(work, [{ kind: "send payment", outcome: "captured", count: months.length + 1 }])
      assert.deepStrictEqual(yield* daysCharged(company), [...months, "2026-12-24"].toSorted())
    }).pipe(World.inWorld())
  )

  it.effect("waits until an attempt with a lost response is resolved, before the next step", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const plan = yield* World.faults
      yield* plan.next("charge", ResponseLost())
      yield* plan.next("lookup", ResponseLost())
      const fiber = yield* Effect.forkChild(advance(company))
      yield* World.passTime("10 seconds")
      const { waitingWork, work } = yield* Fiber.join(fiber)
      assert.sameDeepMembers(
        [...work],
        [
          { kind: "send payment", outcome: "unknown", count: 1 },
          { kind: "resolve attempt", outcome: "captured", count: 1 },
          { kind: "send payment", outcome: "captured", count: 1 }
        ]
      )
      assert.deepStrictEqual(waitingWork, [])
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("reaches its target while clients keep adding payments that are in progress", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const plan = yield* World.faults
      yield* plan.next("charge", ...Array.from({ length: 100 }, () => Slow({ delay: Duration.seconds(9) })))
      let payments = 0
      const pays = Effect.gen(function* () {
        const payday = dateAt((yield* shown(company)).business)
        yield* Effect.forkChild(World.pay(company, `client ${++payments}`, { payday }))
        yield* Effect.sleep("4 seconds")
      })
      yield* Effect.forkChild(Effect.repeat(pays, { times: 39 }))
      const fiber = yield* Effect.forkChild(advance(company))
      yield* World.passTime("2 minutes")
      assert.isAtMost(payments, 35)
      assert.isDefined(fiber.pollUnsafe())
      const { reached, work } = yield* Fiber.join(fiber)
      assert.isAtLeast(reached, Samples.start + 365 * 86_400_000)
      assert.deepStrictEqual(work, [{ kind: "send payment", outcome: "captured", count: 2 }])
      yield* World.passTime("1 minute")
    }).pipe(World.inWorld())
  )

  it.effect("reaches its target while clients keep adding subscriptions that are due at once", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      yield* plan.next("open", ...Array.from({ length: 200 }, () => Slow({ delay: Duration.seconds(1) })))
      let subscriptions = 0
      const subscribes = Effect.gen(function* () {
        const terms = { myId: `client ${++subscriptions}`, quantity: 2, firstPayDayDate: Samples.tomorrow }
        yield* Effect.forkDetach(Periodic.create(company, Periodic.monthly(terms)))
        yield* Effect.sleep("700 millis")
      })
      // Detached: a test that fails would wait for payments under way, for which no clock moves any more.
      yield* Effect.forkDetach(Effect.repeat(subscribes, { times: 59 }))
      yield* World.passTime("1 second")
      const fiber = yield* Effect.forkDetach(advance(company, { by: Duration.days(1) }))
      yield* World.passTime("30 seconds")
      assert.isAtMost(subscriptions, 50)
      assert.isDefined(fiber.pollUnsafe(), "the advance has not ended while clients subscribe")
      const { reached, steps } = yield* Fiber.join(fiber)
      assert.strictEqual(steps, 1)
      assert.isAtLeast(reached, Samples.start + 86_400_000)
      yield* World.passTime("15 seconds")
      const recovery = yield* Recovery
      yield* World.whileTimePasses(recovery.runDueWork)
      const opened = (yield* World.providerRequests).filter(({ call }) => call === "open")
      assert.lengthOf(opened, 2 * 60)
      assert.lengthOf(new Set(opened.map(({ transactionId }) => transactionId)), 2 * 60)
    }).pipe(World.inWorld())
  )

  it.effect(
    "runs all jobs that follow from due jobs, in many parts, before it ends, however slow the provider is",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        yield* Periodic.create(company, Periodic.monthly({ periodicity: "weekly" }))
        const plan = yield* World.faults
        yield* leftBehind(company, 5)
        yield* plan.next("open", ...Array.from({ length: 300 }, () => Slow({ delay: Duration.seconds(1) })))
        const { steps, waitingWork } = yield* World.whileTimePasses(advance(company, { by: Duration.seconds(1) }))
        assert.strictEqual(steps, 0)
        assert.deepStrictEqual(waitingWork, [])
        const opened = (yield* World.providerRequests).filter(({ call }) => call === "open")
        assert.lengthOf(opened, 262)
      }).pipe(World.inWorld())
  )

  it.effect("waits for jobs that other workers have leased, and runs the jobs that follow before the next step", () =>
    Effect.gen(function* () {
      const dueWork = yield* DueWork
      const company = yield* paysMonthly([Samples.tomorrow])
      const [id] = yield* Effect.map(Periodic.payments(company), (all) => all.map((payment) => String(payment.id)))
      const payment = { kind: "send payment", subject: id!, companyId: company } as const
      const attempt = { kind: "resolve attempt", subject: "of a worker", companyId: company } as const
      const now = MachineTime.make(Samples.start)
      const until = MachineTime.make(Samples.start + 60_000)
      // A worker of another process has leased something, begins an attempt with it, and makes a payment due at its end.
      const other = { kind: "make instalments", subject: "1", companyId: company } as const
      yield* dueWork.schedule([{ ...other, ...atOnce(now) }])
      const lease = Option.getOrThrow(yield* dueWork.take({ ...other, owner: "other", now, until }))
      const fiber = yield* Effect.forkDetach(advance(company, { by: Duration.days(1) }))
      yield* World.passTime("1 second")
      yield* dueWork.done(lease)
      yield* dueWork.schedule([{ ...attempt, clock: "machine", dueAt: until, waitsSince: now, leasedBy: "other" }])
      yield* World.passTime("1 second")
      yield* dueWork.cancel(attempt.kind, [attempt.subject])
      yield* dueWork.schedule([{ ...payment, ...atOnce(now) }])
      yield* World.passTime("1 second")
      assert.isDefined(fiber.pollUnsafe(), "the advance has not ended")
      const { steps, work } = yield* Fiber.join(fiber)
      assert.strictEqual(steps, 2)
      // It was read today, which was too early.
      assert.deepStrictEqual(work, [
        { kind: "send payment", outcome: "due later", count: 1 },
        { kind: "send payment", outcome: "captured", count: 1 }
      ])
    }).pipe(World.inWorld())
  )

  it.effect("reaches its target while the provider hangs, reports the job in progress, and the job ends later", () =>
    Effect.gen(function* () {
      const company = yield* paysMonthly([months[0]!, months[1]!])
      const plan = yield* World.faults
      const hangs = Array.from({ length: 200 }, () => Hang({ isDone: false }))
      yield* plan.next("charge", Hang({ isDone: true }), Hang({ isDone: true }))
      yield* plan.next("lookup", ...hangs)
      const fiber = yield* Effect.forkChild(advance(company))
      yield* World.passTime("5 minutes")
      const { reached, waitingWork, work } = yield* Fiber.join(fiber)
      assert.isAtLeast(reached, Samples.start + 365 * 86_400_000)
      assert.deepStrictEqual(
        work.filter(({ kind }) => kind === "send payment"),
        [{ kind: "send payment", outcome: "unknown", count: 2 }]
      )
      assert.deepStrictEqual(
        waitingWork.map(({ kind }) => kind),
        ["resolve attempt", "resolve attempt"]
      )
      yield* plan.clear()
      const recovery = yield* Recovery
      yield* World.passTime("10 minutes")
      assert.strictEqual(yield* recovery.runDueWork, 2)
      assert.deepStrictEqual(
        (yield* World.ledger).map(({ outcome }) => outcome),
        ["Captured", "Captured"]
      )
    }).pipe(World.inWorld())
  )
})

/** A journal whose end cannot be read, but for the first time. */
const withoutItsEnd = () => {
  let reads = 0
  const down = new StoreError({ reason: new Unavailable({ cause: new Error("down") }) })
  return Layer.effect(
    Journal,
    Effect.map(Journal, (inner) => ({
      ...inner,
      end: (company: CompanyId) => Effect.suspend(() => (reads++ === 0 ? inner.end(company) : Effect.fail(down)))
    }))
  )
}

it.effect("an advance whose end cannot be read releases its lease of the clock", () =>
  Effect.gen(function* () {
    const clocks = yield* CompanyClocks
    const company = yield* paysMonthly([months[0]!])
    assert.strictEqual((yield* Effect.flip(advance(company)))._tag, "StoreError")
    assert.isUndefined(Option.getOrThrow(yield* clocks.find(company)).advancingTo)
    assert.isUndefined(Option.getOrThrow(yield* clocks.lastAdvance(company)).ended)
  }).pipe(
    (test) => World.inWorld({ store: withoutItsEnd().pipe(Layer.provideMerge(World.storeAt(undefined))) })(test),
    Effect.provideService(References.MinimumLogLevel, "None")
  )
)

/** A process that ends before or after its clock is put ahead for the nth time, and writes nothing any more then. */
const endingAt = (side: "before" | "after", step: number) => {
  let steps = 0
  let isDead = false
  return Layer.effect(
    CompanyClocks,
    Effect.map(CompanyClocks, (inner) => ({
      ...inner,
      advance: (...about: Parameters<typeof inner.advance>) =>
        Effect.suspend(() => {
          steps += 1
          if (steps !== step) return inner.advance(...about)
          isDead = true
          return Effect.andThen(side === "after" ? inner.advance(...about) : Effect.void, Effect.interrupt)
        }),
      release: (...about: Parameters<typeof inner.release>) =>
        Effect.suspend(() => (isDead ? Effect.void : inner.release(...about)))
    }))
  )
}

describe.each([1, 2, 3, 4])("an advance whose process ends at step %i", (step) => {
  it.effect.each(["before", "after"] as const)(
    "%s it is stored continues when the advance is requested again",
    (side) =>
      Effect.gen(function* () {
        const database = yield* World.database
        const paydays = months.slice(0, 3)
        const target = BusinessTime.make(Samples.start + 365 * 86_400_000)
        const company = yield* paysMonthly(paydays).pipe(World.inWorld({ database }))
        const store = endingAt(side, step).pipe(Layer.provideMerge(World.storeAt(database)))
        const exit = yield* Effect.exit(advance(company, { to: target })).pipe(World.inWorld({ database, store }))
        assert.isTrue(Exit.isFailure(exit))
        yield* Effect.gen(function* () {
          const recovery = yield* Recovery
          const sent = step - 1
          assert.strictEqual((yield* shown(company)).advancingTo, target)
          assert.deepStrictEqual(yield* daysCharged(company), paydays.slice(0, sent))
          yield* recovery.recover
          yield* World.leasesEnd
          const { changes, from, steps, work } = yield* advance(company, { to: target })
          // The report is of the whole advance, also of what was done before the crash.
          assert.strictEqual(from, Samples.start)
          assert.strictEqual(steps, paydays.length + 1)
          assert.deepStrictEqual(changes, captured(paydays.length))
          const last = Option.getOrThrow(yield* (yield* ClockManagement).lastAdvance(company))
          assert.deepInclude(last, { from, steps, target, isRunning: false, changes })
          yield* World.passTime("1 hour")
          // The clock runs on, and the advance got no further than where it ended.
          assert.strictEqual(Option.getOrThrow(yield* (yield* ClockManagement).lastAdvance(company)).reached, target)
          const left = paydays.length - Math.min(sent, paydays.length)
          assert.deepStrictEqual(work, left === 0 ? [] : [{ kind: "send payment", outcome: "captured", count: left }])
          assert.deepStrictEqual(yield* daysCharged(company), paydays)
          assert.strictEqual((yield* shown(company)).advancingTo, undefined)
        }).pipe(World.inWorld({ database }))
      })
  )
})

/** Puts a company's clock ahead by years and does nothing of what is due then, as a process that is gone. */
const leftBehind = Effect.fnUntraced(function* (company: CompanyId, years = 1) {
  const clocks = yield* CompanyClocks
  const now = MachineTime.make(Samples.start - 1)
  const until = MachineTime.make(Samples.start)
  const target = BusinessTime.make(latest)
  const lease = Option.getOrThrow(yield* clocks.lease(company, { from: target, target, owner: "gone", now, until }))
  yield* clocks.advance(lease, { now, offset: ClockOffset.make(years * 365 * 86_400_000) })
})

forEachStore(
  (name) =>
    void describe(`two engines on one store (${name})`, () => {
      it.effect(
        "leave the jobs of a company to the process that advances its clock, and continue with other companies",
        () =>
          Effect.gen(function* () {
            const { first, second } = yield* twoOnOneDatabase(name)
            yield* Effect.gen(function* () {
              const company = yield* paysMonthly(months.slice(0, 4))
              const other = yield* paysMonthly([Samples.tomorrow])
              const plan = yield* World.faults
              const look = World.inAnotherProcessOn(second)(
                Effect.flatMap(DueWorker, (worker) => worker.runOnce("send payment", 9))
              )
              yield* leftBehind(other)
              yield* plan.next("charge", Slow({ delay: Duration.seconds(9) }))
              const fiber = yield* Effect.forkChild(advance(company))
              yield* World.passTime("5 seconds")
              assert.strictEqual(yield* look, 1)
              assert.deepStrictEqual(yield* daysCharged(other), ["2027-09-21"])
              yield* plan.next("charge", ...[1, 2, 3].map(() => Slow({ delay: Duration.seconds(9) })))
              for (const _ of [1, 2, 3]) {
                yield* World.passTime("9 seconds")
                assert.strictEqual(yield* look, 0)
              }
              yield* World.passTime("9 seconds")
              const { work } = yield* Fiber.join(fiber)
              assert.deepStrictEqual(work, [{ kind: "send payment", outcome: "captured", count: 4 }])
              assert.deepStrictEqual(yield* daysCharged(company), months.slice(0, 4))
            }).pipe(World.inWorld({ store: first }))
          })
      )

      it.effect("run jobs that an advance made due and did not run, once each", () =>
        Effect.gen(function* () {
          const { first, second } = yield* twoOnOneDatabase(name)
          yield* Effect.gen(function* () {
            const company = yield* paysMonthly(months.slice(0, 4))
            yield* leftBehind(company)
            const look = Effect.flatMap(DueWorker, (worker) => worker.runOnce("send payment", 9))
            const [one, two] = yield* Effect.all([look, World.inAnotherProcessOn(second)(look)], {
              concurrency: "unbounded"
            })
            assert.strictEqual(one + two, 4)
            assert.lengthOf(yield* World.ledger, 4)
          }).pipe(World.inWorld({ store: first }))
        })
      )
    }),
  ["SQLite in a file", "PostgreSQL"]
)
