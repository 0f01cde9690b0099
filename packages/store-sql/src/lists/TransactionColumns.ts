/**
 * Where the list of transactions finds what it is narrowed and ordered by.
 *
 * @since 0.1.0
 */
import { type TransactionList, transactionList } from "@parcela/core/lists/TransactionList"
import { equal, identifiers, integer, type ListColumns, reference, text, within } from "./ListColumns.ts"

const createdAt = integer("created_at")
const payday = text("payday")
const customer = integer("customer_id")
const subscription = integer("subscription_id")
const charge = integer("charge_id")
/** More than the instalments of a charge. */
const ofCharge = { rowsEach: 100 }

/**
 * @category tables
 * @since 0.1.0
 */
export const transactionColumns: ListColumns<TransactionList> = {
  definition: transactionList,
  filters: {
    ...identifiers,
    subscriptionSvcPayIds: equal(subscription),
    subscriptionMyIds: reference(subscription, "subscriptions"),
    chargeSvcPayIds: equal(charge, ofCharge),
    chargeMyIds: reference(charge, "charges", ofCharge),
    customerSvcPayIds: equal(customer),
    customerMyIds: reference(customer, "customers"),
    status: equal(text("status")),
    payDay: within(payday),
    updateStatus: within(integer("status_at")),
    createdAt: within(createdAt)
  },
  orders: { createdAt, payday }
}
