/**
 * Deliveries to come in SQL.
 *
 * @since 0.1.0
 */
import { Outbox } from "@parcela/engine/ports/Outbox"
import { SqliteUnits } from "@parcela/sqlite/SqliteUnits"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as Lanes from "./outbox/Lanes.ts"
import * as Looks from "./outbox/Looks.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Outbox, never, SqlClient.SqlClient> = Layer.effect(
  Outbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const units = Option.getOrUndefined(yield* Effect.serviceOption(SqliteUnits))
    return Outbox.of({
      ...Lanes.make(sql, units),
      ...Looks.make(sql)
    })
  })
)
