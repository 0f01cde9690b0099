/** Tests of the port `CompanyClocks`. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { ClockOffset } from "@parcela/core/time/Instant"
import { type ClockLease, CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { JournalCursor } from "@parcela/engine/ports/Journal"
import { Leases } from "@parcela/engine/ports/Leases"
import { Effect, Option } from "effect"
import { storedCompany, minute, onEmptyStore, type StoreLayer } from "./fixtures/StoreFixtures.ts"
import { forEachStore } from "@parcela/tooling-postgres/Stores"

const year = ClockOffset.make(365 * 86_400_000)

/** `exclusive` says whether one process at a time has the store, so that a start may end all leases. */
const suite = (name: string, layer: StoreLayer, { exclusive }: { readonly exclusive: boolean }): void =>
  void describe(`CompanyClocks (${name})`, () => {
    const onEmpty = onEmptyStore(layer)

    const setUp = Effect.gen(function* () {
      const clocks = yield* CompanyClocks
      const { id } = yield* storedCompany
      const lease = (at: number, { company = id, minutes = 5, owner = "one" } = {}) =>
        clocks.lease(company, {
          from: minute(0),
          target: minute(999),
          owner,
          now: minute(at),
          until: minute(at + minutes)
        })
      const held = (at: number, options?: Parameters<typeof lease>[1]) =>
        Effect.map(
          lease(at, options),
          Option.getOrThrowWith(() => new Error("Another caller has the clock"))
        )
      const offset = (company: CompanyId) =>
        Effect.map(
          clocks.find(company),
          Option.map(({ offset }) => offset)
        )
      return { clocks, held, id, lease, offset }
    })

    it.effect("advances the clock of one company only", () =>
      Effect.gen(function* () {
        const { clocks, held, id, offset } = yield* setUp
        const { id: other } = yield* storedCompany
        assert.deepStrictEqual(yield* offset(id), Option.some(0))
        assert.isTrue(yield* clocks.advance(yield* held(0), { now: minute(1), offset: year }))
        assert.deepStrictEqual(yield* offset(id), Option.some(year))
        assert.deepStrictEqual(yield* offset(other), Option.some(0))
      }).pipe(onEmpty)
    )

    it.effect("never sets a clock back", () =>
      Effect.gen(function* () {
        const { clocks, held, id, offset } = yield* setUp
        const lease = yield* held(0)
        yield* clocks.advance(lease, { now: minute(1), offset: year })
        assert.isTrue(yield* clocks.advance(lease, { now: minute(1), offset: ClockOffset.make(1) }))
        assert.deepStrictEqual(yield* offset(id), Option.some(year))
      }).pipe(onEmpty)
    )

    it.effect("stores the last named advance, and none of a caller without the lease", () =>
      Effect.gen(function* () {
        const { clocks, id } = yield* setUp
        const lease = (name: string | undefined, at: number, target: number) =>
          clocks.lease(id, {
            from: minute(0),
            target: minute(target),
            name,
            owner: "one",
            now: minute(at),
            until: minute(at + 5)
          })
        const named = Effect.map(clocks.find(id), (found) => Option.getOrThrow(found).named)
        assert.isUndefined(yield* named)
        const first = yield* lease("a", 0, 100)
        assert.isTrue(Option.isNone(yield* lease("b", 1, 200)))
        assert.deepStrictEqual(yield* named, { name: "a", target: minute(100) })
        yield* clocks.release(Option.getOrThrow(first))
        assert.isTrue(Option.isSome(yield* lease(undefined, 2, 300)))
        assert.deepStrictEqual(yield* named, { name: "a", target: minute(100) })
        assert.isTrue(Option.isSome(yield* lease("b", 9, 400)))
        assert.deepStrictEqual(yield* named, { name: "b", target: minute(400) })
      }).pipe(onEmpty)
    )

    it.effect("returns the last advance of each clock, with its number of steps", () =>
      Effect.gen(function* () {
        const { clocks, held, id } = yield* setUp
        const { id: other } = yield* storedCompany
        assert.deepStrictEqual(yield* clocks.lastAdvance(id), Option.none())
        const lease = yield* held(0)
        yield* clocks.advance(lease, { now: minute(1), offset: year })
        const last = {
          name: undefined,
          from: minute(0),
          target: minute(999),
          steps: 1,
          eventsAfter: undefined,
          ended: undefined
        }
        assert.deepStrictEqual(yield* clocks.lastAdvance(id), Option.some(last))
        const ended = { reached: minute(998), eventsUntil: undefined }
        yield* clocks.release(lease, ended)
        assert.deepStrictEqual(yield* clocks.lastAdvance(id), Option.some({ ...last, ended }))
        assert.deepStrictEqual(yield* clocks.lastAdvance(other), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("ends a cancelled advance, whichever process has its lease", () =>
      Effect.gen(function* () {
        const { clocks, held, id, lease } = yield* setUp
        const ended = { reached: minute(7), eventsUntil: undefined }
        assert.isFalse(yield* clocks.cancel(id, ended))
        const first: ClockLease = yield* held(0)
        assert.isTrue(yield* clocks.cancel(id, ended))
        assert.isFalse(yield* clocks.advance(first, { now: minute(1), offset: year }))
        assert.isUndefined(Option.getOrThrow(yield* clocks.find(id)).advancingTo)
        assert.deepStrictEqual(Option.getOrThrow(yield* clocks.lastAdvance(id)).ended, ended)
        assert.isTrue(Option.isSome(yield* lease(1)))
      }).pipe(onEmpty)
    )

    it.effect("stores the end of an advance until its next step or the next advance", () =>
      Effect.gen(function* () {
        const { clocks, id } = yield* setUp
        const span = { from: minute(0), owner: "one", now: minute(0), until: minute(5) }
        const begin = (name: string) =>
          Effect.map(clocks.lease(id, { ...span, name, target: minute(99) }), Option.getOrThrow)
        const end = (reached: number) => ({ reached: minute(reached), eventsUntil: JournalCursor.make(`0-${reached}`) })
        const ended = Effect.map(clocks.lastAdvance(id), (last) => Option.getOrThrow(last).ended)
        yield* clocks.release(yield* begin("a"), end(1))
        const again = yield* begin("a")
        assert.deepStrictEqual(again.begun.ended, end(1))
        yield* clocks.release(again, end(2))
        assert.deepStrictEqual(yield* ended, end(1))
        const further = yield* begin("a")
        yield* clocks.advance(further, { now: minute(1), offset: year })
        assert.isUndefined(yield* ended)
        yield* clocks.release(further, end(3))
        assert.deepStrictEqual(yield* ended, end(3))
        yield* begin("b")
        assert.isUndefined(yield* ended)
      }).pipe(onEmpty)
    )

    it.effect("returns no clock of a company that does not exist", () =>
      Effect.gen(function* () {
        const { clocks } = yield* setUp
        assert.deepStrictEqual(yield* clocks.find(CompanyId.make(4_000_000)), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("is leased by one process at a time, separately for each company", () =>
      Effect.gen(function* () {
        const { clocks, held, id, lease } = yield* setUp
        const { id: company } = yield* storedCompany
        const first = yield* held(0)
        assert.deepStrictEqual(yield* lease(4), Option.none())
        assert.isTrue(Option.isSome(yield* lease(4, { company, owner: "two" })))
        assert.isTrue(yield* clocks.extend(first, { now: minute(4), until: minute(9) }))
        assert.deepStrictEqual(yield* lease(8, { owner: "two" }), Option.none())
        yield* clocks.release(first)
        assert.isTrue(Option.isSome(yield* lease(8, { owner: "two" })))
        assert.strictEqual(Option.getOrThrow(yield* clocks.find(id)).advancingTo, minute(999))
      }).pipe(onEmpty)
    )

    it.effect("is not advanced under an expired lease that another process has taken", () =>
      Effect.gen(function* () {
        const { clocks, held, id, offset } = yield* setUp
        const lost = yield* held(0)
        const taken = yield* held(5, { owner: "two" })
        assert.isFalse(yield* clocks.advance(lost, { now: minute(4), offset: year }))
        assert.isFalse(yield* clocks.extend(lost, { now: minute(4), until: minute(9) }))
        yield* clocks.release(lost)
        assert.deepStrictEqual(yield* offset(id), Option.some(0))
        assert.isTrue(yield* clocks.advance(taken, { now: minute(6), offset: year }))
      }).pipe(onEmpty)
    )

    it.effect("is neither advanced nor renewed under an expired lease, even if no other process has taken it", () =>
      Effect.gen(function* () {
        const { clocks, held, id, offset } = yield* setUp
        const lease = yield* held(0)
        assert.isFalse(yield* clocks.advance(lease, { now: minute(5), offset: year }))
        assert.isFalse(yield* clocks.extend(lease, { now: minute(5), until: minute(9) }))
        assert.deepStrictEqual(yield* offset(id), Option.some(0))
        assert.isTrue(yield* clocks.extend(lease, { now: minute(4), until: minute(9) }))
        assert.isTrue(yield* clocks.advance(lease, { now: minute(8), offset: year }))
      }).pipe(onEmpty)
    )

    it.effect("returns the target of an advance, also after a crash", () =>
      Effect.gen(function* () {
        const { clocks, held, id, lease } = yield* setUp
        const leases = yield* Leases
        const target = Effect.map(clocks.find(id), (clock) => Option.getOrThrow(clock).advancingTo)
        assert.isUndefined(yield* target)
        yield* held(0, { minutes: 60 })
        yield* leases.recover(minute(1))
        assert.strictEqual(yield* target, minute(999))
        assert.strictEqual(Option.isSome(yield* lease(1)), exclusive)
        const again: ClockLease = yield* held(60)
        yield* clocks.release(again)
        assert.isUndefined(yield* target)
      }).pipe(onEmpty)
    )

    it.effect("is free when its process stops, and is not leased longer when the machine's clock is set back", () =>
      Effect.gen(function* () {
        const { clocks, held, lease } = yield* setUp
        const leases = yield* Leases
        const first = yield* held(0)
        yield* leases.releaseOwned("one", minute(1))
        assert.isFalse(yield* clocks.advance(first, { now: minute(1), offset: year }))
        yield* held(1, { owner: "two" })
        yield* leases.shortenWaits(minute(-100))
        assert.deepStrictEqual(yield* lease(-96), Option.none())
        assert.isTrue(Option.isSome(yield* lease(-95)))
      }).pipe(onEmpty)
    )
  })

forEachStore((name, layer) => suite(name, layer, { exclusive: name !== "PostgreSQL" }))
