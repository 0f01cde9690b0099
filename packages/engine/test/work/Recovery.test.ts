import { assert, describe, it } from "@effect/vitest"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { AccessTokens } from "@parcela/engine/ports/AccessTokens"
import { Recovery } from "@parcela/engine/work/Recovery"
import { Tokens } from "@parcela/engine/authentication/Tokens"
import { Clock, Duration, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { writeEntries } from "@parcela/test-world/StoreWrites"
import * as CardPayments from "../fixtures/CardPayments.ts"
import * as Rows from "@parcela/test-world/Rows"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

const { ResponseLost, RequestLost, Slow } = World

describe("recovery", () => {
  it.effect("sends a payment once, when its day starts in Sao Paulo and not a second earlier", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      // Midnight in Sao Paulo is 03:00 UTC: Brazil has had no summer time since 2019.
      const midnight = Date.UTC(2026, 8, 22, 3)
      yield* TestClock.setTime(midnight - 1_000)
      assert.strictEqual(yield* recovery.runDueWork, 0)
      assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")

      yield* TestClock.setTime(midnight)
      assert.strictEqual(yield* recovery.runDueWork, 1)
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      assert.strictEqual(yield* recovery.runDueWork, 0)
      assert.lengthOf(yield* World.ledger, 1)
    }).pipe(World.inWorld())
  )

  it.effect("sends each due payment once when several recoveries run concurrently", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      const ids = Array.from({ length: 30 }, (_, index) => `p${index}`)
      yield* Effect.forEach(ids, (id) => World.pay(company, id, { payday: Samples.tomorrow }))
      yield* World.passTime("1 day")
      yield* Effect.all([recovery.runDueWork, recovery.runDueWork, recovery.runDueWork], { concurrency: "unbounded" })
      assert.lengthOf(yield* World.ledger, 30)
      assert.lengthOf(yield* Rows.attempts, 30)
      assert.isTrue((yield* Rows.attempts).every(({ settled_at }) => settled_at !== null))
    }).pipe(World.inWorld())
  )

  it.effect("sends a due payment once when a client retries it at the same time", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* World.pay(company, "p", { payday: Samples.tomorrow })
      yield* World.passTime("1 day")
      yield* Effect.all([recovery.runDueWork, Effect.result(World.retry(company, "p"))], { concurrency: "unbounded" })
      assert.lengthOf(yield* World.ledger, 1)
      assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
    }).pipe(World.inWorld())
  )

  it.effect("runs more than one batch of jobs over several calls", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const recovery = yield* Recovery
      yield* World.subscribeBy(company, "pix")
      const plan = yield* World.faults
      const ids = Array.from({ length: 120 }, (_, index) => `p${index}`)
      yield* plan.next("open", ...ids.map(() => RequestLost()))
      yield* Effect.forEach(ids, (id) => World.pay(company, id))
      yield* World.passTime("60 seconds")
      assert.deepStrictEqual(
        [yield* recovery.runDueWork, yield* recovery.runDueWork, yield* recovery.runDueWork],
        [100, 20, 0]
      )
    }).pipe(World.inWorld())
  )

  it.effect("continues with other attempts when one operator does not respond, and repeats that one later", () =>
    Effect.gen(function* () {
      const recovery = yield* Recovery
      const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
      yield* plan.next("charge", RequestLost(), RequestLost())
      yield* World.pay(company, "silent")
      yield* World.pay(company, "other")
      yield* World.passTime("60 seconds")
      yield* plan.next("lookup", ResponseLost())
      yield* recovery.runDueWork
      const statuses = [(yield* Rows.transaction("silent")).status, (yield* Rows.transaction("other")).status]
      assert.deepStrictEqual(statuses.sort(), ["captured", "notSend"])
      yield* World.passTime("60 seconds")
      yield* recovery.runDueWork
      assert.strictEqual((yield* Rows.transaction("silent")).status, "captured")
      assert.lengthOf(yield* World.ledger, 2)
    }).pipe(World.inWorld())
  )

  it.effect("deletes expired tokens only", () =>
    Effect.gen(function* () {
      const companyId = yield* World.company()
      const tokens = yield* Tokens
      const recovery = yield* Recovery
      const issue = tokens.issue({ companyId, clientId: "shop", scopes: ["balance.read"] }, [])
      yield* issue
      yield* World.passTime("599 seconds")
      yield* issue
      yield* World.passTime("2 seconds")
      yield* recovery.runDueWork
      assert.strictEqual(yield* Rows.count("access_tokens"), 1)
      assert.isDefined(yield* AccessTokens)
    }).pipe(World.inWorld())
  )

  it.effect("deletes the records that are past their retention in several steps, and no others", () =>
    Effect.gen(function* () {
      const companyId = yield* World.company()
      const recovery = yield* Recovery
      const append = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        writeEntries([
          {
            companyId,
            subject: { kind: "customer", id: "1" } as const,
            at: MachineTime.make(now),
            businessAt: BusinessTime.make(now),
            origin: { actor: { _tag: "Service" } },
            events: []
          }
        ])
      )
      yield* Effect.replicateEffect(append, 700, { discard: true })
      yield* World.passTime("2 days")
      yield* append
      yield* recovery.runDueWork
      assert.strictEqual(yield* Rows.count("journal"), 701, "two days are not over")
      yield* World.passTime("1 minute")
      yield* recovery.runDueWork
      yield* recovery.runDueWork
      assert.strictEqual(yield* Rows.count("journal"), 1)
      yield* World.passTime("1 minute")
      yield* recovery.runDueWork
      assert.strictEqual(yield* Rows.count("journal"), 1)
    }).pipe(
      World.inWorld({ settings: { retention: { keys: undefined, attempts: undefined, journal: Duration.days(2) } } })
    )
  )

  it.effect("retains records with unlimited retention, although an earlier run had a limit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const recovery = yield* Recovery
      yield* sql`
        INSERT INTO due_work (kind, subject, due_at, failures) VALUES ('delete old records', 'journal', 0, 0)
      `
      yield* World.subscribeByCard(yield* World.company(), Samples.cards.captured)
      const before = yield* Rows.count("journal")
      yield* World.passTime("1000 days")
      yield* recovery.runDueWork
      assert.isAbove(before, 0)
      assert.strictEqual(yield* Rows.count("journal"), before)
      assert.deepStrictEqual(yield* sql`SELECT subject FROM due_work WHERE kind = 'delete old records'`, [
        { subject: "attempts" }
      ])
    }).pipe(World.inWorld())
  )
})

