/**
 * Deliveries to come in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { SvcPayId } from "@parcela/core/Identifier"
import { WebhookEvent } from "@parcela/core/WebhookEvent"
import { type DeliveryResult, type NewDelivery, Outbox } from "@parcela/engine/Outbox"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Claims from "./internal/Claims.ts"
import * as Columns from "./internal/Columns.ts"
import { readable } from "./internal/Readable.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const readableRows = readable(
  "deliveries",
  Schema.decodeUnknownEffect(
    Schema.Struct({
      webhookId: Columns.integer(Schema.Int),
      companyId: Columns.integer(CompanyId),
      event: WebhookEvent,
      transactionId: Columns.integer(SvcPayId),
      payload: Schema.String,
      createdAt: Columns.integer(EpochMillis),
      tries: Columns.integer(Schema.Int)
    })
  )
)

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

    const outcome = (result: DeliveryResult) => {
      switch (result._tag) {
        case "Delivered":
          return { state: "delivered", delivered_at: result.at }
        case "TryAgain":
          return { due_at: result.at, last_problem: result.problem }
        case "GivenUp":
          return { state: "given_up", given_up_at: result.at, last_problem: result.problem }
      }
    }

    return Outbox.of({
      append: Effect.fn("Outbox.append")(function* (deliveries: ReadonlyArray<NewDelivery>) {
        if (!Arr.isReadonlyArrayNonEmpty(deliveries)) return
        const rows = Arr.map(deliveries, (delivery) => ({
          company_id: delivery.companyId,
          event: delivery.event,
          transaction_id: delivery.transactionId,
          payload: delivery.payload,
          created_at: delivery.createdAt,
          state: "pending",
          tries: 0,
          due_at: delivery.createdAt
        }))
        yield* sql`INSERT INTO deliveries ${sql.insert(rows)}`
      }, storeErrors),

      claimDue: Effect.fn("Outbox.claimDue")(function* (now: EpochMillis, claimedUntil: EpochMillis, limit: number) {
        const rows = yield* sql`
          UPDATE deliveries SET claimed_until = ${claimedUntil} WHERE webhook_id IN (
            SELECT webhook_id FROM deliveries
            WHERE state = 'pending' AND due_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})
            ORDER BY webhook_id LIMIT ${limit} ${skipLocked}
          )
          RETURNING webhook_id AS "webhookId", company_id AS "companyId", event, transaction_id AS "transactionId",
            payload, created_at AS "createdAt", tries
        `
        const claimed = yield* readableRows(rows)
        // RETURNING promises no order.
        return claimed.toSorted((a, b) => a.webhookId - b.webhookId)
      }, storeErrors),

      record: Effect.fn("Outbox.record")(function* (webhookId: number, result: DeliveryResult) {
        // What is over stays over, whatever a worker says that lost its claim meanwhile.
        yield* sql`
          UPDATE deliveries SET tries = tries + 1, ${sql.update({ claimed_until: null, ...outcome(result) })}
          WHERE webhook_id = ${webhookId} AND state = 'pending'
        `
      }, storeErrors)
    })
  })
)
