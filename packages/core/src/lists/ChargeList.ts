/**
 * The list of charges.
 *
 * @since 0.1.0
 */
import { ChargeStatus } from "../charges/ChargeStatus.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { values } from "./ListFilter.ts"
import { created, createdOrUpdated, identifiers, ofCustomers, taggedWith } from "./sharedFilters.ts"

/**
 * @category lists
 * @since 0.1.0
 */
export const chargeList = ListDefinition.make({
  name: "charges",
  entity: "Charge",
  filters: {
    ...identifiers,
    ...ofCustomers,
    status: values(ChargeStatus, { description: "Statuses of a charge", example: "active" }),
    ...taggedWith,
    ...createdOrUpdated,
    ...created
  },
  orders: ["createdAt", "updatedAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type ChargeList = typeof chargeList
