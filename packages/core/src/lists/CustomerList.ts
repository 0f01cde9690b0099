/**
 * The list of customers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CustomerStatus } from "../customers/CustomerStatus.ts"
import { nonEmptyString } from "../values/Text.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { values } from "./ListFilter.ts"
import { created, createdOrUpdated, identifiers } from "./sharedFilters.ts"

// Check digits are not verified: a filter with an invalid number finds no customer.
const document = Schema.String.check(
  Schema.isPattern(/^[\dA-Z]{1,14}$/u, { expected: "a CPF or CNPJ of at most 14 characters, without punctuation" })
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
    documents: values(document, { description: "Tax numbers, digits only", example: "11144477735" }),
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
