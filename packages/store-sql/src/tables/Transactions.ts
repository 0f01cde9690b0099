/**
 * The table of transactions. Its column `customer_id` is the owner's, so that payments are found by their customer; it is
 * written once, with the row.
 *
 * @since 0.1.0
 */
import { cardOf, TransactionState } from "@parcela/core/transactions/TransactionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as EntityTable from "../internal/EntityTable.ts"
import type * as Shapes from "../internal/Shapes.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const transactions = EntityTable.make({
  table: "transactions",
  schema: TransactionState,
  columns: {
    subscription_id: ({ owner }) => (owner._tag === "Subscription" ? owner.id : null),
    charge_id: ({ owner }) => (owner._tag === "Charge" ? owner.id : null),
    card_id: (state) => cardOf(state) ?? null,
    status: ({ status }) => status,
    status_at: ({ statusAt }) => statusAt,
    payday: ({ payday }) => payday,
    created_at: ({ createdAt }) => createdAt
  }
})

/**
 * New rows.
 *
 * @category columns
 * @since 0.1.0
 */
export const newTransactions: Shapes.Rows<{ readonly state: TransactionState; readonly customerId: SvcPayId }> = {
  shape: { ...transactions.rows.shape, columns: [...transactions.rows.shape.columns, "customer_id"] },
  values: ({ customerId, state }) => [...transactions.rows.values(state), customerId]
}
