/**
 * A subscription with every field that public deployments show. Source: interface section 2.1 and public
 * use (Subscription); limits that neither gives are inferred from their neighbours.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AcceptedContract } from "./AcceptedContract.ts"
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
import { LocalDate } from "../time/LocalDate.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { Periodicity } from "../plans/Periodicity.ts"
import { Split } from "../money/Split.ts"
import { SubscriptionOfEvent } from "./Subscription.ts"
import { int, Text } from "../values/Text.ts"

const fields = {
  ...SubscriptionOfEvent.fields,
  planMyId: Schema.optionalKey(MyId),
  planSvcPayId: Schema.optionalKey(SvcPayId),
  value: Schema.optionalKey(Cents),
  quantity: Schema.optionalKey(int(11)),
  periodicity: Schema.optionalKey(Periodicity),
  firstPayDayDate: Schema.optionalKey(LocalDate),
  paymentLink: Schema.optionalKey(Text),
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
 * A subscription with its payments. `value` is cents; `quantity` counts payments, 0 is without end. A manual
 * subscription has neither, and no `periodicity` (public use).
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullSubscription = Schema.Struct({ ...fields, Transactions: Schema.Array(FullTransaction) })

/**
 * @category models
 * @since 0.1.0
 */
export type FullSubscription = typeof FullSubscription.Type

/**
 * A subscription beside one of its payments: what an event or a transaction of a list holds.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullSubscriptionOfTransaction = Schema.Struct(fields)

/**
 * @category models
 * @since 0.1.0
 */
export type FullSubscriptionOfTransaction = typeof FullSubscriptionOfTransaction.Type
