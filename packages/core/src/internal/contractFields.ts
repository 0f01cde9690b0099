/**
 * What a charge and a subscription show alike: who pays, how, by which plan, and what is said beside it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { FullCustomer } from "../customers/FullCustomer.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { Split } from "../money/Split.ts"
import {
  FullPaymentMethodBoleto,
  FullPaymentMethodCreditCard,
  FullPaymentMethodPix
} from "../paymentMethods/FullPaymentMethods.ts"
import { AcceptedContract } from "../subscriptions/AcceptedContract.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"

/**
 * @category fields
 * @since 0.1.0
 */
export const ofContract = {
  planMyId: Schema.optionalKey(MyId),
  planSvcPayId: Schema.optionalKey(SvcPayId),
  paymentLink: Schema.optionalKey(Text),
  // The lists filter by both, so each entity is taken to show them.
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
