/**
 * The list of transactions.
 *
 * @since 0.1.0
 */
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { TransactionStatus } from "../transactions/TransactionStatus.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { days, times, values } from "./ListFilter.ts"
import { created, identifiers, ofCustomers } from "./sharedFilters.ts"

/**
 * @category lists
 * @since 0.1.0
 */
export const transactionList = ListDefinition.make({
  name: "transactions",
  entity: "Transaction",
  filters: {
    ...identifiers,
    ...ofCustomers,
    subscriptionMyIds: values(MyId, {
      description: "Subscriptions by identifier of the client system",
      example: "example-contract"
    }),
    subscriptionSvcPayIds: values(SvcPayId, {
      description: "Subscriptions by identifier of the service",
      example: "1",
      flag: "subscription-id"
    }),
    chargeMyIds: values(MyId, { description: "Charges by identifier of the client system", example: "example-charge" }),
    chargeSvcPayIds: values(SvcPayId, {
      description: "Charges by identifier of the service",
      example: "1",
      flag: "charge-id"
    }),
    status: values(TransactionStatus, { description: "Statuses of a transaction", example: "denied" }),
    payDay: days({ description: "due date", example: "2026-01-01", flag: "payday" }),
    updateStatus: times({ description: "day of the status", example: "2026-01-01", flag: "status" }),
    ...created
  },
  orders: ["createdAt", "payday"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type TransactionList = typeof transactionList
