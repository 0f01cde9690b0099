/**
 * Tries that have ended, as statements over many of them.
 *
 * @since 0.1.0
 */
import type { DeliveryResult, EndedTry } from "@parcela/engine/ports/Outbox"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"

/** What a try brings of its delivery and of itself, by the types that PostgreSQL reads it as. */
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
  try_problem: "text"
} as const

/**
 * @category models
 * @since 0.1.0
 */
export type Row = Readonly<Record<keyof typeof columns, string | number | null>>

const resultRow = (result: DeliveryResult): Pick<Row, "state" | "due_at" | "ended_at" | "problem"> => {
  switch (result._tag) {
    case "Delivered":
      return { state: "delivered", ended_at: result.at, due_at: null, problem: null }
    case "TryAgain":
      return { state: "pending", due_at: result.at, ended_at: null, problem: result.problem }
    case "GivenUp":
      return { state: "given_up", ended_at: result.at, due_at: null, problem: result.problem }
  }
}

/**
 * @category conversions
 * @since 0.1.0
 */
export const rowOf = ({ made, result, token, webhookId }: EndedTry): Row => ({
  webhook_id: webhookId,
  token,
  ...resultRow(result),
  waits_since: result._tag === "TryAgain" ? made.startedAt : null,
  started_at: made.startedAt,
  duration: made.duration,
  status: made.status ?? null,
  try_problem: made.problem ?? null
})

const types = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
const values = Object.keys(columns).map((name) => `value ->> '${name}' AS ${name}`)

/** The rows as a table of a statement: one parameter however many they are, so that the statement is prepared once. */
const ended = (sql: SqlClient, rows: ReadonlyArray<Row>): Fragment => {
  const json = JSON.stringify(rows)
  return sql.onDialectOrElse({
    pg: () => sql`json_to_recordset(${json}::json) AS ended (${sql.literal(types.join(", "))})`,
    orElse: () => sql`(SELECT ${sql.literal(values.join(", "))} FROM json_each(${json})) AS ended`
  })
}

/**
 * A delivery whose lease held.
 *
 * @category models
 * @since 0.1.0
 */
export interface Held {
  readonly webhook_id: number | string
}

/**
 * What becomes of the deliveries; returns those whose leases held.
 *
 * **Details**
 *
 * What is over has no lease. A condition on its state would lead a planner that has old statistics to the indexes of what is
 * pending, and through all of them.
 *
 * @category statements
 * @since 0.1.0
 */
export const settle = (sql: SqlClient, rows: ReadonlyArray<Row>): Statement<Held> => sql<Held>`
  UPDATE deliveries SET tries = deliveries.tries + 1, lease_owner = NULL, lease = NULL, state = ended.state,
    due_at = COALESCE(ended.due_at, deliveries.due_at),
    waits_since = COALESCE(ended.waits_since, deliveries.waits_since),
    last_problem = COALESCE(ended.problem, deliveries.last_problem),
    delivered_at = CASE ended.state WHEN 'delivered' THEN ended.ended_at ELSE deliveries.delivered_at END,
    given_up_at = CASE ended.state WHEN 'given_up' THEN ended.ended_at ELSE deliveries.given_up_at END
  FROM ${ended(sql, rows)}
  WHERE deliveries.webhook_id = ended.webhook_id AND deliveries.lease = ended.token
  RETURNING deliveries.webhook_id
`

/**
 * Adds the tries of some of them.
 *
 * @category statements
 * @since 0.1.0
 */
export const addTries = (sql: SqlClient, rows: ReadonlyArray<Row>, which: Fragment): Fragment => sql`
  INSERT INTO delivery_tries (webhook_id, started_at, duration, status, problem)
  SELECT ended.webhook_id, ended.started_at, ended.duration, ended.status, ended.try_problem
  FROM ${ended(sql, rows)} WHERE ended.webhook_id IN (${which})
`
