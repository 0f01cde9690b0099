/**
 * The customer and the card beside each subscription or charge of a page.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { stateOf } from "../commands/Load.ts"
import type { Row } from "../commands/Statement.ts"
import { withoutCustomer } from "../commands/Subscriber.ts"
import { cards } from "../tables/Cards.ts"
import { customers } from "../tables/Customers.ts"
import { stateBeside } from "./EntityRows.ts"

/**
 * @category constructors
 * @since 0.1.0
 */
export const besidePayer = (
  sql: SqlClient
): {
  readonly by: ReadonlyArray<string>
  readonly columns: Fragment
  readonly read: (
    row: Row
  ) => Result.Result<{ readonly customer: CustomerState; readonly card: CardState | undefined }, StoreError>
} => ({
  by: ["customer_id", "card_id"],
  columns: sql.csv([
    stateBeside(sql, "customers", "customer", "customer_id"),
    stateBeside(sql, "cards", "card", "card_id")
  ]),
  read: (row) =>
    Result.gen(function* () {
      const customer = yield* stateOf(customers, "customer", row)
      if (customer === undefined) return yield* Result.fail(withoutCustomer)
      return { customer: customer.state, card: (yield* stateOf(cards, "card", row))?.state }
    })
})
