/**
 * The `Customer` and its address in a request. The address is that of interface section 2.3; the request is defined in
 * `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described, ExtraFields } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { int, nonEmptyString, string } from "../values/Text.ts"
import { Document } from "./Document.ts"
import * as Struct from "effect/Struct"

const email = nonEmptyString(255).check(Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { expected: "an e-mail address" }))

/**
 * An address with the limit of each field. Only `complement` is optional (interface section 2.3).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Address = Schema.Struct({
  zipCode: described(string(8), "Postal code (CEP), digits only."),
  street: described(string(255), "Street."),
  number: described(string(255), "Number of the building; text, as it may be s/n."),
  complement: described(Schema.optionalKey(string(255)), "Apartment, block or the like."),
  neighborhood: described(string(255), "Neighborhood (bairro)."),
  city: described(string(255), "City."),
  state: described(nonEmptyString(2), "State code of two letters, such as SP.")
}).annotate({ identifier: "Address", description: "A billing address." })

/**
 * @category models
 * @since 0.1.0
 */
export type Address = typeof Address.Type

/**
 * The payer: an existing customer, identified by `svcPayId`, `myId` or `document`, or a new customer with `name`,
 * `document` and `emails`. Further fields update an existing customer.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CustomerInput = Schema.Struct({
  svcPayId: described(Schema.optionalKey(SvcPayId), "Identifier of a known customer, assigned by the service."),
  myId: described(Schema.optionalKey(MyId), "Identifier of the customer in the client system."),
  name: described(
    Schema.optionalKey(nonEmptyString(255)),
    "Name of the person or of the company; required for a new customer."
  ),
  document: described(
    Schema.optionalKey(Document),
    "Tax number, digits only: CPF (11 digits) or CNPJ (14 digits); required for a new customer."
  ),
  emails: described(
    Schema.optionalKey(
      Schema.Array(email).check(
        Schema.isNonEmpty({ expected: "at least one e-mail address" }),
        Schema.isMaxLength(100, { expected: "at most 100 e-mail addresses" })
      )
    ),
    "E-mail addresses; at least one is required for a new customer."
  ),
  phones: described(
    Schema.optionalKey(Schema.Array(int(11)).check(Schema.isMaxLength(100, { expected: "at most 100 numbers" }))),
    "Telephone numbers with area code, as numbers: 11987654321."
  ),
  Address: described(Schema.optionalKey(Address), "Billing address."),
  invoiceHoldIss: described(
    Schema.optionalKey(Schema.Boolean),
    "True if the customer withholds the municipal service tax (ISS) on invoices."
  ),
  municipalDocument: described(Schema.optionalKey(string(255)), "Municipal registration."),
  password: Schema.optionalKey(
    Schema.RedactedFromValue(
      string(255).annotate({ description: "Accepted and not stored: there is no customer area to log in to." }),
      { label: "password" }
    )
  ),
  ExtraFields: described(Schema.optionalKey(ExtraFields), "Custom fields of the company.")
}).annotate({
  identifier: "CustomerInput",
  description:
    "A known customer by svcPayId, myId or document, or a new one with name, document and emails. Further " +
    "fields update a known customer."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CustomerInput = typeof CustomerInput.Type

/**
 * Changes of an address. Absent fields stay unchanged.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditAddress = Address.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "EditAddress",
  description:
    "The changed fields of a billing address. A customer without an address needs all fields except complement."
})

/**
 * @category models
 * @since 0.1.0
 */
export type EditAddress = typeof EditAddress.Type

/**
 * The required fields of an address.
 *
 * @category tables
 * @since 0.1.0
 */
export const addressFields = ["zipCode", "street", "number", "neighborhood", "city", "state"] as const
