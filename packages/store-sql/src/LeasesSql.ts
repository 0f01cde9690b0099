/**
 * Releases leases at the start and the end of a process, and shortens waits after the clock was set back, in SQL.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import { Leases } from "@parcela/engine/ports/Leases"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { dialectOf } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { noLease } from "./tables/Deliveries.ts"
import * as Spans from "@parcela/engine/Spans"

const deliveries = {
  table: "deliveries",
  key: ["webhook_id"],
  order: ["endpoint_id", "transaction_id", "webhook_id"],
  among: "state = 'pending'"
}

/**
 * The jobs of a company that are leased or in backoff. They are due by the machine's clock, and an index has them by company. All other jobs
 * are future dates: there may be a million, and reading them would delay each start by seconds. A quarantined job has no lease.
 */
const dueOf = (company: string): Walk => ({
  table: "due_work",
  key: ["kind", "subject"],
  order: ["kind", "due_at", "subject"],
  among: `${company} AND clock = 'machine' AND quarantined_at IS NULL`
})

/** The jobs of the companies that have jobs which match `which`, and the jobs without a company. */
const dueWhere = (sql: SqlClient.SqlClient, which: Fragment) =>
  // The order of the index: without an order PostgreSQL expects to find a row soon, and reads the table.
  sql<{ readonly id: unknown }>`
    SELECT id FROM companies WHERE (
      SELECT w.subject FROM due_work AS w
      WHERE w.company_id = companies.id AND w.clock = 'machine' AND w.quarantined_at IS NULL AND ${which}
      ORDER BY w.kind, w.due_at, w.subject LIMIT 1
    ) IS NOT NULL
  `.pipe(
    Effect.map((rows) => [dueOf("company_id IS NULL"), ...rows.map(({ id }) => dueOf(`company_id = ${Number(id)}`))])
  )

/** Ends leases of deliveries. Their due times stay. */
const releaseDeliveries = (sql: SqlClient.SqlClient, which: Fragment) =>
  walk(sql, deliveries, (step) => sql`UPDATE deliveries SET ${sql.literal(noLease)} WHERE ${sql.and([step, which])}`)

/**
 * On SQLite one process holds the file, so at its start all leases are left over. On PostgreSQL other processes may hold leases, and every
 * lease expires.
 *
 * The steps are committed one by one, and none depends on another: a start after a crash repeats all of them, and two processes at once
 * change a row once.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Leases, never, SqlClient.SqlClient> = Layer.effect(
  Leases,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("due_work"))
    const isShared = dialectOf(sql).isPostgres

    const endpoints = { table: "webhook_endpoints", key: ["id"] }
    const clocks = { table: "clock_advances", key: ["company_id"] }

    /** Ends the leases and waits of the rows that match `which`. */
    const release = (rows: Walk, which: Fragment, now: MachineTime) =>
      walk(
        sql,
        rows,
        (step) => sql`
          UPDATE ${sql(rows.table)} SET due_at = ${now}, waits_since = ${now}, lease_owner = NULL, lease = NULL
          WHERE ${sql.and([step, which])}
        `
      )

    const releaseDue = Effect.fnUntraced(function* (which: Fragment, now: MachineTime) {
      for (const due of yield* dueWhere(sql, which)) yield* release(due, which, now)
    })

    const releaseAll = Effect.fnUntraced(function* (now: MachineTime) {
      yield* releaseDue(sql`(lease_owner IS NOT NULL OR failures > 0)`, now)
      yield* releaseDeliveries(sql, sql`lease_owner IS NOT NULL`)
      yield* release(clocks, sql`lease_owner IS NOT NULL`, now)
    })

    const shorten = Effect.fnUntraced(function* (now: MachineTime) {
      for (const [rows, column, since] of [
        ...(yield* dueWhere(sql, sql`waits_since > ${now}`)).map((due) => [due, "due_at", "waits_since"] as const),
        [deliveries, "due_at", "waits_since"],
        [deliveries, "leased_until", "leased_at"],
        [clocks, "due_at", "waits_since"],
        [endpoints, "next_at", "waits_since"]
      ] as const) {
        yield* walk(
          sql,
          rows,
          (step) => sql`
            UPDATE ${sql(rows.table)} SET ${sql(column)} = ${now} + (${sql(column)} - ${sql(since)}), ${sql(since)} = ${now}
            WHERE ${sql.and([step, sql`${sql(since)} > ${now}`])}
          `
        )
      }
    })

    return Leases.of({
      recover: Spans.fn("Leases.recover")(function* (now: MachineTime) {
        if (!isShared) yield* releaseAll(now)
        yield* shorten(now)
      }, storeErrors),

      releaseOwned: Spans.fn("Leases.releaseOwned")(function* (owner: string, now: MachineTime) {
        yield* releaseDue(sql`lease_owner = ${owner}`, now)
        yield* releaseDeliveries(sql, sql`lease_owner = ${owner}`)
        yield* release(clocks, sql`lease_owner = ${owner}`, now)
      }, storeErrors),

      shortenWaits: Spans.fn("Leases.shortenWaits")(shorten, storeErrors)
    })
  })
)

/** The rows of a step. */
const stepLength = 500

/**
 * The rows of a walk: those of `table` that match `among`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Walk {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: ReadonlyArray<string>
  /**
   * The order of the walk: unique columns with an index of the rows of `among`. Default: the key. A change may move a row backwards, or forwards
   * if a second change of the row has no effect.
   */
  readonly order?: ReadonlyArray<string>
  readonly among?: string
}

/**
 * Changes many rows in steps. Each step is a statement on a bounded number of rows with a commit of its own, so that no writer waits for the
 * whole walk. Rows that are written during the walk may be skipped.
 */
const walk = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { among = "TRUE", key, order = key, table }: Walk,
  change: (step: Fragment) => Effect.Effect<unknown, SqlError>
) {
  const position = sql.literal(order.join(", "))
  const values = sql.join(", ", false)
  let rest = sql`${sql.literal(among)}`
  while (true) {
    const step = sql`FROM ${sql(table)} WHERE ${rest} ORDER BY ${position}`
    const rows: ReadonlyArray<Record<string, unknown>> = yield* sql`
      SELECT ${position} ${step} LIMIT 1 OFFSET ${stepLength - 1}
    `
    const keys = sql.literal(key.join(", "))
    // The condition has the keys of the rows: for a range, both databases would choose another index and read all of it.
    yield* change(sql`(${keys}) IN (SELECT ${keys} ${step} LIMIT ${stepLength})`)
    const [last] = rows
    if (last === undefined) return
    rest = sql`${sql.literal(among)} AND (${position}) > (${values(order.map((column) => sql`${last[column]}`))})`
  }
})
