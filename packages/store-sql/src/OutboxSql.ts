/**
 * Deliveries to come in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import {
  type Delivery,
  type DeliveryFilter,
  type DeliveryRecord,
  type DeliveryResult,
  type DeliveryState,
  type DeliveryTry,
  mostCounted,
  type NewDelivery,
  Outbox,
  type ReplayRange
} from "@parcela/engine/ports/Outbox"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Claims from "./internal/Claims.ts"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeDelivery = Schema.decodeUnknownEffect(
  Schema.Struct({
    webhookId: Columns.integer(Schema.Int),
    companyId: Columns.integer(CompanyId),
    endpointId: Columns.integer(Schema.Int),
    event: WebhookEvent,
    transactionId: Columns.integer(SvcPayId),
    payload: Schema.String,
    createdAt: Columns.integer(EpochMillis),
    tries: Columns.integer(Schema.Int)
  })
)

const decodeTries = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      startedAt: Columns.integer(EpochMillis),
      duration: Columns.integer(Schema.Int),
      status: Schema.NullOr(Columns.integer(Schema.Int)),
      problem: Schema.NullOr(Schema.String)
    })
  )
)

const instant = Schema.NullOr(Columns.integer(EpochMillis))

const decodeRecords = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      webhookId: Columns.integer(Schema.Int),
      endpointId: Schema.NullOr(Columns.integer(Schema.Int)),
      event: Schema.String,
      transactionId: Columns.integer(Schema.Int),
      state: Schema.Literals(["pending", "delivered", "given_up"]),
      tries: Columns.integer(Schema.Int),
      createdAt: Columns.integer(EpochMillis),
      dueAt: Columns.integer(EpochMillis),
      deliveredAt: instant,
      givenUpAt: instant,
      problem: Schema.NullOr(Schema.String)
    })
  )
)

const decodePlaces = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ transactionId: Columns.integer(Schema.Int), webhookId: Columns.integer(Schema.Int) }))
)

const decodeFitting = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ webhookId: Columns.integer(Schema.Int), fits: Columns.integer(Schema.Int) }))
)

const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Columns.integer(Schema.Int) })]))

const decodeProblem = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ problem: Schema.NullOr(Schema.String) })))

const byNumber = (a: Delivery, b: Delivery) => a.webhookId - b.webhookId

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Outbox, never, SqlClient.SqlClient> = Layer.effect(
  Outbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("deliveries"))
    const skipLocked = Claims.skipLocked(sql)
    let leases = 0

    const outcome = (result: DeliveryResult, startedAt: EpochMillis) => {
      switch (result._tag) {
        case "Delivered":
          return { state: "delivered", delivered_at: result.at }
        case "TryAgain":
          return { due_at: result.at, waits_since: startedAt, last_problem: result.problem }
        case "GivenUp":
          return { state: "given_up", given_up_at: result.at, last_problem: result.problem }
      }
    }

    // Another of the same transaction stands before it: one that is leased, or an earlier one whose turn it is too. An
    // earlier one that was tried and waits does not.
    //
    // PostgreSQL makes a join of NOT EXISTS, and while the table has no statistics one that compares each candidate with
    // the whole queue of its endpoint. A subquery that is a value is run for each candidate, by the index.
    const noOther = (now: EpochMillis) => sql`
      (
        SELECT other.webhook_id FROM deliveries AS other
        WHERE other.endpoint_id = mine.endpoint_id AND other.transaction_id = mine.transaction_id
          AND other.state = 'pending' AND other.webhook_id <> mine.webhook_id AND (
            (other.lease_owner IS NOT NULL AND other.due_at > ${now})
            OR (other.webhook_id < mine.webhook_id AND (other.due_at <= ${now} OR other.tries = 0))
          )
        LIMIT 1
      ) IS NULL
    `

    const leasedOf = Effect.fnUntraced(function* (
      row: { readonly webhookId: unknown },
      token: string,
      now: EpochMillis
    ) {
      const decoded = yield* Effect.result(decodeDelivery(row))
      if (decoded._tag === "Success") return Option.some<Delivery>({ ...decoded.success, token })
      yield* Effect.logError(`Delivery ${String(row.webhookId)} cannot be read and is given up`, decoded.failure)
      yield* sql`
        UPDATE deliveries SET ${givenUp(now, "The row cannot be read")}
        WHERE webhook_id = ${row.webhookId as number} AND lease = ${token}
      `
      return Option.none<Delivery>()
    })

    const record = Effect.fnUntraced(function* (
      { token, webhookId }: Pick<Delivery, "webhookId" | "token">,
      result: DeliveryResult,
      { duration, problem, startedAt, status }: DeliveryTry
    ) {
      const free = { lease_owner: null, lease: null, ...outcome(result, startedAt) }
      const held = yield* sql`
        UPDATE deliveries SET tries = tries + 1, ${sql.update(free)}
        WHERE webhook_id = ${webhookId} AND state = 'pending' AND lease = ${token} RETURNING webhook_id
      `
      if (held.length === 0) return false
      yield* sql`
        INSERT INTO delivery_tries (webhook_id, started_at, duration, status, problem)
        VALUES (${webhookId}, ${startedAt}, ${duration}, ${status ?? null}, ${problem ?? null})
      `
      return true
    })

    const fitting = ({ endpointId, event, from, state, to, transactionId }: DeliveryFilter) => [
      ...(state === undefined ? [] : [isIn(state)]),
      ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
      ...(event === undefined ? [] : [sql`event = ${event}`]),
      ...(transactionId === undefined ? [] : [sql`transaction_id = ${transactionId}`]),
      ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`created_at < ${to}`])
    ]

    // A literal, by which a partial index can be found.
    const isIn = (state: DeliveryState) => sql`state = ${sql.literal(`'${state}'`)}`

    // `events` is a JSON array of names without characters that JSON escapes.
    const wanted = sql`
      EXISTS (
        SELECT 1 FROM webhook_endpoints AS endpoint
        WHERE endpoint.id = deliveries.endpoint_id AND endpoint.events LIKE '%"' || deliveries.event || '"%'
      )
    `

    const isOn = sql`
      EXISTS (
        SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = deliveries.endpoint_id AND endpoint.state = 'on'
      )
    `

    const givenUp = (now: EpochMillis, problem: string) => sql`
      state = 'given_up', given_up_at = ${now}, last_problem = ${problem}, lease_owner = NULL, lease = NULL
    `
    const dueAgain = (now: EpochMillis) =>
      sql.update({ state: "pending", tries: 0, due_at: now, waits_since: now, given_up_at: null, delivered_at: null })

    const list = Effect.fnUntraced(function* (
      companyId: CompanyId,
      filter: DeliveryFilter,
      before: number,
      limit: number
    ) {
      const rows = yield* sql`
        SELECT webhook_id AS "webhookId", endpoint_id AS "endpointId", event, transaction_id AS "transactionId", state,
          tries, created_at AS "createdAt", due_at AS "dueAt", delivered_at AS "deliveredAt",
          given_up_at AS "givenUpAt", last_problem AS problem
        FROM deliveries
        WHERE ${sql.and([sql`company_id = ${companyId}`, ...fitting(filter), sql`webhook_id < ${before}`])}
        ORDER BY webhook_id DESC LIMIT ${limit}
      `
      return (yield* decodeRecords(rows)).map(
        ({ deliveredAt, dueAt, endpointId, givenUpAt, problem, ...record }): DeliveryRecord => ({
          ...record,
          endpointId: endpointId ?? undefined,
          at: deliveredAt ?? givenUpAt ?? dueAt,
          problem: problem ?? undefined
        })
      )
    })

    const countOf = Effect.fnUntraced(function* (endpointId: number, state: DeliveryState) {
      const rows = yield* sql`
        SELECT count(*) AS count FROM (
          SELECT 1 AS one FROM deliveries WHERE endpoint_id = ${endpointId} AND ${isIn(state)} LIMIT ${mostCounted}
        ) AS counted
      `
      return (yield* decodeCount(rows))[0].count
    })

    const problemOf = Effect.fnUntraced(function* (endpointId: number, state: DeliveryState, order: string) {
      const rows = yield* sql`
        SELECT last_problem AS problem FROM deliveries WHERE endpoint_id = ${endpointId} AND ${isIn(state)}
        ORDER BY ${sql.literal(order)} LIMIT 1
      `
      return (yield* decodeProblem(rows))[0]?.problem ?? undefined
    })

    const count = Effect.fnUntraced(function* (endpointId: number) {
      return {
        waiting: yield* countOf(endpointId, "pending"),
        dead: yield* countOf(endpointId, "given_up"),
        lastProblem:
          // What failed waits longest.
          (yield* problemOf(endpointId, "pending", "due_at DESC, webhook_id DESC")) ??
          (yield* problemOf(endpointId, "given_up", "webhook_id DESC"))
      }
    })

    // A bounded number of rows is looked at, in the order of an index, however few of them fit.
    const replay = Effect.fnUntraced(function* (
      companyId: CompanyId,
      { after, filter, limit, upTo }: ReplayRange,
      now: EpochMillis
    ) {
      const { state, ...rest } = filter
      const rows = yield* sql`
        SELECT webhook_id AS "webhookId", CASE WHEN ${sql.and([sql`1 = 1`, ...fitting(rest)])} THEN 1 ELSE 0 END AS fits
        FROM deliveries
        WHERE company_id = ${companyId} AND ${isIn(state)} AND webhook_id > ${after} AND webhook_id <= ${upTo}
        ORDER BY webhook_id LIMIT ${limit}
      `
      const seen = yield* decodeFitting(rows)
      const next = seen.length < limit ? undefined : seen.at(-1)?.webhookId
      const ids = seen.filter(({ fits }) => fits === 1).map(({ webhookId }) => webhookId)
      if (ids.length === 0) return { replayed: 0, next }
      const replayed = yield* sql`
        UPDATE deliveries SET ${dueAgain(now)}
        WHERE ${sql.in("webhook_id", ids)} AND ${isIn(state)} AND ${wanted} AND ${isOn} RETURNING webhook_id
      `
      return { replayed: replayed.length, next }
    })

    return Outbox.of({
      append: Effect.fn("Outbox.append")(function* (deliveries: ReadonlyArray<NewDelivery>) {
        if (!Arr.isReadonlyArrayNonEmpty(deliveries)) return
        const rows = Arr.map(deliveries, (delivery) => ({
          company_id: delivery.companyId,
          endpoint_id: delivery.endpointId,
          event: delivery.event,
          transaction_id: delivery.transactionId,
          payload: delivery.payload,
          created_at: delivery.createdAt,
          state: "pending",
          tries: 0,
          due_at: delivery.createdAt,
          waits_since: delivery.createdAt
        }))
        yield* sql`INSERT INTO deliveries ${sql.insert(rows)}`
      }, storeErrors),

      lease: Effect.fn("Outbox.lease")(function* (
        endpointId: number,
        { limit, now, owner, until }: Parameters<Outbox["Service"]["lease"]>[1]
      ) {
        const token = `${owner} ${++leases}`
        const rows = yield* sql<{ readonly webhookId: unknown }>`
          WITH chosen AS MATERIALIZED (
            SELECT webhook_id FROM deliveries AS mine
            WHERE endpoint_id = ${endpointId} AND state = 'pending' AND due_at <= ${now} AND ${noOther(now)}
            ORDER BY due_at, webhook_id LIMIT ${limit} ${skipLocked}
          )
          UPDATE deliveries SET due_at = ${until}, waits_since = ${now}, lease_owner = ${owner}, lease = ${token}
          WHERE webhook_id IN (SELECT webhook_id FROM chosen)
          RETURNING webhook_id AS "webhookId", company_id AS "companyId", endpoint_id AS "endpointId", event,
            transaction_id AS "transactionId", payload, created_at AS "createdAt", tries
        `
        const leased = Arr.getSomes(yield* Effect.forEach(rows, (row) => leasedOf(row, token, now)))
        // RETURNING promises no order.
        return leased.toSorted(byNumber)
      }, storeErrors),

      record: Effect.fn("Outbox.record")(function* (
        lease: Pick<Delivery, "webhookId" | "token">,
        result: DeliveryResult,
        made: DeliveryTry
      ) {
        return yield* sql.withTransaction(record(lease, result, made))
      }, storeErrors),

      giveBack: Effect.fn("Outbox.giveBack")(function* (
        held: ReadonlyArray<Pick<Delivery, "webhookId" | "token">>,
        now: EpochMillis
      ) {
        for (const { token, webhookId } of held) {
          yield* sql`
            UPDATE deliveries SET due_at = ${now}, waits_since = ${now}, lease_owner = NULL, lease = NULL
            WHERE webhook_id = ${webhookId} AND lease = ${token}
          `
        }
      }, storeErrors),

      giveUp: Effect.fn("Outbox.giveUp")(function* (
        held: ReadonlyArray<Pick<Delivery, "webhookId" | "token">>,
        now: EpochMillis,
        problem: string
      ) {
        for (const { token, webhookId } of held) {
          yield* sql`UPDATE deliveries SET ${givenUp(now, problem)} WHERE webhook_id = ${webhookId} AND lease = ${token}`
        }
      }, storeErrors),

      giveUpUnwanted: Effect.fn("Outbox.giveUpUnwanted")(function* (
        endpointId: number,
        { after, limit, now, problem }: Parameters<Outbox["Service"]["giveUpUnwanted"]>[1]
      ) {
        const beyond =
          after === undefined ? [] : [sql`(transaction_id, webhook_id) > (${after.transactionId}, ${after.webhookId})`]
        const looked = yield* decodePlaces(
          yield* sql`
            SELECT transaction_id AS "transactionId", webhook_id AS "webhookId" FROM deliveries
            WHERE ${sql.and([sql`endpoint_id = ${endpointId}`, sql`state = 'pending'`, ...beyond])}
            ORDER BY transaction_id, webhook_id LIMIT ${limit}
          `
        )
        if (looked.length === 0) return { givenUp: 0, next: undefined }
        const ids = looked.map(({ webhookId }) => webhookId)
        // What is wanted is asked here and not before: what an edit switches on meanwhile is not lost.
        const rows = yield* sql`
          UPDATE deliveries SET ${givenUp(now, problem)}
          WHERE ${sql.in("webhook_id", ids)} AND state = 'pending' AND NOT ${wanted} RETURNING webhook_id
        `
        return { givenUp: rows.length, next: looked.length < limit ? undefined : looked.at(-1) }
      }, storeErrors),

      tries: Effect.fn("Outbox.tries")(function* (companyId: CompanyId, webhookId: number) {
        const rows = yield* sql`
          SELECT started_at AS "startedAt", duration, status, problem FROM delivery_tries
          WHERE webhook_id = ${webhookId} AND EXISTS (
            SELECT 1 FROM deliveries WHERE deliveries.webhook_id = ${webhookId} AND company_id = ${companyId}
          ) ORDER BY id
        `
        return (yield* decodeTries(rows)).map(({ problem, status, ...made }) => ({
          ...made,
          status: status ?? undefined,
          problem: problem ?? undefined
        }))
      }, storeErrors),

      list: Effect.fn("Outbox.list")(list, storeErrors),

      latest: Effect.fn("Outbox.latest")(function* (companyId: CompanyId) {
        const rows = yield* sql`
          SELECT COALESCE(max(webhook_id), 0) AS count FROM deliveries WHERE company_id = ${companyId}
        `
        return (yield* decodeCount(rows))[0].count
      }, storeErrors),

      count: Effect.fn("Outbox.count")(count, storeErrors),

      replayOne: Effect.fn("Outbox.replayOne")(function* (companyId: CompanyId, webhookId: number, now: EpochMillis) {
        const rows = yield* sql`
          UPDATE deliveries SET ${dueAgain(now)}
          WHERE webhook_id = ${webhookId} AND company_id = ${companyId} AND state <> 'pending' AND ${wanted} AND ${isOn}
          RETURNING webhook_id
        `
        return rows.length > 0
      }, storeErrors),

      replay: Effect.fn("Outbox.replay")(function* (companyId: CompanyId, range: ReplayRange, now: EpochMillis) {
        return yield* sql.withTransaction(replay(companyId, range, now))
      }, storeErrors)
    })
  })
)
