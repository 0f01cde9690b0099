/**
 * What the service knows of a subscription.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { ExtraFields } from "../values/ExtraFields.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { MachineTime } from "../time/MachineTime.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethods.ts"
import { Split } from "../money/Split.ts"
import { SubscriptionSchedule } from "./SubscriptionSchedule.ts"
import { SubscriptionStatus } from "./SubscriptionStatus.ts"
import { Text } from "../values/Text.ts"

/**
 * A subscription of one company; times in milliseconds since 1970.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: MyId,
  customerId: SvcPayId,
  status: SubscriptionStatus,
  mainPaymentMethodId: PaymentMethodId,
  additionalInfo: Schema.optionalKey(Text),
  cardId: Schema.optionalKey(SvcPayId),
  /** How its card is charged, where a request said so. */
  creditCard: Schema.optionalKey(CardTerms),
  boleto: Schema.optionalKey(PaymentMethodBoleto),
  pix: Schema.optionalKey(PaymentMethodPix),
  invoiceConfig: Schema.optionalKey(InvoiceConfig),
  extraFields: Schema.optionalKey(ExtraFields),
  split: Schema.optionalKey(Split),
  /** How many payments it has had: the next one is instalment `payments + 1`. */
  payments: Schema.Int,
  /** What it bills by itself; a manual subscription has none. */
  schedule: Schema.optionalKey(SubscriptionSchedule),
  /** The plan that it was made of, as it was called then. */
  planId: Schema.optionalKey(SvcPayId),
  planMyId: Schema.optionalKey(MyId),
  /** Names the command that changed its status last, so that the command knows what it wrote. */
  movedBy: Schema.optionalKey(Schema.String),
  /** When that was, by the machine's clock: requests to providers are under way in its time. */
  movedAt: Schema.optionalKey(MachineTime),
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionState = typeof SubscriptionState.Type
