/**
 * The stored customer and its status. Source of the status: public use (Customer).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Address } from "./CustomerInput.ts"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/Instant.ts"
import { ActiveStatus, ExtraFields } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { TransactionStatus } from "../transactions/TransactionStatus.ts"

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

/**
 * - `active`: has a live subscription or charge.
 * - `delayed`: at least one payment is overdue: denied, open or expired.
 * - `inactive`: was deactivated.
 * - `withoutSubscriptionOrCharge`: has nothing to pay.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CustomerStatus = Schema.Literals([
  "active",
  "delayed",
  "inactive",
  "withoutSubscriptionOrCharge"
]).annotate({
  identifier: "CustomerStatus",
  description:
    "active: has a live subscription or charge; delayed: a payment is overdue; inactive: was deactivated; " +
    "withoutSubscriptionOrCharge."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CustomerStatus = typeof CustomerStatus.Type

/**
 * Statuses of an unpaid payment. Such a payment is overdue from the day after its payday.
 *
 * @category tables
 * @since 0.1.0
 */
export const owedStatuses = [
  "notSend",
  "denied",
  "pendingBoleto",
  "notCompensated",
  "pendingPix",
  "unavailablePix"
] as const satisfies ReadonlyArray<TransactionStatus>

/**
 * Facts about subscriptions, charges and payments that determine the customer's status.
 *
 * @category models
 * @since 0.1.0
 */
export interface CustomerStanding {
  /** True if a subscription or charge is live: active, stopped, or waiting for its first payment. */
  readonly hasContract: boolean
  /** The earliest payday among unpaid payments. */
  readonly owedFrom: LocalDate | undefined
}

/**
 * The standing of a new customer.
 *
 * @category constants
 * @since 0.1.0
 */
export const newStanding: CustomerStanding = { hasContract: false, owedFrom: undefined }

/**
 * @category decisions
 * @since 0.1.0
 */
export const customerStatus = (
  { status }: Pick<CustomerState, "status">,
  { hasContract, owedFrom }: CustomerStanding,
  today: LocalDate
): CustomerStatus => {
  if (status === "inactive") return "inactive"
  if (owedFrom !== undefined && owedFrom < today) return "delayed"
  return hasContract ? "active" : "withoutSubscriptionOrCharge"
}
