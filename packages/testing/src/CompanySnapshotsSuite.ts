/**
 * What every adapter of the port `CompanySnapshots` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { ClockOffset } from "@parcela/core/time/BusinessTime"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { CommandStore } from "@parcela/engine/command/CommandStore"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import { CompanySnapshots, type Restored } from "@parcela/engine/ports/CompanySnapshots"
import { atOnce, DueWork } from "@parcela/engine/ports/DueWork"
import { IncomingPayments } from "@parcela/engine/ports/IncomingPayments"
import { Journal } from "@parcela/engine/ports/Journal"
import { Outbox } from "@parcela/engine/ports/Outbox"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import { WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { keptPayment, look, writes } from "./CommandStoreFixtures.ts"
import { keptCompany, keptCustomer, keptEndpoint, minute, newCustomer, newEntry } from "./StoreFixtures.ts"
import { recordTry, writeChange, writeDeliveries, writeEntries } from "./StoreWrites.ts"

const layout = "a layout"

/** A store beside this one, which notes what it is asked for. */
const request = { at: minute(5), layout, beside: () => Effect.succeed(0) }

const snapshots = Effect.gen(function* () {
  const port = yield* CompanySnapshots
  return {
    port,
    take: (companyId: CompanyId, name = "base") => port.take(companyId, name, request),
    restore: (companyId: CompanyId, name?: string) =>
      port.restore(companyId, name, { ...request, beside: () => Effect.void })
  }
})

const keptDelivery = Effect.fnUntraced(function* (companyId: CompanyId, endpointId: number) {
  const outbox = yield* Outbox
  const event = "transaction.updateStatus" as const
  const transactionId = SvcPayId.make(1)
  yield* writeDeliveries([{ companyId, endpointId, event, transactionId, payload: "{}", createdAt: minute(0) }])
  const [last] = yield* outbox.list(companyId, {}, Number.MAX_SAFE_INTEGER, 1)
  return last!.webhookId
})

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** What a payment's command sees of it, without its guard. */
const seen = ({ customer, restores, transaction }: PaymentContext) => ({ customer, restores, transaction })

