/**
 * The table of what providers call transactions.
 *
 * @since 0.1.0
 */
import type { NewReference } from "@parcela/engine/command/WriteSet"
import * as Shapes from "../internal/Shapes.ts"

/**
 * New rows, of which some may be there already.
 *
 * @category columns
 * @since 0.1.0
 */
export const newReferences = Shapes.rows<NewReference>(
  "external_references",
  {
    kind: ({ kind }) => kind,
    value: ({ value }) => value,
    company_id: ({ companyId }) => companyId,
    transaction_id: ({ transactionId }) => transactionId
  },
  { key: ["kind", "value", "company_id", "transaction_id"], fixed: [] }
)
