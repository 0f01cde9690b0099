/**
 * The bodies of "create customer" and "edit customer". Source: public use. The limits are those of `CustomerInput`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { EditAddress } from "./Address.ts"
import { CustomerInput } from "./CustomerInput.ts"
import { CustomerStatus } from "./CustomerStatus.ts"

const { svcPayId: _, ...fields } = CustomerInput.fields

/**
 * The body of "create customer". Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateCustomer = Schema.Struct({
  ...fields,
  name: described(Schema.requiredKey(fields.name), "Name of the person or of the company."),
  document: described(
    Schema.requiredKey(fields.document),
    "Tax number, digits only: CPF (11 digits) or CNPJ (14 digits); no other customer has it."
  ),
  emails: described(Schema.requiredKey(fields.emails), "E-mail addresses, at least one.")
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
  ...fields,
  Address: described(Schema.optionalKey(EditAddress), "What changes of the billing address."),
  status: described(
    Schema.optionalKey(CustomerStatus),
    "active activates a customer that was deactivated, inactive does what DELETE does; the others are ignored."
  )
}).annotate({ identifier: "EditCustomer", description: "Changes of a customer." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditCustomer = typeof EditCustomer.Type
