/** Tests of the port `CompanySnapshots`. */
import { assert, describe, it } from "@effect/vitest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { Cents } from "@parcela/core/money/Cents"
import { ClockOffset } from "@parcela/core/time/Instant"
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
import { Deferred, Effect, Exit, Fiber, Layer, Option, Result } from "effect"
import { storedPayment, writes } from "./fixtures/CommandStoreFixtures.ts"
import {
  storedCompany,
  storedCustomer,
  storedEndpoint,
  minute,
  newCustomer,
  newEntry
} from "./fixtures/StoreFixtures.ts"
import { look, recordAttempt, writeChange, writeDeliveries, writeEntries } from "@parcela/test-world/StoreWrites"
import { storedChargePayment } from "./fixtures/ChargeFixtures.ts"
import { forEachStore, type TestStore } from "@parcela/tooling-postgres/Stores"
import { SqlClient } from "effect/sql"
import * as CompanyRows from "../src/CompanyRows.ts"
import * as CompanySnapshotsSql from "../src/CompanySnapshotsSql.ts"
import { companyTables, staying } from "../src/tables/CompanyTables.ts"

const layout = "a layout"

/** A second store, which records its requests. */
const request = { at: minute(5), layout, secondary: () => Effect.succeed(0) }

const snapshots = Effect.gen(function* () {
  const port = yield* CompanySnapshots
  return {
    port,
    take: (companyId: CompanyId, name = "base") => port.take(companyId, name, request),
    restore: (companyId: CompanyId, name?: string) =>
      port.restore(companyId, name, { ...request, secondary: () => Effect.void })
  }
})

const storedDelivery = Effect.fnUntraced(function* (companyId: CompanyId, endpointId: number) {
  const outbox = yield* Outbox
  const event = "transaction.updateStatus" as const
  const transactionId = SvcPayId.make(1)
  yield* writeDeliveries([{ companyId, endpointId, event, transactionId, payload: "{}", createdAt: minute(0) }])
  const [last] = yield* outbox.list(companyId, {}, Number.MAX_SAFE_INTEGER, 1)
  return last!.webhookId
})

const tick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** The loaded payment without its guard. */
const seen = ({ customer, restores, transaction }: PaymentContext) => ({ customer, restores, transaction })

const reasonOf = <A, E extends { readonly reason: unknown }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

