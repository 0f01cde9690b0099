/**
 * The definition of each list: cards, charges, customers, plans, subscriptions and transactions.
 *
 * @since 0.1.0
 */
import { TagAndValue, ActiveStatus } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { times, values, days } from "./ListDefinition.ts"
import { ChargeStatus } from "../charges/ChargeState.ts"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { CustomerStatus } from "../customers/CustomerState.ts"
import { nonEmptyString } from "../values/Text.ts"
import { SubscriptionStatus } from "../subscriptions/SubscriptionState.ts"
import { TransactionStatus } from "../transactions/TransactionStatus.ts"

/** Filters by the identifiers of the listed entity. */
const identifiers = {
  myIds: values(MyId, { description: "Identifiers of the client system", example: "example-1" }),
  svcPayIds: values(SvcPayId, { description: "Identifiers of the service", example: "1", flag: "id" })
} as const

/** Filters by the identifiers of the customer. */
const ofCustomers = {
  customerMyIds: values(MyId, {
    description: "Customers by identifier of the client system",
    example: "example-customer"
  }),
  customerSvcPayIds: values(SvcPayId, {
    description: "Customers by identifier of the service",
    example: "1",
    flag: "customer-id"
  })
} as const

/** Filter by custom fields: `ExtraFields=TAG.value,TAG2.value2` matches entities with at least one of them. */
const taggedWith = {
  ExtraFields: values(TagAndValue, {
    description: "Custom fields, each as name, full stop and value; an entity must have at least one of them",
    example: "CPF_PAGADOR.11144477735",
    flag: "extra-field"
  })
} as const

/** Filter by the day of creation. */
const created = {
  createdAt: times({ description: "day of creation", example: "2026-01-01", flag: "created" })
} as const

/** Filter by the day of creation or of the last change; one of the two must match. */
const createdOrUpdated = {
  createdOrUpdatedAt: times({
    description: "day of creation or of the last change",
    example: "2026-01-01",
    flag: "changed"
  })
} as const

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

/**
 * A tax number in a filter, also with its punctuation (`529.982.247-25`). Check digits are not verified: a filter with
 * an invalid number finds no customer.
 */
const document = Schema.String.check(
  Schema.isPattern(/^(?:[./-]*[\dA-Z]){1,14}$/u, { expected: "a CPF or CNPJ of at most 14 digits or letters" })
).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({
      decode: (text) => text.replace(/[./-]/gu, ""),
      encode: (text: string) => text
    })
  )
)

/**
 * @category lists
 * @since 0.1.0
 */
export const customerList = ListDefinition.make({
  name: "customers",
  entity: "Customer",
  filters: {
    ...identifiers,
    documents: values(document, { description: "Tax numbers, with or without punctuation", example: "11144477735" }),
    emails: values(nonEmptyString(255), {
      description: "E-mail addresses, in capitals or not",
      example: "ana@example.com"
    }),
    status: values(CustomerStatus, { description: "Statuses of a customer", example: "active" }),
    ...createdOrUpdated,
    ...created
  },
  orders: ["createdAt", "updatedAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type CustomerList = typeof customerList

/**
 * @category lists
 * @since 0.1.0
 */
export const planList = ListDefinition.make({
  name: "plans",
  entity: "Plan",
  filters: {
    ...identifiers,
    status: values(ActiveStatus, { description: "Statuses of a plan", example: "active" }),
    ...createdOrUpdated,
    ...created
  },
  orders: ["createdAt", "updatedAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type PlanList = typeof planList

/**
 * @category lists
 * @since 0.1.0
 */
export const subscriptionList = ListDefinition.make({
  name: "subscriptions",
  entity: "Subscription",
  filters: {
    ...identifiers,
    ...ofCustomers,
    planMyIds: values(MyId, { description: "Plans by identifier of the client system", example: "example-plan" }),
    planSvcPayIds: values(SvcPayId, {
      description: "Plans by identifier of the service",
      example: "1",
      flag: "plan-id"
    }),
    status: values(SubscriptionStatus, { description: "Statuses of a subscription", example: "active" }),
    ...createdOrUpdated,
    ...created
  },
  orders: ["createdAt", "updatedAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type SubscriptionList = typeof subscriptionList

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
