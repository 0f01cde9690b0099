/**
 * Customers in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { Customers } from "@parcela/engine/ports/Customers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { customers } from "./tables/Customers.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Customers, never, SqlClient.SqlClient> = Layer.effect(
  Customers,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find, insert, lockedOnRerun, select, update } = yield* EntityRows.make({
      port: "Customers",
      table: customers
    })
    return Customers.of({
      insert,
      update,
      find,
      findByDocument: Effect.fn("Customers.findByDocument")(function* (companyId: CompanyId, document: string) {
        const [found] = yield* select(companyId, [sql`document = ${document}`], yield* lockedOnRerun)
        return Option.fromUndefinedOr(found)
      })
    })
  })
)
