/**
 * Records ended delivery attempts, many with one commit.
 *
 * @since 0.1.0
 */
import type { DeliveryResult, EndedAttempt } from "@parcela/engine/ports/Outbox"
import type { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { noLease } from "../tables/Deliveries.ts"

/**
 * Records attempts, and returns the numbers of the deliveries whose leases were still held.
 *
 * @category models
 * @since 0.1.0
 */
export type RecordAttempts = (attempts: ReadonlyArray<EndedAttempt>) => Effect.Effect<ReadonlySet<number>, SqlError>

/**
 * One background transaction of the group commit.
 *
 * @category running
 * @since 0.1.0
 */
export const recordOnSqlite =
  (groupCommit: GroupCommit["Service"]): RecordAttempts =>
  (attempts) =>
    groupCommit.run((transaction) => {
      const rows = attempts.map(rowOf)
      const held = rows.filter((row) => transaction.change(settleRow.text, settleRow.values(row)) > 0)
      for (const row of held) transaction.write(addRow.text, addRow.values(row))
      return numbersOf(held)
    }, true)

/**
 * One statement.
 *
 * @category running
 * @since 0.1.0
 */
export const recordOnPostgres =
  (sql: SqlClient): RecordAttempts =>
  (attempts) =>
    Effect.map(sql.unsafe<Pick<Row, "webhook_id">>(settleAll("$1"), [JSON.stringify(attempts.map(rowOf))]), numbersOf)

const numbersOf = (rows: ReadonlyArray<Pick<Row, "webhook_id">>): ReadonlySet<number> =>
  new Set(rows.map(({ webhook_id }) => Number(webhook_id)))

/** The columns of an ended attempt and its delivery, with their types on PostgreSQL. */
const columns = {
  webhook_id: "bigint",
  token: "text",
  state: "text",
  due_at: "bigint",
  waits_since: "bigint",
  ended_at: "bigint",
  started_at: "bigint",
  duration: "bigint",
  status: "bigint",
  problem: "text",
  attempt_problem: "text"
} as const

type Column = keyof typeof columns

/**
 * @category models
 * @since 0.1.0
 */
export type Row = Readonly<Record<Column, string | number | null>>

const resultRow = (result: DeliveryResult): Pick<Row, "state" | "due_at" | "ended_at" | "problem"> => {
  switch (result._tag) {
    case "Delivered":
      return { state: "delivered", ended_at: result.at, due_at: null, problem: null }
    case "Retry":
      return { state: "pending", due_at: result.at, ended_at: null, problem: result.problem }
    case "Abandoned":
      return { state: "abandoned", ended_at: result.at, due_at: null, problem: result.problem }
  }
}

/**
 * @category conversions
 * @since 0.1.0
 */
export const rowOf = ({ made, result, token, webhookId }: EndedAttempt): Row => ({
  webhook_id: webhookId,
  token,
  ...resultRow(result),
  waits_since: result._tag === "Retry" ? made.startedAt : null,
  started_at: made.startedAt,
  duration: made.duration,
  status: made.status ?? null,
  attempt_problem: made.problem ?? null
})

/**
 * Updates deliveries whose leases are held. The lease is the condition, because an ended delivery has none. A condition on the state would
 * lead a planner with old statistics to the indexes of pending deliveries, of which it would read all.
 */
const settling = (part: (column: Column) => string, from: string): string => `
  UPDATE deliveries SET attempts = deliveries.attempts + 1, ${noLease}, state = ${part("state")},
    due_at = COALESCE(${part("due_at")}, deliveries.due_at),
    waits_since = COALESCE(${part("waits_since")}, deliveries.waits_since),
    last_problem = COALESCE(${part("problem")}, deliveries.last_problem),
    delivered_at = CASE ${part("state")} WHEN 'delivered' THEN ${part("ended_at")} ELSE deliveries.delivered_at END,
    abandoned_at = CASE ${part("state")} WHEN 'abandoned' THEN ${part("ended_at")} ELSE deliveries.abandoned_at END
  ${from}
  WHERE deliveries.webhook_id = ${part("webhook_id")} AND deliveries.lease = ${part("token")}
`

const insertAttempts = "INSERT INTO delivery_attempts (webhook_id, started_at, duration, status, problem)"

/**
 * A statement with some columns of a row as parameters.
 *
 * @category models
 * @since 0.1.0
 */
export interface RowStatement {
  readonly text: string
  readonly values: (row: Row) => ReadonlyArray<string | number | null>
}

const overRow = (parts: ReadonlyArray<Column>, text: (part: (column: Column) => string) => string): RowStatement => ({
  text: text((column) => `?${parts.indexOf(column) + 1}`),
  values: (row) => parts.map((column) => row[column])
})

/**
 * Updates a delivery on SQLite. It changes no row if the lease was lost.
 *
 * @category statements
 * @since 0.1.0
 */
export const settleRow: RowStatement = overRow(
  ["state", "due_at", "waits_since", "problem", "ended_at", "webhook_id", "token"],
  (part) => settling(part, "")
)

/** Adds an attempt on SQLite. */
const addRow: RowStatement = overRow(
  ["webhook_id", "started_at", "duration", "status", "attempt_problem"],
  (part) =>
    `${insertAttempts} VALUES (${part("webhook_id")}, ${part("started_at")}, ${part("duration")}, ${part("status")}, ${part("attempt_problem")})`
)

const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`)

/** All rows as a table. They are one parameter, so that the statement is prepared once. */
const ended = (json: string): string => `json_to_recordset(${json}::json) AS ended (${types.join(", ")})`

/** Updates deliveries and adds attempts on PostgreSQL. Returns the numbers of the deliveries whose leases were held. */
const settleAll = (json: string): string => `
  WITH held AS (${settling((column) => `ended.${column}`, `FROM ${ended(json)}`)} RETURNING deliveries.webhook_id),
    added AS (
      ${insertAttempts}
      SELECT ended.webhook_id, ended.started_at, ended.duration, ended.status, ended.attempt_problem
      FROM ${ended(json)} WHERE ended.webhook_id IN (SELECT held.webhook_id FROM held)
    )
  SELECT webhook_id FROM held
`
