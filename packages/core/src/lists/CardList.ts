/**
 * The list of cards.
 *
 * @since 0.1.0
 */
import { ActiveStatus } from "../values/ActiveStatus.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { values } from "./ListFilter.ts"
import { created, identifiers, ofCustomers } from "./sharedFilters.ts"

/**
 * @category lists
 * @since 0.1.0
 */
export const cardList = ListDefinition.make({
  name: "cards",
  entity: "Card",
  filters: {
    ...identifiers,
    ...ofCustomers,
    status: values(ActiveStatus, { description: "Statuses of a card", example: "active" }),
    ...created
  },
  orders: ["createdAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type CardList = typeof cardList
