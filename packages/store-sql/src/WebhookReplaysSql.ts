/**
 * Replays of deliveries in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { type NewReplay, type WebhookReplay, WebhookReplays } from "@parcela/engine/ports/WebhookReplays"
import { Changed, StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const table = "webhook_replays"

const Filter = Schema.fromJsonString(
  Schema.Struct({
    state: Schema.Literals(["given_up", "delivered"]),
    endpointId: Schema.optionalKey(Schema.Int),
    event: Schema.optionalKey(Schema.String),
    transactionId: Schema.optionalKey(Schema.Int),
    from: Schema.optionalKey(EpochMillis),
    to: Schema.optionalKey(EpochMillis)
  })
)

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Columns.integer(Schema.Int),
      companyId: Columns.integer(CompanyId),
      filter: Filter,
      after: Columns.integer(Schema.Int),
      upTo: Columns.integer(Schema.Int),
      replayed: Columns.integer(Schema.Int),
      isDone: Columns.integer(Schema.Literals([0, 1])),
      createdAt: Columns.integer(MachineTime)
    })
  )
)

const replaysOf = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(rows), (decoded) =>
    decoded.map(({ isDone, ...row }): WebhookReplay => ({ ...row, isDone: isDone === 1 }))
  )

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<WebhookReplays, never, SqlClient.SqlClient> = Layer.effect(
  WebhookReplays,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError(table))
    const columns = sql.literal(
      `id, company_id AS "companyId", filter, after_id AS "after", up_to AS "upTo", replayed, is_done AS "isDone",
       created_at AS "createdAt"`
    )
    return WebhookReplays.of({
      insert: Effect.fn("WebhookReplays.insert")(function* ({ companyId, createdAt, filter, upTo }: NewReplay) {
        const row = {
          company_id: companyId,
          // Absent keys of a filter may be there as undefined, which JSON leaves out.
          filter: JSON.stringify(filter),
          after_id: 0,
          up_to: upTo,
          replayed: 0,
          is_done: 0,
          created_at: createdAt
        }
        const [made] = yield* replaysOf(yield* sql`INSERT INTO webhook_replays ${sql.insert(row)} RETURNING ${columns}`)
        return made!
      }, storeErrors),

      find: Effect.fn("WebhookReplays.find")(function* (id: number) {
        const [found] = yield* replaysOf(yield* sql`SELECT ${columns} FROM webhook_replays WHERE id = ${id}`)
        return Option.fromUndefinedOr(found)
      }, storeErrors),

      advance: Effect.fn("WebhookReplays.advance")(function* (
        before: WebhookReplay,
        { after, isDone, replayed }: Pick<WebhookReplay, "after" | "replayed" | "isDone">
      ) {
        const rows = yield* sql`
          UPDATE webhook_replays SET ${sql.update({ after_id: after, replayed, is_done: isDone ? 1 : 0 })}
          WHERE id = ${before.id} AND after_id = ${before.after} AND is_done = 0 RETURNING id
        `
        if (rows.length === 0) return yield* new StoreError({ reason: new Changed({ table }) })
      }, storeErrors)
    })
  })
)