const suite = (name: string, layer: Layer.Layer<StorePorts | CompanySnapshots, unknown>): void =>
  void describe(`CompanySnapshots (${name})`, () => {
    const onEmpty = <A, E, R>(test: Effect.Effect<A, E, R>) => Effect.provide(test, layer, { local: true })

    it.effect("restores the company's rows, deletes later rows, and changes no other company", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const { args, companyId, customer } = yield* storedPayment
        const other = yield* storedCustomer((yield* storedCompany).id)
        const before = (yield* look("payment", args)).found!
        const { rows } = yield* take(companyId)
        assert.isAbove(rows, 5)
        yield* writeChange({ table: "customers", before: customer, next: { ...customer, name: "Bia" } })
        const added = yield* storedCustomer(companyId)
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

    it.effect("restores the company's clock; a restore without a name sets it to the machine's time", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const clocks = yield* CompanyClocks
        const { id } = yield* storedCompany
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

    it.effect("assigns no number, cursor or name a second time", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const journal = yield* Journal
        const endpoints = yield* WebhookEndpoints
        const { id } = yield* storedCompany
        const entry = (number: number) => newEntry(id, SvcPayId.make(number))
        const { id: endpointId } = yield* storedEndpoint(id)
        const first = yield* storedDelivery(id, endpointId)
        yield* writeEntries([entry(1)])
        yield* take(id)
        const later = yield* storedDelivery(id, endpointId)
        yield* writeEntries([entry(2)])
        const { next } = yield* journal.follow(undefined, 9, id)
        yield* restore(id, "base")
        const outbox = yield* Outbox
        const listed = yield* outbox.list(id, {}, Number.MAX_SAFE_INTEGER, 9)
        assert.deepStrictEqual(
          listed.map(({ webhookId }) => webhookId),
          [first]
        )
        assert.isAbove(yield* storedDelivery(id, endpointId), later)
        // Who followed beyond the snapshot sees what is new, and nothing twice.
        assert.deepStrictEqual((yield* journal.follow(next, 9, id)).entries, [])
        yield* writeEntries([entry(3)])
        assert.deepStrictEqual(
          (yield* journal.follow(next, 9, id)).entries.map(({ subject }) => subject.id),
          ["3"]
        )
        yield* restore(id)
        assert.deepStrictEqual(yield* endpoints.ofCompany(id), [])
        assert.isAbove((yield* storedEndpoint(id)).id, endpointId)
      }).pipe(onEmpty)
    )

    it.effect("reruns a command that loaded the company before the restore", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const store = yield* CommandStore
        const writesOf = yield* writes
        const { args, companyId, opened } = yield* storedPayment
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

    it.effect("ends leases: leased rows are due again, and their former owners write nothing", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const dueWork = yield* DueWork
        const outbox = yield* Outbox
        const { id: companyId } = yield* storedCompany
        const { id: endpointId } = yield* storedEndpoint(companyId)
        const webhookId = yield* storedDelivery(companyId, endpointId)
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
        assert.isFalse(yield* recordAttempt(delivery!, { _tag: "Delivered", at: minute(2) }, made))
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

    it.effect("discards reports that were requested before the restore, and marks none that were read before it", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const payments = yield* IncomingPayments
        const { id: companyId } = yield* storedCompany
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

    it.effect(
      "restores all or nothing, together with the other store, and completes a restore that a crash interrupted",
      () =>
        Effect.gen(function* () {
          const { port } = yield* snapshots
          const { args, companyId, customer } = yield* storedPayment
          const { id } = yield* port.take(companyId, "base", request)
          const moved = { ...customer, name: "Bia" }
          yield* writeChange({ table: "customers", before: customer, next: moved })
          const nameNow = Effect.map(look("payment", args), ({ found }) => found?.customer.name)
          // As a process that is killed between the two commits.
          const killed = yield* Effect.exit(
            port.restore(companyId, "base", { ...request, secondary: () => Effect.die("-9") })
          )
          assert.isTrue(Exit.hasDies(killed))
          assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[companyId], "Bia"])
          const ended: Array<Restored> = []
          const end = (of: Restored) => Effect.sync(() => void ended.push(of))
          const isDone = () => Effect.succeed(false)
          assert.strictEqual(yield* port.finish(companyId, { ...request, secondary: end, isDone }), "Done")
          assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[], customer.name])
          // Another process has completed it.
          assert.strictEqual(yield* port.finish(companyId, { ...request, secondary: end, isDone }), "Done")
          assert.deepStrictEqual(ended, [{ snapshotId: id, restores: 1 }])
        }).pipe(onEmpty)
    )

    it.effect("completes or undoes a restore that failed in the other store", () =>
      Effect.gen(function* () {
        const { port, take } = yield* snapshots
        const { args, companyId, customer } = yield* storedPayment
        const { id } = yield* take(companyId)
        yield* writeChange({ table: "customers", before: customer, next: { ...customer, name: "Bia" } })
        const nameNow = Effect.map(look("payment", args), ({ found }) => found?.customer.name)
        const checked: Array<Restored> = []
        const settle = (isDone: boolean, begunAt = request.at) =>
          port.settle(companyId, begunAt, {
            at: request.at,
            layout,
            secondary: () => Effect.void,
            isDone: (of) => Effect.sync(() => isDone || checked.push(of) === 0)
          })
        const down = { ...request, secondary: () => Effect.fail({ reason: "down" }) }
        assert.strictEqual(yield* reasonOf(port.restore(companyId, "base", down)), "down")
        // A restore that was begun since is not ended.
        yield* settle(false, minute(4))
        assert.deepStrictEqual([yield* port.unfinished, checked], [[companyId], []])
        yield* settle(false)
        assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[], "Bia"])
        assert.deepStrictEqual(checked, [{ snapshotId: id, restores: 1 }])
        // As if the second store has committed, and its reply or this commit is lost.
        yield* reasonOf(port.restore(companyId, "base", down))
        yield* settle(true)
        assert.deepStrictEqual([yield* port.unfinished, yield* nameNow], [[], customer.name])
        yield* settle(true)
        assert.strictEqual((yield* look("payment", args)).found!.restores, 1)
      }).pipe(onEmpty)
    )

    it.effect("lists the snapshots when none is in progress, and drops a restore without a snapshot", () =>
      Effect.gen(function* () {
        const { port, take } = yield* snapshots
        const { id: companyId } = yield* storedCompany
        const swept: Array<ReadonlyArray<number>> = []
        const sweep = port.sweep((stored) => Effect.sync(() => void swept.push([...stored])))
        const first = yield* take(companyId)
        const started = yield* Deferred.make<void>()
        const goesOn = yield* Deferred.make<void>()
        const waiting = () => Effect.as(Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(goesOn)), 0)
        const taking = yield* Effect.forkChild(port.take(companyId, "other", { ...request, secondary: waiting }))
        yield* Deferred.await(started)
        const sweeping = yield* Effect.forkChild(sweep)
        for (let ticks = 0; ticks < 5_000; ticks++) yield* tick
        assert.deepStrictEqual(swept, [])
        yield* Deferred.succeed(goesOn, undefined)
        const second = yield* Fiber.join(taking)
        yield* Fiber.join(sweeping)
        assert.deepStrictEqual(swept, [[first.id, second.id]])
        yield* Effect.exit(port.restore(companyId, "base", { ...request, secondary: () => Effect.die("-9") }))
        yield* port.remove(companyId, "base")
        const isDone = () => Effect.succeed(false)
        assert.strictEqual(
          yield* port.finish(companyId, { ...request, secondary: () => Effect.void, isDone }),
          "Undone"
        )
        assert.deepStrictEqual(yield* port.unfinished, [])
      }).pipe(onEmpty)
    )

    it.effect("lists snapshots by name, replaces one with the same name, and refuses an unknown name", () =>
      Effect.gen(function* () {
        const { port, restore, take } = yield* snapshots
        const { id } = yield* storedCompany
        const other = CompanyId.make(id + 99)
        const first = yield* take(id, "b")
        yield* take(id, "a")
        yield* storedCustomer(id)
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
        const otherLayout = { ...request, layout: "another layout", secondary: () => Effect.void }
        assert.strictEqual(yield* reasonOf(port.restore(id, "b", otherLayout)), "OtherLayout")
        assert.deepStrictEqual(yield* port.unfinished, [])
      }).pipe(onEmpty)
    )

    it.effect("is executed before or after each concurrent command", () =>
      Effect.gen(function* () {
        const { restore, take } = yield* snapshots
        const { id } = yield* storedCompany
        yield* storedEndpoint(id)
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
        // Several concurrent requests may be one.
        const { found } = yield* look("company", { companyId: id })
        assert.isAtLeast(found?.restores ?? 0, 2)
        for (const { id: customerId } of customers) {
          const left = yield* look("customer", { companyId: id, ref: { typeId: "svcPayId", id: customerId } })
          assert.isUndefined(left.found)
        }
      }).pipe(onEmpty)
    )
  })

