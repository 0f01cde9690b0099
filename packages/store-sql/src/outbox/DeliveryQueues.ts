/**
 * Leases, records and abandons the deliveries of an endpoint.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import type { Delivery, Outbox } from "@parcela/engine/ports/Outbox"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { IsBackground } from "@parcela/sqlite/GroupCommit"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Dialect from "../sql/Dialect.ts"
import { toStoreError } from "../sql/StoreErrors.ts"
import { abandoned, isIn, noLease, sentDeliveries, subscribed } from "../tables/Deliveries.ts"
import type { RecordAttempts } from "./AttemptRecords.ts"
import * as Spans from "@parcela/engine/Spans"

type Shape = Outbox["Service"]

const storeErrors = Effect.mapError(toStoreError("deliveries"))

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  sql: SqlClient,
  record: RecordAttempts
): Pick<Shape, "lease" | "record" | "release" | "abandon" | "abandonUnwanted"> => {
  let leases = 0
  return {
    lease: Spans.fn("Outbox.lease")(
      (endpointId, request) => lease(sql, endpointId, request, `${request.owner} ${++leases}`),
      Effect.provideService(IsBackground, true),
      storeErrors
    ),
    record: Spans.fn("Outbox.record")(record, storeErrors),
    release: Spans.fn("Outbox.release")(function* (held) {
      const tokens = [...new Set(held.map(({ token }) => token))]
      const ids = held.map(({ webhookId }) => webhookId)
      yield* sql`
        UPDATE deliveries SET ${sql.literal(noLease)}
        WHERE ${sql.and([sql.in("webhook_id", ids), sql.in("lease", tokens)])}
      `
    }, storeErrors),
    abandon: Spans.fn("Outbox.abandon")(function* (held, now, problem) {
      for (const { token, webhookId } of held) {
        yield* sql`
          UPDATE deliveries SET ${abandoned(sql, now, problem)} WHERE webhook_id = ${webhookId} AND lease = ${token}
        `
      }
    }, storeErrors),
    abandonUnwanted: Spans.fn("Outbox.abandonUnwanted")(
      (endpointId, request) => abandonUnwanted(sql, endpointId, request),
      storeErrors
    )
  }
}

// No other delivery of the same payment comes first: neither a leased one nor an earlier one that is due. An earlier one
// in backoff does not count.
//
// PostgreSQL turns NOT EXISTS into a join. Without statistics of the table, that join compares each candidate with the whole
// queue of its endpoint. A subquery that is a value runs for each candidate, by the index.
const noOther = (sql: SqlClient, now: MachineTime): Fragment => sql`
  (
    SELECT other.webhook_id FROM deliveries AS other
    WHERE other.endpoint_id = mine.endpoint_id AND other.transaction_id = mine.transaction_id
      AND other.state = 'pending' AND other.webhook_id <> mine.webhook_id AND (
        other.leased_until > ${now}
        OR (other.webhook_id < mine.webhook_id AND (other.due_at <= ${now} OR other.attempts = 0))
      )
    LIMIT 1
  ) IS NULL
`

const lease = Effect.fnUntraced(function* (
  sql: SqlClient,
  endpointId: number,
  { limit, now, owner, until }: Parameters<Shape["lease"]>[1],
  token: string
) {
  const rows = yield* sql<LeasedRow>`
    WITH chosen AS MATERIALIZED (
      SELECT webhook_id FROM deliveries AS mine
      WHERE endpoint_id = ${endpointId} AND state = 'pending' AND due_at <= ${now}
        AND (leased_until IS NULL OR leased_until <= ${now}) AND ${noOther(sql, now)}
      ORDER BY due_at, webhook_id LIMIT ${limit} ${Dialect.skipLocked(sql)}
    )
    UPDATE deliveries SET leased_at = ${now}, leased_until = ${until}, lease_owner = ${owner}, lease = ${token}
    WHERE webhook_id IN (SELECT webhook_id FROM chosen)
    RETURNING ${sql.literal(sentDeliveries.selected)}
  `
  const leased = Arr.getSomes(yield* Effect.forEach(rows, (row) => leasedOf(sql, row, token, now)))
  // RETURNING has no order.
  return leased.toSorted((a, b) => a.webhookId - b.webhookId)
})

/** A row that may not decode. Its number is the primary key, so it is readable. */
interface LeasedRow {
  readonly webhookId: number | string
}

const leasedOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  row: LeasedRow,
  token: string,
  now: MachineTime
): Effect.fn.Return<Option.Option<Delivery>, SqlError> {
  const decoded = sentDeliveries.decode([row])
  if (Result.isSuccess(decoded)) {
    return Option.map(Arr.head(decoded.success), (delivery) => ({ ...delivery, token }))
  }
  yield* Effect.logError(`Delivery ${String(row.webhookId)} cannot be read and is abandoned`, decoded.failure)
  yield* sql`
    UPDATE deliveries SET ${abandoned(sql, now, "The row cannot be read")}
    WHERE webhook_id = ${row.webhookId} AND lease = ${token}
  `
  return Option.none()
})

const abandonUnwanted = Effect.fnUntraced(function* (
  sql: SqlClient,
  endpointId: number,
  { after, limit, now, problem }: Parameters<Shape["abandonUnwanted"]>[1]
): Effect.fn.Return<Effect.Success<ReturnType<Shape["abandonUnwanted"]>>, SqlError | StoreError> {
  const beyond =
    after === undefined ? [] : [sql`(transaction_id, webhook_id) > (${after.transactionId}, ${after.webhookId})`]
  const looked = yield* sql<{ readonly transactionId: number | string; readonly webhookId: number | string }>`
    SELECT transaction_id AS "transactionId", webhook_id AS "webhookId" FROM deliveries
    WHERE ${sql.and([sql`endpoint_id = ${endpointId}`, sql`state = 'pending'`, ...beyond])}
    ORDER BY transaction_id, webhook_id LIMIT ${limit}
  `
  const last = looked.at(-1)
  if (last === undefined) return { abandoned: 0, next: undefined }
  const ids = looked.map(({ webhookId }) => webhookId)
  // The subscription is read in this statement: an edit may have enabled the event since the rows were read.
  const rows = yield* sql`
    UPDATE deliveries SET ${abandoned(sql, now, problem)}
    WHERE ${sql.in("webhook_id", ids)} AND ${isIn(sql, "pending")} AND NOT ${subscribed(sql)} RETURNING webhook_id
  `
  const next = { transactionId: Number(last.transactionId), webhookId: Number(last.webhookId) }
  return { abandoned: rows.length, next: looked.length < limit ? undefined : next }
})
