/**
 * Identifiers from counters in the database, one per kind for the whole server: no two companies share one either.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/Identifier"
import { Sequences, type SequenceName } from "@parcela/engine/Sequences"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ value: Columns.integer(SvcPayId) })]))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Sequences, never, SqlClient.SqlClient> = Layer.effect(
  Sequences,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("sequences"))
    return Sequences.of({
      next: Effect.fn("Sequences.next")(function* (name: SequenceName) {
        // In the caller's transaction: what is undone gives its number back, and nobody saw it.
        const rows = yield* sql`
          INSERT INTO sequences (name, value) VALUES (${name}, 1)
          ON CONFLICT (name) DO UPDATE SET value = sequences.value + 1 RETURNING value
        `
        const [{ value }] = yield* decodeRows(rows)
        return value
      }, storeErrors)
    })
  })
)
