/**
 * Deliveries to come in SQL.
 *
 * @since 0.1.0
 */
import { Outbox } from "@parcela/engine/ports/Outbox"
import { GroupCommit } from "@parcela/sqlite/GroupCommit"
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
    const groupCommit = Option.getOrUndefined(yield* Effect.serviceOption(GroupCommit))
    return Outbox.of({
      ...Lanes.make(sql, groupCommit),
      ...Looks.make(sql)
    })
  })
)