const withSnapshots = (store: TestStore) => Layer.provideMerge(CompanySnapshotsSql.layerNoDeps, store)

forEachStore((name, store) => suite(name, withSnapshots(store)), ["SQLite in memory", "PostgreSQL"])

/** Every table of the database. */
const tablesThere = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<{ name: string }>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    orElse: () => sql<{ name: string }>`
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`
  })
  return rows.map(({ name }) => name).toSorted()
})

/** All rows of the tables that a restore puts back, as texts. */
const allRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const { name } of companyTables) {
    const rows = yield* sql.onDialectOrElse({
      pg: () => sql`SELECT row_to_json(t)::text AS row FROM ${sql(name)} AS t`,
      orElse: () => sql`SELECT * FROM ${sql(name)}`
    })
    found[name] = rows.map((row) => JSON.stringify(row)).toSorted()
  }
  return found
})

forEachStore(
  (name, store) =>
    describe(`the tables of companies (${name})`, () => {
      it.effect("are all tables of the database: each is in snapshots, or is listed with the reason why not", () =>
        Effect.gen(function* () {
          // PostgreSQL numbers by itself.
          const apart = Object.keys(staying).filter((table) => name !== "PostgreSQL" || table !== "sequences")
          const decided = [...companyTables.map((table) => table.name), ...apart]
          assert.deepStrictEqual(yield* tablesThere, decided.toSorted())
        }).pipe(Effect.provide(store, { local: true }))
      )

      it.effect("are restored with every column of every row", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const snapshots = yield* CompanySnapshots
          const { companyId, opened } = yield* storedPayment
          yield* storedChargePayment
          const [endpoint] = yield* sql<{ id: number }>`SELECT id FROM webhook_endpoints`
          yield* writeDeliveries([
            {
              companyId,
              endpointId: Number(endpoint!.id),
              event: "transaction.updateStatus",
              transactionId: opened.id,
              payload: '{"quoted":"a \\" ç \\n 𝄞"}',
              createdAt: minute(0)
            }
          ])
          yield* writeEntries([newEntry(companyId, opened.id)])
          yield* sql`INSERT INTO delivery_attempts (webhook_id, started_at, duration, problem)
            SELECT webhook_id, 1, 2, ${"a 'problem'"} FROM deliveries`
          yield* sql`INSERT INTO due_work (kind, subject, company_id, due_at, failures, clock)
            VALUES ('send payment', '1', ${companyId}, 9007199254740991, 0, 'business')`
          yield* sql`INSERT INTO named_advances (company_id, name, target) VALUES (${companyId}, 'n', 5)`
          const before = yield* allRows
          assert.isAbove(Object.values(before).filter(({ length }) => length > 0).length, 12)
          const request = { at: minute(1), layout: "", secondary: () => Effect.succeed(0) }
          yield* snapshots.take(companyId, "base", request)
          yield* sql`UPDATE customers SET contracts = 5, version = 9 WHERE company_id = ${companyId}`
          yield* sql`DELETE FROM due_work WHERE company_id = ${companyId}`
          yield* snapshots.restore(companyId, "base", { ...request, secondary: () => Effect.void })
          assert.deepStrictEqual(yield* allRows, before)
        }).pipe(Effect.provide(withSnapshots(store), { local: true }))
      )

      it.effect("are copied under a number that an interrupted snapshot used, also of another company", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const rows = CompanyRows.make(sql, companyTables)
          const [full, empty] = [(yield* storedPayment).companyId, (yield* storedCompany).id]
          const copied = (companyId: number) => sql.withTransaction(rows.copy(companyId, 7))
          const all = yield* copied(full)
          assert.isAbove(all, 5)
          assert.deepStrictEqual([yield* copied(full), yield* copied(empty)], [all, 0])
        }).pipe(Effect.provide(store, { local: true }))
      )
    }),
  ["SQLite in memory", "PostgreSQL"]
)
