/**
 * What several statements on deliveries have in common.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { DeliveryFilter, DeliveryState } from "@parcela/engine/ports/Outbox"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Ends a lease. */
export const noLease = "lease_owner = NULL, lease = NULL, leased_at = NULL, leased_until = NULL"

/** A literal, by which a partial index can be found. */
export const isIn = (sql: SqlClient, state: DeliveryState): Fragment => sql`state = ${sql.literal(`'${state}'`)}`

/** What a filter asks for, without the company. */
export const fitting = (
  sql: SqlClient,
  { endpointId, event, from, state, to, transactionId }: DeliveryFilter
): ReadonlyArray<Fragment> => [
  ...(state === undefined ? [] : [isIn(sql, state)]),
  ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
  ...(event === undefined ? [] : [sql`event = ${event}`]),
  ...(transactionId === undefined ? [] : [sql`transaction_id = ${transactionId}`]),
  ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`created_at < ${to}`])
]

// `events` is a JSON array of names without characters that JSON escapes.
const isWanted = `
  EXISTS (
    SELECT 1 FROM webhook_endpoints AS endpoint
    WHERE endpoint.id = deliveries.endpoint_id AND endpoint.events LIKE '%"' || deliveries.event || '"%'
  )
`

/** Its endpoint is on and wants its event: once it is over, it may be made again. */
export const isReplayable = `
  ${isWanted} AND EXISTS (
    SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = deliveries.endpoint_id AND endpoint.state = 'on'
  )
`

/** Its endpoint wants its event. */
export const wanted = (sql: SqlClient): Fragment => sql`${sql.literal(isWanted)}`

export const mayBeReplayed = (sql: SqlClient): Fragment => sql`${sql.literal(isReplayable)}`

export const dueAgain = (sql: SqlClient, now: MachineTime): Fragment => sql`
  state = 'pending', tries = 0, due_at = ${now}, waits_since = ${now}, given_up_at = NULL, delivered_at = NULL
`

export const givenUp = (sql: SqlClient, now: MachineTime, problem: string): Fragment => sql`
  state = 'given_up', given_up_at = ${now}, last_problem = ${problem}, ${sql.literal(noLease)}
`
