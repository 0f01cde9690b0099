/**
 * The `Customer` of a request (interface section 2.2 defines the response; the request is defined in
 * `docs/interface-decisions.md`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { int, nonEmptyString, string } from "../values/Text.ts"
import { Address } from "./Address.ts"
import { Document } from "./Document.ts"

const email = nonEmptyString(255).check(Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { expected: "an e-mail address" }))

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
  ExtraFields: described(Schema.optionalKey(ExtraFields), "Fields of the company's own.")
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
