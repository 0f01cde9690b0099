/**
 * The columns and indexes behind the filters and orders of each list.
 *
 * @since 0.1.0
 */
import {
  type CardList,
  cardList,
  type ChargeList,
  chargeList,
  type CustomerList,
  customerList,
  type PlanList,
  planList,
  type SubscriptionList,
  subscriptionList,
  type TransactionList,
  transactionList
} from "@parcela/core/lists/EntityLists"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { placeholders } from "../sql/Statement.ts"
import { lookupEmail, owed } from "../tables/Customers.ts"
import {
  type Computed,
  computed,
  either,
  equal,
  id,
  identifiers,
  integer,
  type ListColumns,
  listed,
  reference,
  text,
  unique,
  within
} from "./ListColumns.ts"

const createdAt = integer("created_at")
const updatedAt = integer("updated_at")
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

const standing = text("standing")

/**
 * The columns for a list on the day `today`: a payment is overdue from the day after its payday.
 *
 * @category tables
 * @since 0.1.0
 */
export const customerColumns = (today: LocalDate): ListColumns<CustomerList> => ({
  definition: customerList,
  filters: {
    ...identifiers,
    documents: unique(text("document")),
    emails: listed({ table: "customer_emails", refers: "customer_id", column: "email", found: lookupEmail }),
    status: computed([standing, id], status(today)),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
})

/** The values of `standing` for each status but `delayed`. */
const standings: { readonly [status: string]: string } = {
  active: "contract",
  inactive: "inactive",
  withoutSubscriptionOrCharge: "none"
}

/**
 * An index has the customers by standing. Delayed customers are found by their overdue payments. Without `delayed` in the filter, overdue
 * payments are looked up for each row.
 */
const status =
  (today: LocalDate): Computed =>
  (write, { companyId, values, builder }) => {
    const { bind } = builder
    const wanted = values.flatMap((value) => standings[value] ?? [])
    const isStanding = wanted.length === 0 ? undefined : `${write(standing)} IN ${placeholders(builder, wanted)}`
    if (values.includes("delayed")) {
      const overdue = `SELECT customer_id FROM transactions
        WHERE company_id = ${bind(companyId)} AND ${owed("transactions")} AND payday < ${bind(today)}`
      const isDelayed = `(${write(id)} IN (${overdue}) AND ${write(standing)} <> 'inactive')`
      return isStanding === undefined ? isDelayed : `(${isStanding} OR ${isDelayed})`
    }
    if (isStanding === undefined) return "1 = 0"
    // The subquery renames its columns, so that `id` is the listed row's. It is a value: for NOT EXISTS PostgreSQL builds a table of all
    // overdue payments, and for IS NULL it expects few rows.
    const isOverdue = `COALESCE((
      SELECT 1 = 1 FROM (
        SELECT company_id AS owed_to, customer_id AS owed_by, payday AS owed_on FROM transactions WHERE ${owed("transactions")}
      ) AS owed WHERE owed_to = ${bind(companyId)} AND owed_by = id AND owed_on < ${bind(today)} LIMIT 1
    ), 1 = 0)`
    return `(${isStanding} AND (standing = 'inactive' OR NOT ${isOverdue}))`
  }

/**
 * @category tables
 * @since 0.1.0
 */
export const planColumns: ListColumns<PlanList> = {
  definition: planList,
  filters: {
    ...identifiers,
    status: equal(text("status")),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
}

const plan = integer("plan_id")

/**
 * @category tables
 * @since 0.1.0
 */
export const subscriptionColumns: ListColumns<SubscriptionList> = {
  definition: subscriptionList,
  filters: {
    ...identifiers,
    customerSvcPayIds: equal(customer),
    customerMyIds: reference(customer, "customers"),
    planSvcPayIds: equal(plan),
    planMyIds: reference(plan, "plans"),
    status: equal(text("status")),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
}

const payday = text("payday")
const subscription = integer("subscription_id")
const charge = integer("charge_id")
/** A charge has fewer instalments than this. */
const ofCharge = { maxRowsEach: 100 }

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
