/**
 * Who pays a subscription or a charge, and with which card.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import { withoutCustomer } from "../commands/Subscriber.ts"
import { cards } from "../tables/Cards.ts"
import { customers } from "../tables/Customers.ts"
import * as Referred from "./Referred.ts"

const tables = {
  customer: { table: customers, by: "customer_id" },
  card: { table: cards, by: "card_id" }
} as const

/**
 * @category constants
 * @since 0.1.0
 */
export const payer = Referred.to(tables)

/**
 * The payer that a row refers to.
 *
 * @category getters
 * @since 0.1.0
 */
export const payerOf = ({
  card,
  customer
}: Referred.Found<typeof tables>): Result.Result<
  { readonly customer: CustomerState; readonly card: CardState | undefined },
  StoreError
> => (customer === undefined ? Result.fail(withoutCustomer) : Result.succeed({ customer, card }))
