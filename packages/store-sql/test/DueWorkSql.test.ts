/** Tests of the ports `DueWork` and `Leases`. */
import { assert, describe, it } from "@effect/vitest"
import { DueWork, type LeasedWork, type WorkLease } from "@parcela/engine/ports/DueWork"
import { Effect, Option } from "effect"
import { kind, setUp, subjects, until } from "./fixtures/DueWork.ts"
import { storedCompany, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { Origin } from "@parcela/engine/ports/WriteContext"
import { IsBackground } from "@parcela/sqlite/GroupCommit"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Statement } from "effect/sql"

/** `exclusive` says whether one process at a time has the store, so that a start may end all leases. */
const suite = (name: string, layer: StoreLayer, { exclusive }: { readonly exclusive: boolean }): void =>
  void describe(`DueWork (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    it.effect("leases the due jobs of one kind, those that were due first before others", () =>
      Effect.gen(function* () {
        const { companyId, dueWork, lease, wait, work } = yield* setUp
        yield* dueWork.schedule([work("late", 3), work("early", 1), work("b", 2), work("a", 2)])
        yield* dueWork.schedule([wait("other", 0, 0, { kind: "resolve attempt" }), work("far", 9)])
        assert.deepStrictEqual(yield* lease(0), [])
        const leased = yield* lease(3)
        assert.sameMembers(subjects(leased), ["early", "a", "b", "late"])
        for (const { failures, ...row } of leased) {
          assert.strictEqual(failures, 0)
          assert.deepStrictEqual([row.kind, row.companyId], [kind, companyId])
        }
        assert.sameMembers(subjects(yield* lease(9, { minutes: 1, owner: "two" })), ["far", "early", "a", "b", "late"])
      }).pipe(onEmpty)
    )

    it.effect("leases the jobs that were due first if more are due than the limit", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        yield* dueWork.schedule([work("c", 3), work("a", 1), work("d", 4), work("b", 2)])
        assert.sameMembers(subjects(yield* lease(9, { limit: 2 })), ["a", "b"])
        assert.sameMembers(subjects(yield* lease(9, { limit: 2 })), ["c", "d"])
      }).pipe(onEmpty)
    )

    it.effect("leases at most the given number for each company, and none for excluded companies", () =>
      Effect.gen(function* () {
        const { companyId, dueWork, lease, wait, work } = yield* setUp
        const { id: other } = yield* storedCompany
        yield* dueWork.schedule(Array.from({ length: 6 }, (_, index) => work(`first ${index}`)))
        yield* dueWork.schedule([work("second", 5, other), wait("none", 5, 5, { companyId: undefined })])
        assert.sameMembers(subjects(yield* lease(6, { perCompany: 2 })), ["first 0", "first 1", "second", "none"])
        assert.deepStrictEqual(yield* lease(6, { except: [companyId] }), [])
        assert.lengthOf(yield* lease(6, { except: [other] }), 4)
      }).pipe(onEmpty)
    )

    it.effect("leases jobs of one class of companies, and always jobs without a company", () =>
      Effect.gen(function* () {
        const { dueWork, wait, work } = yield* setUp
        const companies = yield* Effect.forEach([1, 2, 3, 4, 5], () => storedCompany)
        const ids = companies.map(({ id }) => id)
        yield* dueWork.schedule(ids.map((companyId) => work(`of ${companyId}`, 0, companyId)))
        yield* dueWork.schedule([wait("none", 0, 0, { companyId: undefined })])
        const request = { kind, owner: "one", now: minute(1), until: minute(2), limit: 9, perCompany: 9 } as const
        const leased = (at: number) => dueWork.lease({ ...request, except: [], among: { of: 3, at } })
        const of = (at: number) => ids.filter((id) => id % 3 === at).map((id) => `of ${id}`)
        assert.sameMembers(subjects(yield* leased(1)), [...of(1), "none"])
        assert.sameMembers(subjects(yield* leased(2)), of(2))
        assert.sameMembers(subjects(yield* leased(0)), of(0))
      }).pipe(onEmpty)
    )

    it.effect("gives each row to exactly one of two workers that lease at the same time", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        yield* dueWork.schedule(Array.from({ length: 20 }, (_, index) => work(`a${index}`)))
        const leased = yield* Effect.all(
          Array.from({ length: 12 }, (_, index) => lease(0, { limit: 3, owner: `owner ${index % 2}` })),
          { concurrency: "unbounded" }
        )
        // On a shared store one skips what another is leasing: what is left comes with the next look.
        const all = subjects([...leased.flat(), ...(yield* lease(0))])
        assert.lengthOf(all, 20)
        assert.strictEqual(new Set(all).size, 20)
      }).pipe(onEmpty)
    )

    it.effect("deletes a finished job under its lease, and ignores a job that no longer exists", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        yield* dueWork.schedule([work("a"), work("b")])
        const [a] = yield* lease(0, { limit: 1 })
        assert.isTrue(yield* dueWork.done(a!))
        assert.isFalse(yield* dueWork.done(a!))
        yield* dueWork.cancel(kind, ["b", "c"])
        assert.deepStrictEqual(yield* lease(99), [])
      }).pipe(onEmpty)
    )

    it.effect("leases a postponed job again, and counts its failed attempts", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        yield* dueWork.schedule([work("a")])
        const [first] = yield* lease(0, { minutes: 60 })
        assert.isTrue(yield* dueWork.postpone(first!, { ...until(1, 10), problem: "no response" }))
        assert.deepStrictEqual(yield* lease(9), [])
        const [second] = yield* lease(10)
        assert.strictEqual(second?.failures, 1)
        assert.isTrue(yield* dueWork.postpone(second!, until(11, 20)))
        assert.strictEqual((yield* lease(20))[0]?.failures, 0)
      }).pipe(onEmpty)
    )

    describe("the late result of a worker is refused for a job", () => {
      const late = Effect.gen(function* () {
        const all = yield* setUp
        yield* all.dueWork.schedule([all.work("a")])
        const [lost] = yield* all.lease(0)
        return { ...all, lost: lost! }
      })
      const results = (dueWork: DueWork["Service"], lost: LeasedWork) =>
        Effect.all([
          dueWork.done(lost),
          dueWork.postpone(lost, { ...until(7, 8), problem: "late" }),
          dueWork.quarantine(lost, { now: minute(7), problem: "late" })
        ])

      it.effect("whose lease expired and was taken by another worker", () =>
        Effect.gen(function* () {
          const { dueWork, lease, lost } = yield* late
          const [taken] = yield* lease(5, { owner: "two" })
          assert.strictEqual(taken?.subject, "a")
          assert.deepStrictEqual(yield* results(dueWork, lost), [false, false, false])
          assert.isTrue(yield* dueWork.done(taken!))
        }).pipe(onEmpty)
      )

      it.effect("that was scheduled again during the run, or cancelled and scheduled again", () =>
        Effect.gen(function* () {
          const { dueWork, lease, lost, work } = yield* late
          yield* dueWork.schedule([work("a", 6)])
          assert.deepStrictEqual(yield* results(dueWork, lost), [false, false, false])
          yield* dueWork.cancel(kind, ["a"])
          yield* dueWork.schedule([work("a", 6)])
          assert.lengthOf(yield* lease(6), 1)
          assert.deepStrictEqual(yield* results(dueWork, lost), [false, false, false])
        }).pipe(onEmpty)
      )
    })

    it.effect(
      "gives a job that is created leased to its process until the lease ends, and cancels it like any other",
      () =>
        Effect.gen(function* () {
          const { dueWork, lease, wait } = yield* setUp
          const started = { leasedBy: "another" }
          yield* dueWork.schedule([wait("a", 5, 0, started), wait("b", 5, 0, started)])
          assert.deepStrictEqual(yield* lease(4), [])
          yield* dueWork.cancel(kind, ["b"])
          assert.deepStrictEqual(subjects(yield* lease(5)), ["a"])
        }).pipe(onEmpty)
    )

    it.effect("extends a lease for its owner only", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        yield* dueWork.schedule([work("a"), work("b")])
        const [first] = yield* lease(0, { limit: 1, owner: "one", minutes: 2 })
        const renewal = { kind, subject: first!.subject, now: minute(1), until: minute(9) } as const
        yield* dueWork.renew({ ...renewal, owner: "one" })
        yield* dueWork.renew({ ...renewal, owner: "two", until: minute(3) })
        yield* dueWork.renew({ ...renewal, owner: "one", subject: "b" })
        assert.sameMembers(subjects(yield* lease(8)), ["b"])
        assert.isTrue(yield* dueWork.done(first!))
      }).pipe(onEmpty)
    )

    it.effect("inserts a job once by `ensure`, and replaces it by `schedule`", () =>
      Effect.gen(function* () {
        const { dueWork, lease, work } = yield* setUp
        yield* dueWork.ensure(work("a", 3))
        yield* dueWork.ensure(work("a", 1))
        assert.deepStrictEqual(yield* lease(2), [])
        yield* dueWork.schedule([work("a", 1)])
        assert.lengthOf(yield* lease(2), 1)
      }).pipe(onEmpty)
    )

    it.effect("lists a quarantined job with its problem, leases it to no worker, and makes it due on release", () =>
      Effect.gen(function* () {
        const { companyId, dueWork, lease, work } = yield* setUp
        yield* dueWork.schedule([work("a"), work("b")])
        const [a] = yield* lease(0, { limit: 1 })
        assert.isTrue(yield* dueWork.quarantine(a!, { now: minute(1), problem: "the card is not there" }))
        assert.deepStrictEqual(yield* dueWork.listQuarantined(10), [
          { kind, companyId, subject: "a", quarantinedAt: minute(1), failures: 1, problem: "the card is not there" }
        ])
        assert.deepStrictEqual(subjects(yield* lease(99)), ["b"])
        assert.isFalse(yield* dueWork.release(kind, "b", minute(100)))
        assert.isTrue(yield* dueWork.release(kind, "a", minute(100)))
        assert.deepStrictEqual(yield* dueWork.listQuarantined(10), [])
        assert.deepStrictEqual(subjects(yield* lease(100, { limit: 1 })), ["a"])
      }).pipe(onEmpty)
    )

    it.effect("releases the leases of a stopping process, and no others", () =>
      Effect.gen(function* () {
        const { dueWork, lease, leases, wait, work } = yield* setUp
        yield* dueWork.schedule([work("a"), work("b"), wait("c", 9, 0, { leasedBy: "one" })])
        const [first] = yield* lease(0, { limit: 1, owner: "one" })
        const [second] = yield* lease(0, { limit: 1, owner: "two" })
        yield* leases.releaseOwned("one", minute(1))
        assert.sameMembers(subjects(yield* lease(1)), [first!.subject, "c"])
        assert.isFalse(yield* dueWork.done(first!))
        assert.isTrue(yield* dueWork.done(second!))
      }).pipe(onEmpty)
    )

    it.effect(
      exclusive
        ? "a start ends every lease and every wait of work that failed, whatever the clock says"
        : "a start steals no living lease of another process",
      () =>
        Effect.gen(function* () {
          const { dueWork, lease, leases, work } = yield* setUp
          yield* dueWork.schedule([work("leased"), work("failed"), work("day", 90)])
          const both = yield* lease(0, { minutes: 60 })
          const failed = both.find(({ subject }) => subject === "failed")!
          yield* dueWork.postpone(failed, { ...until(1, 61), problem: "no response" })
          // The clock was set back by an hour before the start.
          yield* leases.recover(minute(-60))
          assert.sameMembers(subjects(yield* lease(-60)), exclusive ? ["leased", "failed"] : [])
          // What was to last an hour lasts an hour and no more; a date stays what it is.
          assert.sameMembers(subjects(yield* lease(0, { minutes: 1 })), ["leased", "failed"])
          assert.isFalse(yield* dueWork.done(both.find(({ subject }) => subject === "leased")!))
          assert.include(subjects(yield* lease(90)), "day")
        }).pipe(onEmpty)
    )

    it.effect("extends no lease and no delay when the clock is set back", () =>
      Effect.gen(function* () {
        const { dueWork, lease, leases, wait, work } = yield* setUp
        yield* dueWork.schedule([wait("at once", 100), work("day", 90)])
        yield* dueWork.schedule([wait("leased", 105, 100, { leasedBy: "another" })])
        yield* leases.shortenWaits(minute(10))
        assert.deepStrictEqual(subjects(yield* lease(10)), ["at once"])
        assert.deepStrictEqual(subjects(yield* lease(14)), [])
        assert.deepStrictEqual(subjects(yield* lease(15, { limit: 9 })).toSorted(), ["at once", "leased"])
        assert.include(subjects(yield* lease(90)), "day")
      }).pipe(onEmpty)
    )

    it.effect("leases one job by its name, due or not, unless another process has leased it", () =>
      Effect.gen(function* () {
        const { dueWork, wait, work } = yield* setUp
        const take = (subject: string, at: number, owner = "one") =>
          Effect.map(
            dueWork.take({ kind, subject, owner, now: minute(at), until: minute(at + 5) }),
            Option.map(({ subject, token }) => ({ subject, token }))
          )
        yield* dueWork.schedule([work("later", 90), wait("own", 90, 0, { leasedBy: "one" }), work("quarantined", 0)])
        assert.isTrue(Option.isSome(yield* take("later", 0)))
        assert.isTrue(Option.isNone(yield* take("later", 1, "another")))
        assert.isTrue(Option.isNone(yield* take("later", 1)))
        assert.isTrue(Option.isSome(yield* take("later", 5, "another")))
        assert.isTrue(Option.isNone(yield* take("own", 0, "another")))
        assert.isTrue(Option.isSome(yield* take("own", 0)))
        assert.isTrue(Option.isNone(yield* take("nothing", 0)))
        const quarantined = Option.getOrThrow(yield* take("quarantined", 0))
        yield* dueWork.quarantine({ kind, ...quarantined }, { now: minute(0), problem: "broken" })
        assert.isTrue(Option.isNone(yield* take("quarantined", 90)))
      }).pipe(onEmpty)
    )
  })

forEachStore((name, layer) => suite(name, layer, { exclusive: name !== "PostgreSQL" }))

describe("postponing a job on SQLite", () => {
  it.effect("is a foreground write for a request, and a background write for a worker", () =>
    Effect.gen(function* () {
      const dueWork = yield* DueWork
      const inBackground: Array<boolean> = []
      const note: Statement.Transformer = (statement) =>
        Effect.map(IsBackground, (is) => {
          inBackground.push(is)
          return statement
        })
      const lease: WorkLease = { kind: "resolve attempt", subject: "a", token: "one 1" }
      const postponing = dueWork.postpone(lease, { clock: "machine", dueAt: minute(1), waitsSince: minute(0) })
      const put = Effect.provideService(postponing, Statement.CurrentTransformer, note)
      yield* Effect.provideService(put, Origin, {
        actor: { _tag: "Client", clientId: "shop" },
        cause: { _tag: "Request" }
      })
      yield* put
      assert.deepStrictEqual(inBackground, [false, true])
    }).pipe(Effect.provide(StoreSql.layerSqlite({ filename: ":memory:" })))
  )
})
