import { assert, describe, it } from "@effect/vitest"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Outbox } from "@parcela/engine/ports/Outbox"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { Leases } from "@parcela/engine/ports/Leases"
import { keptCompany, keptEndpoint, minute } from "@parcela/testing/StoreFixtures"
import { writeDeliveries } from "@parcela/testing/StoreWrites"
import { forEachStore } from "@parcela/tooling-postgres/Stores"
import { Array, Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"

/** More than two steps, and no whole number of them. */
const many = 1_234

/** As many rows of due work and deliveries, each with a wait of five minutes that began at minute 100. */
const waiting = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const outbox = yield* Outbox
  const { id: companyId } = yield* keptCompany
  const { id: endpointId } = yield* keptEndpoint(companyId)
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

/** How many rows of both tables wait since that minute, until five minutes later, and how many have a lease. */
const rowsSince = Effect.fnUntraced(function* (since: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ rows: number; leased: number }>`
    SELECT count(*) AS "rows", count(lease_owner) AS leased FROM (
      SELECT waits_since, due_at, lease_owner FROM due_work
      UNION ALL
      SELECT COALESCE(leased_at, ${minute(since)}), COALESCE(leased_until, ${minute(since)}), lease_owner FROM deliveries
    ) AS waiting WHERE waits_since = ${minute(since)} AND due_at IN (${minute(since)}, ${minute(since + 5)})
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

/** What changes leases and waits of any number of rows; `to` is the minute that they have then. */
const changes = [
  { name: "a clock that was set back", to: 10, change: Leases.use((leases) => leases.shortenWaits(minute(10))) },
  { name: "a start", to: 10, change: Leases.use((leases) => leases.recover(minute(10))) },
  { name: "a process that stops", to: 101, change: Leases.use((leases) => leases.releaseOwned("one", minute(101))) }
]

forEachStore((name, store) =>
  describe.each(changes)(`${name}: $name`, ({ change, to }) => {
    it.effect("changes 500 rows with each commit at most, and all in the end", () =>
      Effect.gen(function* () {
        yield* waiting
        for (let commits = 0, before = 0; commits < 6; commits++) {
          yield* killedBefore(commits + 1, change)
          const { rows } = yield* rowsSince(to)
          assert.isAtMost(rows - before, 500, `with commit ${commits}`)
          before = rows
        }
        yield* change
        assert.strictEqual((yield* rowsSince(to)).rows, 2 * many)
      }).pipe(Effect.provide(store, { local: true }))
    )

    it.effect("is finished by the next one when a crash cuts it off, and changes no row twice", () =>
      Effect.gen(function* () {
        yield* waiting
        yield* killedBefore(3, change)
        const { rows } = yield* rowsSince(to)
        assert.isAbove(rows, 0)
        assert.isBelow(rows, 2 * many)
        yield* Effect.all([change, change], { concurrency: "unbounded" })
        const after = yield* rowsSince(to)
        assert.strictEqual(after.rows, 2 * many)
        yield* change
        assert.deepStrictEqual(yield* rowsSince(to), after)
      }).pipe(Effect.provide(store, { local: true }))
    )
  })
)
