/**
 * What the service knows of a charge.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { Cents } from "../money/Cents.ts"
import { Split } from "../money/Split.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethods.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"
import { ChargeStatus } from "./ChargeStatus.ts"

/**
 * A charge of one company; `value` in cents, times in milliseconds since 1970. When it is due stands in its payment.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: MyId,
  customerId: SvcPayId,
  status: ChargeStatus,
  mainPaymentMethodId: PaymentMethodId,
  value: Cents,
  additionalInfo: Schema.optionalKey(Text),
  planMyId: Schema.optionalKey(MyId),
  planId: Schema.optionalKey(SvcPayId),
  cardId: Schema.optionalKey(SvcPayId),
  creditCard: Schema.optionalKey(CardTerms),
  boleto: Schema.optionalKey(PaymentMethodBoleto),
  pix: Schema.optionalKey(PaymentMethodPix),
  invoiceConfig: Schema.optionalKey(InvoiceConfig),
  extraFields: Schema.optionalKey(ExtraFields),
  split: Schema.optionalKey(Split),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeState = typeof ChargeState.Type
