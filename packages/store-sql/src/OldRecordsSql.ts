/**
 * Deletes old records in SQL. Each kind has an index on its time.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import { OldRecords } from "@parcela/engine/ports/OldRecords"
import type { RecordKind } from "@parcela/engine/Settings"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./sql/StoreErrors.ts"
import * as Spans from "@parcela/engine/Spans"

/** The table of a kind of record, its primary key, its time, and the condition that a record may be deleted. */
const tables = {
  keys: {
    table: "idempotency_keys",
    key: "company_id, idempotency_key",
    time: "created_at",
    among: "response_status IS NOT NULL"
  },
  attempts: { table: "delivery_attempts", key: "id", time: "started_at", among: "TRUE" },
  journal: { table: "journal", key: "id", time: "at", among: "TRUE" }
} as const satisfies Readonly<Record<RecordKind, object>>

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<OldRecords, never, SqlClient.SqlClient> = Layer.effect(
  OldRecords,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return OldRecords.of({
      delete: Spans.fn("OldRecords.delete")(function* (kind: RecordKind, before: MachineTime, limit: number) {
        const { among, key, table, time } = tables[kind]
        const keys = sql.literal(key)
        const deleted = yield* sql`
          DELETE FROM ${sql(table)} WHERE (${keys}) IN (
            SELECT ${keys} FROM ${sql(table)} WHERE ${sql(time)} < ${before} AND ${sql.literal(among)}
            ORDER BY ${sql(time)} LIMIT ${limit}
          ) RETURNING 1 AS deleted
        `.pipe(Effect.mapError(toStoreError(table)))
        return deleted.length
      })
    })
  })
)
