/**
 * The payer: customers in responses (interface section 2.2), and the requests to create and edit a customer. Source of the
 * requests: public use.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ExtraFields, described, valueOrNull } from "../values/Fields.ts"
import { CustomerStatus } from "./CustomerState.ts"
import { Address, EditAddress, CustomerInput } from "./CustomerInput.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDate.ts"
import { int, nonEmptyString, string } from "../values/Text.ts"

// The pattern only documents the field: documents in other forms are still read from responses.
const shownAsDigits = Schema.makeFilter<string>(() => true, {
  toJsonSchema: () => ({ pattern: "^(\\d{11}|\\d{14})$" })
})

/** Fields that requests can set, each with its limit. */
const fields = {
  name: described(nonEmptyString(255), "Name of the person or of the company."),
  document: described(string(14).check(shownAsDigits), "Tax number, digits only: CPF (11 digits) or CNPJ (14 digits)."),
  emails: described(Schema.Array(nonEmptyString(255)), "E-mail addresses."),
  phones: described(Schema.Array(int(11)), "Telephone numbers with area code, as numbers: 11987654321."),
  Address: described(Schema.optionalKey(Address), "Billing address.")
}

/**
 * A customer in responses: the fields of interface section 2.2 and further fields from public use.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Customer = Schema.Struct({
  svcPayId: described(SvcPayId, "Identifier of the customer, assigned by the service."),
  myId: described(Schema.optionalKey(MyId), "Identifier of the customer in the client system."),
  name: fields.name,
  document: fields.document,
  emails: fields.emails,
  phones: fields.phones,
  createdAt: described(LocalDateTime, "Time at which the customer was created: YYYY-MM-DD HH:MM:SS, Brazil time."),
  updatedAt: described(LocalDateTime, "Time of the last change of the customer: YYYY-MM-DD HH:MM:SS, Brazil time."),
  Address: fields.Address,
  status: described(
    Schema.optionalKey(CustomerStatus),
    "True if the customer can pay. Present where customers are listed and edited."
  ),
  invoiceHoldIss: valueOrNull(
    Schema.Boolean,
    "True if the customer withholds the municipal service tax (ISS) on invoices."
  ),
  municipalDocument: valueOrNull(string(255), "Municipal registration."),
  ExtraFields: described(Schema.optionalKey(ExtraFields), "Custom fields of the company.")
}).annotate({ identifier: "Customer", description: "The payer." })

/**
 * @category models
 * @since 0.1.0
 */
export type Customer = typeof Customer.Type

const { svcPayId: _, ...requestFields } = CustomerInput.fields

/**
 * The body of "create customer". Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateCustomer = Schema.Struct({
  ...requestFields,
  name: described(Schema.requiredKey(requestFields.name), "Name of the person or of the company."),
  document: described(
    Schema.requiredKey(requestFields.document),
    "Tax number, digits only: CPF (11 digits) or CNPJ (14 digits); no other customer has it."
  ),
  emails: described(Schema.requiredKey(requestFields.emails), "E-mail addresses, at least one.")
}).annotate({ identifier: "CreateCustomer", description: "A customer to be created." })

/**
 * @category models
 * @since 0.1.0
 */
export type CreateCustomer = typeof CreateCustomer.Type

/**
 * The body of "edit customer". Absent fields stay unchanged. A status that is computed from subscriptions and payments
 * is ignored, so that clients can send back a customer unchanged.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditCustomer = Schema.Struct({
  ...requestFields,
  Address: described(Schema.optionalKey(EditAddress), "Changes of the billing address."),
  status: described(
    Schema.optionalKey(CustomerStatus),
    "active activates a deactivated customer; inactive deactivates it, as DELETE does; other statuses are ignored."
  )
}).annotate({ identifier: "EditCustomer", description: "Changes of a customer." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditCustomer = typeof EditCustomer.Type
