/**
 * The clocks of companies in SQL.
 *
 * @since 0.1.0
 */
import { ClockOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { CompanyClocks } from "@parcela/engine/ports/CompanyClocks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const decodeOffsets = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ clock_offset: Columns.integer(ClockOffset) }))
)

const offsetIn = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
  const [row] = yield* decodeOffsets(rows)
  return Option.map(Option.fromUndefinedOr(row), ({ clock_offset }) => clock_offset)
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CompanyClocks, never, SqlClient.SqlClient> = Layer.effect(
  CompanyClocks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("companies"))
    return CompanyClocks.of({
      offset: Effect.fn("CompanyClocks.offset")(function* (companyId: CompanyId) {
        return yield* offsetIn(yield* sql`SELECT clock_offset FROM companies WHERE id = ${companyId}`)
      }, storeErrors),

      advance: Effect.fn("CompanyClocks.advance")(function* (companyId: CompanyId, offset: ClockOffset) {
        return yield* offsetIn(
          yield* sql`
            UPDATE companies SET clock_offset = CASE WHEN clock_offset < ${offset} THEN ${offset} ELSE clock_offset END
            WHERE id = ${companyId} RETURNING clock_offset
          `
        )
      }, storeErrors)
    })
  })
)
