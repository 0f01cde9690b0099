/**
 * The body of "create manual subscription" (interface section 4.1). The interface does not show it; its fields are
 * decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { Address } from "../customers/Address.ts"
import { PaymentMethodCreditCardInput } from "../cards/CardInput.ts"
import { Document } from "../customers/Document.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { PaymentMethodBoleto, PaymentMethodPixInput } from "../paymentMethods/PaymentMethods.ts"
import { FreeText, int, nonEmptyString } from "../values/Text.ts"

const email = nonEmptyString(255).check(Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { expected: "an e-mail address" }))

/**
 * Who pays: a customer that is known by `svcPayId`, `myId` or `document`, or a new one and then with `name`,
 * `document` and `emails`. Fields beside the identifier of a known customer update it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CustomerInput = Schema.Struct({
  svcPayId: described(Schema.optionalKey(SvcPayId), "Identifier of a known customer, assigned by the service."),
  myId: described(Schema.optionalKey(MyId), "Identifier of the customer in the client system."),
  name: described(
    Schema.optionalKey(nonEmptyString(255)),
    "Name of the person or of the company; required for a new customer."
  ),
  document: described(
    Schema.optionalKey(Document),
    "Tax number, digits only: CPF (11 digits) or CNPJ (14 digits); required for a new customer."
  ),
  emails: described(
    Schema.optionalKey(
      Schema.Array(email).check(
        Schema.isNonEmpty({ expected: "at least one e-mail address" }),
        Schema.isMaxLength(20, { expected: "at most 20 e-mail addresses" })
      )
    ),
    "E-mail addresses; at least one is required for a new customer."
  ),
  phones: described(
    Schema.optionalKey(Schema.Array(int(11)).check(Schema.isMaxLength(20, { expected: "at most 20 numbers" }))),
    "Telephone numbers with area code, as numbers: 11987654321."
  ),
  Address: described(Schema.optionalKey(Address), "Billing address.")
}).annotate({
  identifier: "CustomerInput",
  description:
    "A known customer by svcPayId, myId or document, or a new one with name, document and emails. Fields beside the " +
    "identifier of a known customer update it."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CustomerInput = typeof CustomerInput.Type

/**
 * The whole body, read strictly.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateManualSubscription = Schema.Struct({
  myId: described(MyId, "Identifier that the subscription gets in the client system; unique per company."),
  mainPaymentMethodId: described(PaymentMethodId, "Main payment method: the one of payments that are added."),
  additionalInfo: described(Schema.optionalKey(FreeText), "Free text for internal notes."),
  Customer: described(CustomerInput, "Who pays."),
  PaymentMethodCreditCard: described(
    Schema.optionalKey(PaymentMethodCreditCardInput),
    "How card payments are charged."
  ),
  PaymentMethodBoleto: described(Schema.optionalKey(PaymentMethodBoleto), "How boletos are made out."),
  PaymentMethodPix: described(Schema.optionalKey(PaymentMethodPixInput), "How Pix codes are made out.")
}).annotate({
  identifier: "CreateManualSubscription",
  description: "A subscription to be created, without payments."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CreateManualSubscription = typeof CreateManualSubscription.Type
