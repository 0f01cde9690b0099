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
  columns: ({ createdAt, customerId, isBackup, status, vaultToken }) => ({
    customer_id: customerId,
    vault_token: vaultToken,
    status: status ?? "active",
    is_backup: isBackup === true ? 1 : 0,
    created_at: createdAt
  })
})
