/**
 * Response fields that charges and subscriptions share: customer, payment settings, plan, invoices and custom fields.
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
  Customer: described(Customer, "The payer."),
  PaymentMethodCreditCard: described(
    Schema.optionalKey(
      Schema.Struct({
        Card: described(Schema.optionalKey(CardOfSubscription), "The card that is charged."),
        ...CardTerms.fields
      }).annotate({ identifier: "PaymentMethodCreditCard", description: "Settings of card payments." })
    ),
    "Settings of card payments."
  ),
  PaymentMethodBoleto: described(Schema.optionalKey(PaymentMethodBoleto), "Settings of boletos."),
  PaymentMethodPix: described(Schema.optionalKey(PaymentMethodPix), "Settings of Pix codes."),
  planMyId: valueOrNull(MyId, "Identifier of its plan in the client system."),
  planSvcPayId: valueOrNull(SvcPayId, "Identifier of its plan, assigned by the service."),
  paymentLink: valueOrNull(Text, "Page on which the payer enters a card. Always null: this server has no such page."),
  createdAt: described(LocalDateTime, "Time of creation: YYYY-MM-DD HH:MM:SS, Brazil time."),
  updatedAt: described(LocalDateTime, "Time of the last change: YYYY-MM-DD HH:MM:SS, Brazil time."),
  InvoiceConfig: valueOrNull(InvoiceConfig, "The time at which tax invoices of its payments are issued."),
  ExtraFields: described(Schema.Array(ExtraField), "Fields of the company's own."),
  Contract: valueOrNull(AcceptedContract, "The contract text that the customer accepted."),
  Split: valueOrNull(Split, "A part of each payment that goes to another recipient.")
}
