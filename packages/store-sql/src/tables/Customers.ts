/**
 * The table of customers.
 *
 * @since 0.1.0
 */
import { CustomerState } from "@parcela/core/customers/CustomerState"
import * as EntityTable from "../internal/EntityTable.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const customers = EntityTable.make({
  table: "customers",
  schema: CustomerState,
  columns: ({ document }) => ({ document })
})
