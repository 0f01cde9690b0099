import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { Leases } from "@parcela/engine/ports/Leases"
import { storedCompany, storedEndpoint, minute } from "./fixtures/StoreFixtures.ts"
import { writeDeliveries } from "@parcela/test-world/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Array, Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** More than two steps, and no whole number of them. */
const many = 1_234

/** As many rows of due work and deliveries, each with a wait of five minutes that began at minute 100. */
const waiting = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const outbox = yield* Outbox
  const { id: companyId } = yield* storedCompany
  const { id: endpointId } = yield* storedEndpoint(companyId)
  const owner = "one"
  const wait = { now: minute(100), until: minute(105), owner, limit: many }
  const numbers = Array.range(1, many)
  const work = { kind: "send payment", companyId, clock: "business", dueAt: minute(0) } as const
  yield* dueWork.schedule(numbers.map((subject) => ({ ...work, subject: `${subject}` })))
  yield* dueWork.lease({ ...wait, kind: work.kind, perCompany: many, except: [] })
  const event = "transaction.updateStatus"
  const delivery = { companyId, endpointId, event, payload: "{}", createdAt: minute(0) } as const
  for (const chunk of Array.chunksOf(numbers, 500)) {
    yield* writeDeliveries(chunk.map((id) => ({ ...delivery, transactionId: SvcPayId.make(id) })))
  }
  yield* outbox.lease(endpointId, wait)
})

/** The numbers of rows of both tables that are leased or due since that minute, and of leased rows. */
const rowsSince = Effect.fnUntraced(function* (since: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ rows: number; leased: number }>`
    SELECT count(*) AS "rows", count(lease_owner) AS leased FROM (
      SELECT waits_since, due_at, lease_owner FROM due_work
      UNION ALL
      SELECT COALESCE(leased_at, ${minute(since)}), COALESCE(leased_until, ${minute(since)}), lease_owner FROM deliveries
    ) AS waiting WHERE waits_since = ${minute(since)}
      AND due_at = CASE WHEN lease_owner IS NULL THEN ${minute(since)} ELSE ${minute(since + 5)} END
  `
  return { rows: Number(rows[0]!.rows), leased: Number(rows[0]!.leased) }
})

/** Runs an effect as a process that is killed before it sends its statement of that number which changes rows. */
const killedBefore = <A, E, R>(change: number, effect: Effect.Effect<A, E, R>) => {
  let changes = 0
  const kill: Statement.Transformer = (statement) =>
    statement.compile()[0].includes("UPDATE") && ++changes === change ? Effect.interrupt : Effect.succeed(statement)
  return Effect.exit(Effect.provideService(effect, Statement.CurrentTransformer, kill))
}

/** The increase of a count after each writing statement of an effect. */
const changedBetween = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  count: Effect.Effect<number, E, R>,
  effect: Effect.Effect<A, E2, R2>
) {
  const counted = Effect.orDie(Effect.provideService(count, Statement.CurrentTransformer, undefined))
  const context = yield* Effect.context<R>()
  const counts = [yield* count]
  const look: Statement.Transformer = (statement) =>
    statement.compile()[0].includes("UPDATE")
      ? Effect.as(
          Effect.provide(
            Effect.tap(counted, (now) => Effect.sync(() => counts.push(now))),
            context
          ),
          statement
        )
      : Effect.succeed(statement)
  yield* Effect.provideService(effect, Statement.CurrentTransformer, look)
  counts.push(yield* count)
  return counts.slice(1).map((now, place) => now - counts[place]!)
})

