/**
 * Fields that subscriptions and charges share in responses and requests: customer, payment settings, plan, invoices and
 * custom fields.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardOfSubscription } from "../cards/Card.ts"
import { Customer } from "../customers/Customer.ts"
import { InvoiceConfig } from "../invoices/Invoice.ts"
import { Split } from "../money/Split.ts"
import { CardTerms } from "../paymentMethods/CardTerms.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethod.ts"
import { LocalDateTime } from "../time/LocalDate.ts"
import { described, valueOrNull, ExtraField, ExtraFields } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text, string } from "../values/Text.ts"

/**
 * The contract text that a customer accepted on the payment link. Source: public use (the `Contract` of Subscription
 * and Charge); limits and optional fields are inferred. `pdf` is a link. `acceptedAt` is absent until the contract is
 * accepted.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AcceptedContract = Schema.Struct({
  name: described(Schema.optionalKey(string(255)), "Person who accepted it."),
  document: described(Schema.optionalKey(string(14)), "Tax number of the person who accepted it, digits only."),
  ip: described(Schema.optionalKey(string(255)), "Address from which it was accepted."),
  acceptedAt: described(Schema.optionalKey(LocalDateTime), "Time of acceptance: YYYY-MM-DD HH:MM:SS, Brazil time."),
  pdf: described(Schema.optionalKey(string(255)), "Link to the PDF.")
}).annotate({ identifier: "AcceptedContract", description: "The contract text that a customer accepted." })

/**
 * @category models
 * @since 0.1.0
 */
export type AcceptedContract = typeof AcceptedContract.Type

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
  ExtraFields: described(Schema.Array(ExtraField), "Custom fields of the company."),
  Contract: valueOrNull(AcceptedContract, "The contract text that the customer accepted."),
  Split: valueOrNull(Split, "A part of each payment that goes to another recipient.")
}

/**
 * Settings that are stored and returned unchanged.
 *
 * @category fields
 * @since 0.1.0
 */
export const contractInputs = {
  InvoiceConfig: described(
    Schema.optionalKey(InvoiceConfig),
    "The time at which tax invoices of its payments are issued."
  ),
  ExtraFields: described(Schema.optionalKey(ExtraFields), "Custom fields of the company."),
  Split: described(Schema.optionalKey(Split), "A part of each payment that goes to another recipient.")
}
