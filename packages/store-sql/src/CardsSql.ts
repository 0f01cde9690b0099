/**
 * Cards in SQL.
 *
 * @since 0.1.0
 */
import { Cards } from "@parcela/engine/ports/Cards"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { cards } from "./tables/Cards.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Cards, never, SqlClient.SqlClient> = Layer.effect(
  Cards,
  Effect.map(EntityRows.make({ port: "Cards", table: cards }), ({ find }) => Cards.of({ find }))
)
