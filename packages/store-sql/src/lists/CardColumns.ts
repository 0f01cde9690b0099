/**
 * Where the list of cards finds what it is narrowed and ordered by.
 *
 * @since 0.1.0
 */
import { type CardList, cardList } from "@parcela/core/lists/CardList"
import { equal, identifiers, integer, type ListColumns, reference, text, within } from "./ListColumns.ts"

const createdAt = integer("created_at")
const customer = integer("customer_id")

/**
 * @category tables
 * @since 0.1.0
 */
export const cardColumns: ListColumns<CardList> = {
  definition: cardList,
  filters: {
    ...identifiers,
    customerSvcPayIds: equal(customer),
    customerMyIds: reference(customer, "customers"),
    status: equal(text("status")),
    createdAt: within(createdAt)
  },
  orders: { createdAt }
}
