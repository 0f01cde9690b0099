/**
 * What becomes of leases at a start, at an end, and when the clock was set back, in SQL.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import { Leases } from "@parcela/engine/ports/Leases"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { noLease } from "./tables/Deliveries.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import type { SqlError } from "effect/sql/SqlError"

const deliveries = {
  table: "deliveries",
  key: ["webhook_id"],
  order: ["endpoint_id", "transaction_id", "webhook_id"],
  among: "state = 'pending'"
}

/**
 * Due work that is leased or waits follows the machine's clock, and an index has it so by company. All other rows are dates to
 * come, of which there may be a million: a look at each of them took seconds of every start. Nothing waits for a quarantined row.
 */
const dueOf = (company: string): Walk => ({
  table: "due_work",
  key: ["kind", "subject"],
  order: ["kind", "due_at", "subject"],
  among: `${company} AND clock = 'machine' AND quarantined_at IS NULL`
})

/** The due work of those companies that have such rows for which `which` holds, and that of no company. */
const dueWhere = (sql: SqlClient.SqlClient, which: Fragment) =>
  // The first in the order of the index: of any row PostgreSQL takes it that it is soon found, and reads the table.
  sql<{ readonly id: unknown }>`
    SELECT id FROM companies WHERE (
      SELECT w.subject FROM due_work AS w
      WHERE w.company_id = companies.id AND w.clock = 'machine' AND w.quarantined_at IS NULL AND ${which}
      ORDER BY w.kind, w.due_at, w.subject LIMIT 1
    ) IS NOT NULL
  `.pipe(
    Effect.map((rows) => [dueOf("company_id IS NULL"), ...rows.map(({ id }) => dueOf(`company_id = ${Number(id)}`))])
  )

/** Ends leases of deliveries: they are due as they were. */
const releaseDeliveries = (sql: SqlClient.SqlClient, which: Fragment) =>
  walk(sql, deliveries, (step) => sql`UPDATE deliveries SET ${sql.literal(noLease)} WHERE ${sql.and([step, which])}`)

/**
 * On SQLite one process has the file (a lock holds a second one off), so at its start no lease can be alive. On
 * PostgreSQL leases of other processes may be, and every lease runs out by itself.
 *
 * All of it is done in steps that are committed one by one. None asks what another left: a start after a crash between
 * two of them begins anew, and two processes at once change a row once.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Leases, never, SqlClient.SqlClient> = Layer.effect(
  Leases,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("due_work"))
    const isShared = sql.onDialectOrElse({ pg: () => true, orElse: () => false })

    const endpoints = { table: "webhook_endpoints", key: ["id"] }
    const clocks = { table: "clock_advances", key: ["company_id"] }

    /** Ends leases and waits of the rows of a table for which `which` holds. */
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
      recover: Effect.fn("Leases.recover")(function* (now: MachineTime) {
        if (!isShared) yield* releaseAll(now)
        yield* shorten(now)
      }, storeErrors),

      releaseOwned: Effect.fn("Leases.releaseOwned")(function* (owner: string, now: MachineTime) {
        yield* releaseDue(sql`lease_owner = ${owner}`, now)
        yield* releaseDeliveries(sql, sql`lease_owner = ${owner}`)
        yield* release(clocks, sql`lease_owner = ${owner}`, now)
      }, storeErrors),

      shortenWaits: Effect.fn("Leases.shortenWaits")(shorten, storeErrors)
    })
  })
)

/** How many rows a step goes through. */
const stepLength = 500

/**
 * Which rows are walked over: those of `table` where `among` holds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Walk {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: ReadonlyArray<string>
  /**
   * Columns that are unique together and by which an index has the rows of `among`; the key when it is absent. A change may move
   * a row back, or on to where it changes nothing more.
   */
  readonly order?: ReadonlyArray<string>
  readonly among?: string
}

/** Runs `change` with the condition of each step, first row to last. Rows that are written meanwhile may be skipped. */
const walk = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { among = "TRUE", key, order = key, table }: Walk,
  change: (step: Fragment) => Effect.Effect<unknown, SqlError>
) {
  const places = sql.literal(order.join(", "))
  const values = sql.join(", ", false)
  let rest = sql`${sql.literal(among)}`
  while (true) {
    const step = sql`FROM ${sql(table)} WHERE ${rest} ORDER BY ${places}`
    const rows: ReadonlyArray<Record<string, unknown>> = yield* sql`
      SELECT ${places} ${step} LIMIT 1 OFFSET ${stepLength - 1}
    `
    const keys = sql.literal(key.join(", "))
    // The rows by their key, as a range of places would make both databases take another index and read all of it.
    yield* change(sql`(${keys}) IN (SELECT ${keys} ${step} LIMIT ${stepLength})`)
    const [last] = rows
    if (last === undefined) return
    rest = sql`${sql.literal(among)} AND (${places}) > (${values(order.map((column) => sql`${last[column]}`))})`
  }
})