const reasonOf = <A, E extends { readonly reason: unknown }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: Layer.Layer<StorePorts | CompanySnapshots, unknown>): void =>
  void describe(`CompanySnapshots (${name})`, () => {
    const onEmpty = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.provide(test, layer, { local: true })

    it.effect("puts back what was there, takes away what came after, and leaves other companies alone", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const { args, companyId, customer } = yield* keptPayment
        const other = yield* keptCustomer((yield* keptCompany).id)
        const before = (yield* look("payment", args)).found!
        const { rows } = yield* take(companyId)
        assert.isAbove(rows, 5)
        yield* writeChange({ table: "customers", before: customer, next: { ...customer, name: "Bia" } })
        const added = yield* keptCustomer(companyId)
        const ofOther = { ...other, name: "Caio" }
        yield* writeChange({ table: "customers", before: other, next: ofOther })
        yield* restore(companyId, "base")
        assert.deepStrictEqual(seen((yield* look("payment", args)).found!), { ...seen(before), restores: 1 })
        const find = (one: typeof other) =>
          Effect.map(
            look("customer", { companyId: one.companyId, ref: { typeId: "svcPayId", id: one.id } }),
            ({ found }) => found?.entity
          )
        assert.isUndefined(yield* find(added))
        assert.deepStrictEqual(yield* find(other), ofOther)
        // A snapshot can be put back again.
        yield* restore(companyId)
        assert.isUndefined((yield* look("payment", args)).found)
        yield* restore(companyId, "base")
        assert.deepStrictEqual(seen((yield* look("payment", args)).found!), { ...seen(before), restores: 3 })
      }).pipe(onEmpty)
    )

    it.effect("puts the clock back, and without a name on the machine's time", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const clocks = yield* CompanyClocks
        const { id } = yield* keptCompany
        const advance = Effect.fnUntraced(function* (offset: number) {
          const lease = yield* clocks.lease(id, {
            from: minute(0),
            target: minute(9),
            owner: "one",
            now: minute(0),
            until: minute(99)
          })
          const held = Option.getOrThrow(lease)
          yield* clocks.advance(held, { now: minute(0), offset: ClockOffset.make(offset) })
          return held
        })
        const offset = Effect.map(clocks.find(id), (found) => Option.getOrThrow(found).offset)
        const first = yield* advance(1_000)
        assert.strictEqual(yield* reasonOf(take(id)), "AdvanceUnderWay")
        assert.strictEqual(yield* reasonOf(restore(id)), "AdvanceUnderWay")
        yield* clocks.release(first)
        yield* take(id)
        yield* clocks.release(yield* advance(2_000))
        yield* restore(id, "base")
        assert.strictEqual(yield* offset, 1_000)
        yield* restore(id)
        assert.strictEqual(yield* offset, 0)
        assert.deepStrictEqual(yield* clocks.lastAdvance(id), Option.none())
      }).pipe(onEmpty)
    )

    it.effect("gives no number, cursor or name out again", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const journal = yield* Journal
        const endpoints = yield* WebhookEndpoints
        const { id } = yield* keptCompany
        const entry = (number: number) => newEntry(id, SvcPayId.make(number))
        const { id: endpointId } = yield* keptEndpoint(id)
        const first = yield* keptDelivery(id, endpointId)
        yield* writeEntries([entry(1)])
        yield* take(id)
        const later = yield* keptDelivery(id, endpointId)
        yield* writeEntries([entry(2)])
        const { next } = yield* journal.follow(undefined, 9, id)
        yield* restore(id, "base")
        const outbox = yield* Outbox
        const listed = yield* outbox.list(id, {}, Number.MAX_SAFE_INTEGER, 9)
        assert.deepStrictEqual(
          listed.map(({ webhookId }) => webhookId),
          [first]
        )
        assert.isAbove(yield* keptDelivery(id, endpointId), later)
        // Who followed beyond the snapshot sees what is new, and nothing twice.
        assert.deepStrictEqual((yield* journal.follow(next, 9, id)).entries, [])
        yield* writeEntries([entry(3)])
        assert.deepStrictEqual(
          (yield* journal.follow(next, 9, id)).entries.map(({ subject }) => subject.id),
          ["3"]
        )
        yield* restore(id)
        assert.deepStrictEqual(yield* endpoints.ofCompany(id), [])
        assert.isAbove((yield* keptEndpoint(id)).id, endpointId)
      }).pipe(onEmpty)
    )

    it.effect("runs a command again that loaded the company before it was restored", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const store = yield* CommandStore
        const writesOf = yield* writes
        const { args, companyId, opened } = yield* keptPayment
        yield* take(companyId)
        const stale = (yield* look("payment", args)).found!
        yield* restore(companyId, "base")
        const decidedOn: Array<number> = []
        yield* store.run({
          load: "payment",
          args,
          decide: (loaded) => {
            const found = decidedOn.length === 0 ? stale : loaded.found
            decidedOn.push(found!.restores)
            const next = { ...opened, value: Cents.make(opened.value + decidedOn.length) }
            const change = { table: "transactions", before: opened, next, customerId: found!.customer.id } as const
            return Result.succeed({
              value: undefined,
              writes: writesOf({ guards: [found!.guard], changes: [change] }, found!)
            })
          }
        })
        assert.deepStrictEqual(decidedOn, [0, 1])
        assert.strictEqual((yield* look("payment", args)).found!.transaction.value, opened.value + 2)
      }).pipe(onEmpty)
    )

    it.effect("ends leases: what was leased is due, and whoever leased it before writes nothing", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const dueWork = yield* DueWork
        const outbox = yield* Outbox
        const { id: companyId } = yield* keptCompany
        const { id: endpointId } = yield* keptEndpoint(companyId)
        const webhookId = yield* keptDelivery(companyId, endpointId)
        yield* dueWork.schedule([{ kind: "send payment", subject: "7", companyId, ...atOnce(minute(0)) }])
        const leasing = { now: minute(1), until: minute(60), limit: 9 }
        const lease = (owner: string) =>
          dueWork.lease({ kind: "send payment", owner, ...leasing, perCompany: 9, except: [] })
        const [work] = yield* lease("one")
        const [delivery] = yield* outbox.lease(endpointId, { owner: "one", ...leasing })
        yield* take(companyId)
        yield* restore(companyId, "base")
        assert.isFalse(yield* dueWork.done(work!))
        const made = { startedAt: minute(1), duration: 1, status: 200, problem: undefined }
        assert.isFalse(yield* recordTry(delivery!, { _tag: "Delivered", at: minute(2) }, made))
        assert.deepStrictEqual(
          (yield* lease("two")).map(({ subject }) => subject),
          ["7"]
        )
        const again = yield* outbox.lease(endpointId, { owner: "two", ...leasing })
        assert.deepStrictEqual(
          again.map((one) => one.webhookId),
          [webhookId]
        )
      }).pipe(onEmpty)
    )

    it.effect("keeps no report that was asked for before, and marks none that was read before", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const payments = yield* IncomingPayments
        const { id: companyId } = yield* keptCompany
        const report = (id: string) => ({
          method: "pix" as const,
          id,
          reference: { kind: "txid", value: "t" } as const,
          value: Cents.make(1),
          paidAt: minute(0),
          companyId
        })
        const at = { now: minute(1), owner: "one", until: minute(2), companyId, restores: 0 }
        const { payment } = yield* payments.keep(report("a"), at)
        yield* take(companyId)
        yield* restore(companyId, "base")
        assert.strictEqual((yield* Effect.flip(payments.keep(report("b"), at))).reason._tag, "CompanyRestored")
        yield* payments.mark(payment, { standing: "applied" })
        const left = yield* payments.list({ companyId }, { after: 0, limit: 9 })
        assert.deepStrictEqual(
          left.map(({ report: { id }, restores, standing }) => [id, standing, restores]),
          [["a", "waiting", 1]]
        )
      }).pipe(onEmpty)
    )

    it.effect("does all of it or nothing, beside as well: what a crash cuts off is done again, whole", () =>
      Effect.gen(function* () {
        const { port } = yield* snapshots
        const { args, companyId, customer } = yield* keptPayment
        const { id } = yield* port.take(companyId, "base", request)
        const moved = { ...customer, name: "Bia" }
        yield* writeChange({ table: "customers", before: customer, next: moved })
        const nameNow = Effect.map(look("payment", args), ({ found }) => found?.customer.name)
        // As a process that is killed between the two commits.
        const killed = yield* Effect.exit(
          port.restore(companyId, "base", { ...request, beside: () => Effect.die("-9") })
        )
        assert.isTrue(Exit.hasDies(killed))
        assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[companyId], "Bia"])
        const besides: Array<Restored> = []
        const beside = (of: Restored) => Effect.sync(() => void besides.push(of))
        const isDone = () => Effect.succeed(false)
        assert.strictEqual(yield* port.finish(companyId, { ...request, beside, isDone }), "Done")
        assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[], customer.name])
        // Somebody else has finished it.
        assert.strictEqual(yield* port.finish(companyId, { ...request, beside, isDone }), "Done")
        assert.deepStrictEqual(besides, [{ snapshotId: id, restores: 1 }])
      }).pipe(onEmpty)
    )

    it.effect("ends a restore that failed by what is done beside: finishes it, or leaves nothing of it", () =>
      Effect.gen(function* () {
        const { port, take } = yield* snapshots
        const { args, companyId, customer } = yield* keptPayment
        const { id } = yield* take(companyId)
        yield* writeChange({ table: "customers", before: customer, next: { ...customer, name: "Bia" } })
        const nameNow = Effect.map(look("payment", args), ({ found }) => found?.customer.name)
        const asked: Array<Restored> = []
        const settle = (isDone: boolean, begunAt = request.at) =>
          port.settle(companyId, begunAt, {
            at: request.at,
            layout,
            beside: () => Effect.void,
            isDone: (of) => Effect.sync(() => isDone || asked.push(of) === 0)
          })
        const down = { ...request, beside: () => Effect.fail({ reason: "down" }) }
        assert.strictEqual(yield* reasonOf(port.restore(companyId, "base", down)), "down")
        // A restore that was begun since is not ended.
        yield* settle(false, minute(4))
        assert.deepStrictEqual([yield* port.unfinished, asked], [[companyId], []])
        yield* settle(false)
        assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[], "Bia"])
        assert.deepStrictEqual(asked, [{ snapshotId: id, restores: 1 }])
        // As where the store beside commits, and its reply or the commit here is lost.
        yield* reasonOf(port.restore(companyId, "base", down))
        yield* settle(true)
        assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[], customer.name])
        yield* settle(true)
        assert.strictEqual((yield* look("payment", args)).found!.restores, 1)
      }).pipe(onEmpty)
    )

    it.effect("says which snapshots there are once none is being taken, and drops a restore to none", () =>
      Effect.gen(function* () {
        const { port, take } = yield* snapshots
        const { id: companyId } = yield* keptCompany
        const swept: Array<ReadonlyArray<number>> = []
        const sweep = port.sweep((kept) => Effect.sync(() => void swept.push([...kept])))
        const first = yield* take(companyId)
        const begun = yield* Deferred.make<void>()
        const goesOn = yield* Deferred.make<void>()
        const beside = () => Effect.as(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(goesOn)), 0)
        const taking = yield* Effect.forkChild(port.take(companyId, "other", { ...request, beside }))
        yield* Deferred.await(begun)
        const sweeping = yield* Effect.forkChild(sweep)
        for (let turns = 0; turns < 5_000; turns++) yield* turn
        assert.deepStrictEqual(swept, [])
        yield* Deferred.succeed(goesOn, undefined)
        const second = yield* Fiber.join(taking)
        yield* Fiber.join(sweeping)
        assert.deepStrictEqual(swept, [[first.id, second.id]])
        yield* Effect.exit(port.restore(companyId, "base", { ...request, beside: () => Effect.die("-9") }))
        yield* port.remove(companyId, "base")
        const isDone = () => Effect.succeed(false)
        assert.strictEqual(yield* port.finish(companyId, { ...request, beside: () => Effect.void, isDone }), "Undone")
        assert.deepStrictEqual(yield* port.unfinished, [])
      }).pipe(onEmpty)
    )

    it.effect("lists by name, replaces one of the same name, and refuses what it has not", () =>
      Effect.gen(function* () {
        const { port, restore, take } = yield* snapshots
        const { id } = yield* keptCompany
        const other = CompanyId.make(id + 99)
        const first = yield* take(id, "b")
        yield* take(id, "a")
        yield* keptCustomer(id)
        const second = yield* take(id, "b")
        assert.deepStrictEqual([first.replaced, second.replaced], [undefined, first.id])
        assert.isAbove(second.rows, first.rows)
        const listed = yield* port.list(id)
        assert.deepStrictEqual(
          listed.map(({ name, rows, takenAt }) => [name, rows, takenAt]),
          [
            ["a", 0, minute(5)],
            ["b", second.rows, minute(5)]
          ]
        )
        assert.isTrue(Option.isSome(yield* port.remove(id, "a")))
        assert.isTrue(Option.isNone(yield* port.remove(id, "a")))
        assert.strictEqual(yield* reasonOf(restore(id, "a")), "SnapshotNotFound")
        assert.strictEqual(yield* reasonOf(restore(other)), "CompanyNotFound")
        assert.strictEqual(yield* reasonOf(take(other)), "CompanyNotFound")
        const otherLayout = { ...request, layout: "another layout", beside: () => Effect.void }
        assert.strictEqual(yield* reasonOf(port.restore(id, "b", otherLayout)), "OtherLayout")
        assert.deepStrictEqual(yield* port.unfinished, [])
      }).pipe(onEmpty)
    )

    it.effect("comes before or after each command that runs at the same time", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const { id } = yield* keptCompany
        yield* keptEndpoint(id)
        yield* take(id)
        const customers = yield* Effect.forEach(Array.from({ length: 24 }), () => newCustomer(id))
        const ran = yield* Effect.all(
          [
            ...customers.map((next) => Effect.exit(writeChange({ table: "customers", next }))),
            ...Array.from({ length: 3 }, () => Effect.exit(restore(id, "base")))
          ],
          { concurrency: "unbounded" }
        )
        for (const exit of ran) assert.isTrue(Exit.isSuccess(exit), String(exit))
        yield* restore(id, "base")
        // Several that are asked for at once may be one.
        const { found } = yield* look("company", { companyId: id })
        assert.isAtLeast(found?.restores ?? 0, 2)
        for (const { id: customerId } of customers) {
          const left = yield* look("customer", { companyId: id, ref: { typeId: "svcPayId", id: customerId } })
          assert.isUndefined(left.found)
        }
      }).pipe(onEmpty)
    )
  })
