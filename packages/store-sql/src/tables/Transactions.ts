/**
 * The table of transactions. Its column `customer_id` is the owner's, so that payments are found by their customer; it is
 * written once, with the row.
 *
 * @since 0.1.0
 */
import { cardOf, TransactionState } from "@parcela/core/transactions/TransactionState"
import * as EntityTable from "../internal/EntityTable.ts"
import { transactionUpcasts } from "../internal/TransactionUpcasts.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const transactions = EntityTable.make({
  table: "transactions",
  schema: TransactionState,
  columns: (state) => ({
    subscription_id: state.owner._tag === "Subscription" ? state.owner.id : null,
    charge_id: state.owner._tag === "Charge" ? state.owner.id : null,
    card_id: cardOf(state) ?? null,
    status: state.status,
    status_at: state.statusAt,
    payday: state.payday,
    created_at: state.createdAt
  }),
  upcasts: transactionUpcasts
})
