/**
 * Where the list of charges finds what it is narrowed and ordered by.
 *
 * @since 0.1.0
 */
import { type ChargeList, chargeList } from "@parcela/core/lists/ChargeList"
import {
  either,
  equal,
  identifiers,
  integer,
  listed,
  type ListColumns,
  reference,
  text,
  within
} from "./ListColumns.ts"

const createdAt = integer("created_at")
const updatedAt = integer("updated_at")
const customer = integer("customer_id")

/**
 * @category tables
 * @since 0.1.0
 */
export const chargeColumns: ListColumns<ChargeList> = {
  definition: chargeList,
  filters: {
    ...identifiers,
    customerSvcPayIds: equal(customer),
    customerMyIds: reference(customer, "customers"),
    status: equal(text("status")),
    ExtraFields: listed({ table: "charge_tags", refers: "charge_id", column: "tag", found: (tag) => tag }),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
}
