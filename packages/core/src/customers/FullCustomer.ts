/**
 * A customer with every field that public deployments show. Source: interface section 2.2 and public
 * use (Customer); that `municipalDocument` has at most 255 characters is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Customer } from "./Customer.ts"
import { CustomerStatus } from "./CustomerStatus.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { string } from "../values/Text.ts"

/**
 * `invoiceHoldIss` says that the customer withholds the municipal service tax (ISS) on invoices.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullCustomer = Schema.Struct({
  ...Customer.fields,
  status: Schema.optionalKey(CustomerStatus),
  invoiceHoldIss: Schema.optionalKey(Schema.Boolean),
  municipalDocument: Schema.optionalKey(string(255)),
  ExtraFields: Schema.optionalKey(ExtraFields)
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullCustomer = typeof FullCustomer.Type
