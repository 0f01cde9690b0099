/**
 * The journal in SQL: rows are added and never changed.
 *
 * @since 0.1.0
 */
import { BillingEvent } from "@parcela/core/BillingEvent"
import { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { Journal, type JournalEntry } from "@parcela/engine/Journal"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const event = Columns.json(BillingEvent)

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      companyId: Columns.integer(CompanyId),
      at: Columns.integer(EpochMillis),
      event: Schema.fromJsonString(BillingEvent)
    })
  )
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Journal, never, SqlClient.SqlClient> = Layer.effect(
  Journal,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("journal"))
    return Journal.of({
      append: Effect.fn("Journal.append")(function* (entries: ReadonlyArray<JournalEntry>) {
        if (!Arr.isReadonlyArrayNonEmpty(entries)) return
        const rows = Arr.map(entries, (entry) => ({
          company_id: entry.companyId,
          at: entry.at,
          event: event.encode(entry.event)
        }))
        yield* sql`INSERT INTO journal ${sql.insert(rows)}`
      }, storeErrors),

      latest: Effect.fn("Journal.latest")(function* (companyId: CompanyId, limit: number) {
        const rows = yield* sql`
          SELECT company_id AS "companyId", at, event FROM journal
          WHERE company_id = ${companyId} ORDER BY id DESC LIMIT ${limit}
        `
        return (yield* decodeRows(rows)).toReversed()
      }, storeErrors)
    })
  })
)
