/**
 * The stored customer.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"

/**
 * A customer of one company. Times are in milliseconds since 1970.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CustomerState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: Schema.optionalKey(MyId),
  name: Schema.String,
  document: Schema.String,
  emails: Schema.Array(Schema.String),
  phones: Schema.Array(Schema.Int),
  address: Schema.optionalKey(Address),
  invoiceHoldIss: Schema.optionalKey(Schema.Boolean),
  municipalDocument: Schema.optionalKey(Schema.String),
  extraFields: Schema.optionalKey(ExtraFields),
  /** Absent means active. */
  status: Schema.optionalKey(ActiveStatus),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CustomerState = typeof CustomerState.Type
