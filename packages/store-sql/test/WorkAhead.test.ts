/** Due work of a company whose clock is ahead of the machine's. */
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { assert, describe, it } from "@effect/vitest"
import { ClockOffset } from "@parcela/core/time/Instant"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { Effect, Option } from "effect"
import { storedCompany, minute, onEmptyStore } from "./fixtures/StoreFixtures.ts"
import { kind, setUp, subjects, until } from "./fixtures/DueWork.ts"

forEachStore((name, layer) =>
  describe(`a job of a company whose clock is ahead (${name})`, () => {
    const onEmpty = onEmptyStore(layer)
    const hour = ClockOffset.make(60 * 60_000)

    /** A company whose clock is an hour ahead; no caller has it now. */
    const ahead = Effect.gen(function* () {
      const clocks = yield* CompanyClocks
      const { id } = yield* storedCompany
      const span = { from: minute(0), target: minute(90), owner: "one", now: minute(0), until: minute(1) }
      const lease = Option.getOrThrow(yield* clocks.lease(id, span))
      yield* clocks.advance(lease, { now: minute(0), offset: hour })
      yield* clocks.release(lease)
      return { clocks, id }
    })

    it.effect("is due by that clock, while delays and jobs of other companies follow the machine's clock", () =>
      Effect.gen(function* () {
        const { dueWork, lease, wait, work } = yield* setUp
        const { id } = yield* ahead
        yield* dueWork.schedule([work("theirs", 70), work("other", 70, id), work("now", 60, id), work("past", 0, id)])
        yield* dueWork.schedule([wait("waits", 9, 0, { companyId: id })])
        assert.sameMembers(subjects(yield* lease(0, { minutes: 99 })), ["now", "past"])
        assert.sameMembers(subjects(yield* lease(9, { minutes: 99 })), ["waits"])
        assert.sameMembers(subjects(yield* lease(10, { minutes: 99 })), ["other"])
        assert.sameMembers(subjects(yield* lease(70, { minutes: 99 })), ["theirs"])
      }).pipe(onEmpty)
    )

    it.effect(
      "is leased, delayed and released by the machine's clock, and scheduled again by the company's clock",
      () =>
        Effect.gen(function* () {
          const { dueWork, lease, work } = yield* setUp
          const { id } = yield* ahead
          yield* dueWork.schedule([work("a", 30, id)])
          const [first] = yield* lease(0, { minutes: 5 })
          assert.deepStrictEqual(yield* lease(4), [])
          yield* dueWork.postpone(first!, { ...until(4, 20), problem: "no response" })
          assert.deepStrictEqual(yield* lease(19), [])
          const [second] = yield* lease(20)
          assert.strictEqual(second?.failures, 1)
          yield* dueWork.quarantine(second!, { now: minute(20), problem: "broken" })
          yield* dueWork.release(kind, "a", minute(21))
          assert.deepStrictEqual(yield* lease(20), [])
          const [third] = yield* lease(21)
          yield* dueWork.postpone(third!, { clock: "business", dueAt: minute(85) })
          assert.deepStrictEqual(yield* lease(24), [])
          assert.deepStrictEqual(subjects(yield* lease(25)), ["a"])
        }).pipe(onEmpty)
    )

    it.effect("has its share and its position like any other company, those that were due first before others", () =>
      Effect.gen(function* () {
        const { companyId, dueWork, lease, work } = yield* setUp
        const { id } = yield* ahead
        yield* dueWork.schedule(Array.from({ length: 6 }, (_, index) => work(`ahead ${index}`, 31 + index, id)))
        yield* dueWork.schedule(Array.from({ length: 6 }, (_, index) => work(`other ${index}`, -9 + index)))
        // Due for half an hour, and for nine minutes.
        assert.sameMembers(subjects(yield* lease(0, { limit: 2 })), ["ahead 0", "ahead 1"])
        assert.sameMembers(subjects(yield* lease(0, { perCompany: 1 })), ["ahead 2", "other 0"])
        assert.sameMembers(subjects(yield* lease(0, { except: [id], limit: 1 })), ["other 1"])
        assert.sameMembers(subjects(yield* lease(0, { except: [companyId], limit: 1 })), ["ahead 3"])
        const among = { of: 2, at: id % 2 }
        const request = { kind, owner: "one", now: minute(0), until: minute(5), limit: 9, perCompany: 9 } as const
        const ofClass = yield* dueWork.lease({ ...request, except: [], among })
        assert.sameMembers(
          subjects(ofClass).filter((subject) => subject.startsWith("ahead")),
          ["ahead 4", "ahead 5"]
        )
      }).pipe(onEmpty)
    )

    it.effect("is leased only by the process that advances the clock, which leases nothing of other companies", () =>
      Effect.gen(function* () {
        const { dueWork, lease, wait, work } = yield* setUp
        const { clocks, id } = yield* ahead
        yield* dueWork.schedule([work("own", 30, id), wait("waits", 0, 0, { companyId: id }), work("other", 0)])
        const span = { from: minute(0), target: minute(90), owner: "one", now: minute(0), until: minute(5) }
        const clock = Option.getOrThrow(yield* clocks.lease(id, span))
        assert.deepStrictEqual(subjects(yield* lease(0)), ["other"])
        const request = { kind, owner: "one", now: minute(0), until: minute(1), limit: 9, perCompany: 9 } as const
        const own = yield* dueWork.lease({ ...request, except: [], only: id })
        assert.sameMembers(subjects(own), ["own", "waits"])
        // A lease of the clock that ran out keeps no worker from the work.
        assert.deepStrictEqual(subjects(yield* lease(4)), [])
        yield* clocks.extend(clock, { now: minute(4), until: minute(9) })
        assert.deepStrictEqual(subjects(yield* lease(8)), ["other"])
        assert.sameMembers(subjects(yield* lease(9)), ["own", "waits"])
      }).pipe(onEmpty)
    )

    it.effect("is listed while it is due, leased or delayed, and its next due time is found", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        const { id } = yield* ahead
        const waiting = (at: number) =>
          Effect.map(dueWork.listWaiting(id, minute(at), 9), (rows) => rows.map(({ subject }) => subject))
        const next = (after: number) => dueWork.nextDue(id, minute(after))
        yield* dueWork.schedule([work("due", 50, id), work("b", 75, id), work("a", 70, id), work("other", 55)])
        assert.deepStrictEqual(yield* waiting(60), ["due"])
        assert.deepStrictEqual(yield* next(60), Option.some(minute(70)))
        assert.deepStrictEqual(yield* next(70), Option.some(minute(75)))
        assert.deepStrictEqual(yield* next(75), Option.none())
        const [due] = yield* lease(0, { limit: 1 })
        assert.deepStrictEqual(yield* waiting(60), ["due"])
        yield* dueWork.postpone(due!, { ...until(0, 40), problem: "no response" })
        assert.deepStrictEqual(yield* dueWork.listWaiting(id, minute(60), 9), [
          { kind, subject: "due", failures: 1, problem: "no response", waitsUntil: minute(40) }
        ])
        // Since minute 10, and so longer than the one that waited.
        const [a] = yield* lease(40, { limit: 1 })
        yield* dueWork.quarantine(a!, { now: minute(40), problem: "broken" })
        assert.deepStrictEqual(yield* waiting(75), ["due", "b"])
      }).pipe(onEmpty)
    )
  })
)
