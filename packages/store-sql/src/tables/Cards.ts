/**
 * The table of cards: tokens of the operator's vault, never numbers.
 *
 * @since 0.1.0
 */
import { CardState } from "@parcela/core/cards/CardState"
import * as EntityTable from "../internal/EntityTable.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const cards = EntityTable.make({
  table: "cards",
  schema: CardState,
  columns: {
    customer_id: ({ customerId }) => customerId,
    vault_token: ({ vaultToken }) => vaultToken,
    status: ({ status }) => status ?? "active",
    is_backup: ({ isBackup }) => (isBackup === true ? 1 : 0),
    created_at: ({ createdAt }) => createdAt
  }
})
