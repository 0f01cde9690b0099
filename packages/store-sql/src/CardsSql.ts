/**
 * Cards in SQL: tokens of the operator's vault, never numbers.
 *
 * @since 0.1.0
 */
import type { VaultToken } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import { Cards } from "@parcela/engine/ports/Cards"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { cards } from "./tables/Cards.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Cards, never, SqlClient.SqlClient> = Layer.effect(
  Cards,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find, insert, select, update } = yield* EntityRows.make({
      port: "Cards",
      table: cards
    })
    return Cards.of({
      insert,
      update,
      find,
      findByVaultToken: Effect.fn("Cards.findByVaultToken")(function* (
        companyId: CompanyId,
        customerId: SvcPayId,
        vaultToken: VaultToken
      ) {
        const conditions = [sql`customer_id = ${customerId}`, sql`vault_token = ${vaultToken}`]
        const [card] = yield* select(companyId, conditions, sql.literal(""))
        return Option.fromUndefinedOr(card)
      })
    })
  })
)
