/**
 * A one-off charge (scopes `charges.read` and `charges.write`). Source: public use (which
 * fields it has, which a request must have, which statuses); limits are inferred from the same fields of interface section 2.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AcceptedContract } from "../subscriptions/AcceptedContract.ts"
import { Cents } from "../money/Cents.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { FullCustomer } from "../customers/FullCustomer.ts"
import {
  FullPaymentMethodBoleto,
  FullPaymentMethodCreditCard,
  FullPaymentMethodPix
} from "../paymentMethods/FullPaymentMethods.ts"
import { FullTransaction } from "../transactions/FullTransaction.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { Split } from "../money/Split.ts"
import { Text } from "../values/Text.ts"

/**
 * A charge's own status; whether it is paid stands in the status of its transactions.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeStatus = Schema.Literals(["active", "canceled", "closed", "waitingPayment", "inactive"])

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeStatus = typeof ChargeStatus.Type

const fields = {
  svcPayId: SvcPayId,
  myId: Schema.optionalKey(MyId),
  planMyId: Schema.optionalKey(MyId),
  planSvcPayId: Schema.optionalKey(SvcPayId),
  mainPaymentMethodId: PaymentMethodId,
  paymentLink: Schema.optionalKey(Text),
  additionalInfo: Schema.optionalKey(Text),
  value: Cents,
  status: ChargeStatus,
  payedOutsideSvcPay: Schema.optionalKey(Schema.Boolean),
  // The list filters by both, so a charge is taken to show them.
  createdAt: Schema.optionalKey(LocalDateTime),
  updatedAt: Schema.optionalKey(LocalDateTime),
  Customer: FullCustomer,
  PaymentMethodCreditCard: Schema.optionalKey(FullPaymentMethodCreditCard),
  PaymentMethodBoleto: Schema.optionalKey(FullPaymentMethodBoleto),
  PaymentMethodPix: Schema.optionalKey(FullPaymentMethodPix),
  InvoiceConfig: Schema.optionalKey(InvoiceConfig),
  ExtraFields: Schema.optionalKey(ExtraFields),
  Contract: Schema.optionalKey(AcceptedContract),
  Split: Schema.optionalKey(Split)
}

/**
 * A charge with its payments. `value` is cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Charge = Schema.Struct({ ...fields, Transactions: Schema.Array(FullTransaction) })

/**
 * @category models
 * @since 0.1.0
 */
export type Charge = typeof Charge.Type

/**
 * A charge beside one of its payments: what an event or a transaction of a list holds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeOfTransaction = Schema.Struct(fields)

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeOfTransaction = typeof ChargeOfTransaction.Type
