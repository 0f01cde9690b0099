/**
 * Cards in SQL: tokens of the operator's vault, never numbers.
 *
 * @since 0.1.0
 */
import { CardState } from "@parcela/core/CardState"
import { Cards } from "@parcela/engine/Cards"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Cards, never, SqlClient.SqlClient> = Layer.effect(
  Cards,
  Effect.gen(function* () {
    const { find, findMany, insert } = yield* EntityRows.make({
      port: "Cards",
      table: "cards",
      schema: CardState,
      columns: ({ customerId }) => ({ customer_id: customerId })
    })
    return Cards.of({ insert, find, findMany })
  })
)
