/**
 * What a charge and a subscription show alike: who pays, how, by which plan, and what is said beside it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardOfSubscription } from "../cards/Card.ts"
import { Customer } from "../customers/Customer.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { Split } from "../money/Split.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethods.ts"
import { AcceptedContract } from "../subscriptions/AcceptedContract.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { described, valueOrNull } from "../values/Described.ts"
import { ExtraField } from "../values/ExtraFields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"

/**
 * @category fields
 * @since 0.1.0
 */
export const ofContract = {
  Customer: described(Customer, "Who pays."),
  PaymentMethodCreditCard: described(
    Schema.optionalKey(
      Schema.Struct({
        Card: described(Schema.optionalKey(CardOfSubscription), "The card that is charged."),
        ...CardTerms.fields
      }).annotate({ identifier: "PaymentMethodCreditCard", description: "How card payments are charged." })
    ),
    "How card payments are charged."
  ),
  PaymentMethodBoleto: described(Schema.optionalKey(PaymentMethodBoleto), "How boletos are made out."),
  PaymentMethodPix: described(Schema.optionalKey(PaymentMethodPix), "How Pix codes are made out."),
  planMyId: valueOrNull(MyId, "Identifier of its plan in the client system."),
  planSvcPayId: valueOrNull(SvcPayId, "Identifier of its plan, assigned by the service."),
  paymentLink: valueOrNull(Text, "Where the payer enters a card; null, as there is no such page yet."),
  createdAt: described(LocalDateTime, "When it was created: YYYY-MM-DD HH:MM:SS, Brazil time."),
  updatedAt: described(LocalDateTime, "When it was last changed: YYYY-MM-DD HH:MM:SS, Brazil time."),
  InvoiceConfig: valueOrNull(InvoiceConfig, "When the tax invoices of its payments are made."),
  ExtraFields: described(Schema.Array(ExtraField), "Fields of the company's own."),
  Contract: valueOrNull(AcceptedContract, "The contract text that the customer accepted."),
  Split: valueOrNull(Split, "A part of each payment that somebody else gets.")
}