/** The number of statements of an effect. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  let statements = 0
  const count: Statement.Transformer = (statement) => Effect.sync(() => (++statements, statement))
  yield* Effect.provideService(effect, Statement.CurrentTransformer, count)
  return statements
})

const all = 2 * many

/** Operations that change leases and delays of any number of rows. `to` is their minute afterwards, `leased` the number of leases left. */
const changes = (isShared: boolean) => [
  {
    name: "a clock that was set back",
    to: 10,
    leased: all,
    change: Leases.use((leases) => leases.shortenWaits(minute(10)))
  },
  {
    name: "a start",
    to: 10,
    // Other processes may have them.
    leased: isShared ? all : 0,
    change: Leases.use((leases) => leases.recover(minute(10)))
  },
  {
    name: "a process that stops",
    to: 101,
    leased: 0,
    change: Leases.use((leases) => leases.releaseOwned("one", minute(101)))
  }
]

forEachStore((name, store) =>
  describe.each(changes(name === "PostgreSQL"))(`${name}: $name`, ({ change, leased, to }) => {
    it.effect("changes all rows, at most 500 in each commit", () =>
      Effect.gen(function* () {
        yield* waiting
        const changed = yield* changedBetween(
          Effect.map(rowsSince(to), ({ rows }) => rows),
          change
        )
        assert.isAtMost(Math.max(...changed), 500)
        assert.strictEqual(
          changed.reduce((sum, rows) => sum + rows, 0),
          all
        )
        assert.deepStrictEqual(yield* rowsSince(to), { rows: all, leased })
      }).pipe(Effect.provide(store, { local: true }))
    )

    it.effect("reads no future rows, also of a company with a row to change", () =>
      Effect.gen(function* () {
        const { id: companyId } = yield* storedCompany
        const dueWork = yield* DueWork
        const work = { kind: "send payment", companyId } as const
        const date = { ...work, clock: "business", dueAt: minute(500) } as const
        const lease = {
          ...work,
          clock: "machine",
          dueAt: minute(105),
          waitsSince: minute(100),
          leasedBy: "one"
        } as const
        const statementsWithDates = Effect.fnUntraced(function* (dates: number) {
          yield* dueWork.schedule(Array.range(1, dates).map((subject) => ({ ...date, subject: `${subject}` })))
          yield* dueWork.schedule([{ ...lease, subject: "leased" }])
          return yield* statementsOf(change)
        })
        const few = yield* statementsWithDates(1)
        assert.strictEqual(yield* statementsWithDates(many), few)
      }).pipe(Effect.provide(store, { local: true }))
    )

    it.effect("changes jobs without a company too", () =>
      Effect.gen(function* () {
        const wait = { clock: "machine", dueAt: minute(105), waitsSince: minute(100), leasedBy: "one" } as const
        yield* DueWork.use((dueWork) => dueWork.schedule([{ ...wait, kind: "send payment", subject: "1" }]))
        yield* change
        assert.deepStrictEqual(yield* rowsSince(to), { rows: 1, leased: leased === 0 ? 0 : 1 })
      }).pipe(Effect.provide(store, { local: true }))
    )

    it.effect("executes no statement for companies without a row to change", () =>
      Effect.gen(function* () {
        const wait = { kind: "send payment", clock: "machine", dueAt: minute(9), waitsSince: minute(0) } as const
        const before = yield* statementsOf(change)
        for (const subject of ["1", "2", "3"]) {
          const { id: companyId } = yield* storedCompany
          yield* DueWork.use((dueWork) => dueWork.schedule([{ ...wait, companyId, subject }]))
        }
        assert.strictEqual(yield* statementsOf(change), before)
      }).pipe(Effect.provide(store, { local: true }))
    )

    it.effect("is completed by the next run after a crash, and changes no row twice", () =>
      Effect.gen(function* () {
        yield* waiting
        yield* killedBefore(3, change)
        const { rows } = yield* rowsSince(to)
        assert.isAbove(rows, 0)
        assert.isBelow(rows, all)
        yield* Effect.all([change, change], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* rowsSince(to), { rows: all, leased })
        yield* change
        assert.deepStrictEqual(yield* rowsSince(to), { rows: all, leased })
      }).pipe(Effect.provide(store, { local: true }))
    )
  })
)