describe("recover", () => {
  for (const { fault, name } of [
    { name: "before the operator received it", fault: "never arrived" },
    { name: "after the money moved", fault: "response lost" }
  ] as const) {
    it.effect(
      `resolves after the restart an attempt that a crash cut off ${name}, at once if no other process can exist`,
      () =>
        Effect.gen(function* () {
          const database = yield* World.database
          yield* Effect.gen(function* () {
            const company = yield* World.company()
            const plan = yield* World.faults
            yield* World.listen(company)
            yield* World.subscribeByCard(company, Samples.cards.captured)
            // What a crash leaves behind: the attempt is committed, and its outcome is not.
            yield* plan.next("charge", fault === "never arrived" ? RequestLost() : ResponseLost())
            yield* plan.next("lookup", ResponseLost())
            yield* World.pay(company, "p")
            assert.lengthOf(yield* World.ledger, fault === "never arrived" ? 0 : 1)
          }).pipe(World.inWorld({ database }))

          yield* Effect.gen(function* () {
            const recovery = yield* Recovery
            assert.strictEqual(yield* recovery.runDueWork, 0, "another process respects the lease")
            if (World.isShared()) assert.strictEqual(yield* recovery.recover, 0, "the other process may be alive")
            yield* World.leasesEnd
            assert.strictEqual(yield* recovery.recover, 1)
            assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
            assert.lengthOf(yield* World.ledger, 1)
            assert.deepStrictEqual(
              (yield* Rows.deliveries).map(({ event }) => event),
              ["subscription.addTransaction", "transaction.updateStatus"]
            )
            assert.strictEqual(yield* recovery.recover, 0)
          }).pipe(World.inWorld({ database }))
        })
    )
  }

  it.effect("resolves attempts of a crashed process although the clock was set back by an hour", () =>
    Effect.gen(function* () {
      const database = yield* World.database
      yield* TestClock.setTime(Samples.start + 3_600_000)
      yield* Effect.gen(function* () {
        const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
        yield* plan.next("charge", RequestLost())
        yield* World.pay(company, "p")
      }).pipe(World.inWorld({ database }))

      yield* TestClock.setTime(Samples.start)
      yield* Effect.gen(function* () {
        const recovery = yield* Recovery
        if (World.isShared()) assert.strictEqual(yield* recovery.recover, 0, "the wait is shortened, not ended")
        yield* World.leasesEnd
        assert.strictEqual(yield* recovery.recover, 1)
        assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
      }).pipe(World.inWorld({ database }))
    })
  )

  it.effect("leaves unresolved attempts to the next start, even if it follows at once", () =>
    Effect.gen(function* () {
      const database = yield* World.database
      yield* Effect.gen(function* () {
        const { company, plan } = yield* CardPayments.subscribed(Samples.cards.captured)
        yield* plan.next("charge", RequestLost())
        yield* World.pay(company, "p")
      }).pipe(World.inWorld({ database }))

      yield* Effect.gen(function* () {
        const plan = yield* World.faults
        const recovery = yield* Recovery
        yield* plan.next("lookup", ResponseLost())
        yield* World.leasesEnd
        assert.strictEqual(yield* recovery.recover, 1)
        assert.strictEqual((yield* Rows.transaction("p")).status, "notSend")
      }).pipe(World.inWorld({ database }))

      yield* TestClock.adjust("1 millis")
      yield* Effect.gen(function* () {
        const recovery = yield* Recovery
        yield* World.leasesEnd
        assert.strictEqual(yield* recovery.recover, 1)
        assert.strictEqual((yield* Rows.transaction("p")).status, "captured")
        assert.lengthOf(yield* World.ledger, 1)
      }).pipe(World.inWorld({ database }))
    })
  )

  it.effect(
    "ends within a minute when the operator hangs, and leaves the other attempts unleased for the workers",
    () =>
      Effect.gen(function* () {
        const company = yield* World.company()
        const plan = yield* World.faults
        const sql = yield* SqlClient.SqlClient
        const recovery = yield* Recovery
        yield* World.subscribeBy(company, "pix")
        const ids = Array.from({ length: 100 }, (_, index) => `p${index}`)
        yield* plan.next("open", ...ids.map(() => RequestLost()))
        yield* Effect.forEach(ids, (id) => World.pay(company, id))
        yield* plan.next("open", ...Array.from({ length: 1_000 }, () => Slow({ delay: Duration.hours(1) })))
        yield* World.passTime("2 minutes")
        const fiber = yield* Effect.forkChild(recovery.recover, { startImmediately: true })
        yield* World.passTime("1 minute")
        const exit = fiber.pollUnsafe()
        yield* Fiber.interrupt(fiber).pipe(Effect.forkChild({ startImmediately: true }))
        yield* World.passTime("10 minutes")
        assert.deepStrictEqual(exit, Exit.succeed(8))
        const leased = yield* sql`SELECT subject FROM due_work WHERE lease IS NOT NULL`
        assert.lengthOf(leased, 0)
      }).pipe(World.inWorld())
  )

  it.effect("ends when the operator is down, also with a full batch", () =>
    Effect.gen(function* () {
      const company = yield* World.company()
      const plan = yield* World.faults
      const recovery = yield* Recovery
      yield* World.subscribeBy(company, "pix")
      const ids = Array.from({ length: 100 }, (_, index) => `p${index}`)
      yield* plan.next("open", ...ids.flatMap(() => [RequestLost(), RequestLost()]))
      yield* Effect.forEach(ids, (id) => World.pay(company, id))
      yield* World.leasesEnd
      assert.strictEqual(yield* recovery.recover, 100)
      assert.isUndefined((yield* Rows.transaction("p0")).registration)
    }).pipe(World.inWorld())
  )
})
