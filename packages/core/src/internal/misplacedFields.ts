/**
 * Fields that clients send in the wrong object, with messages that name the right one.
 *
 * @since 0.1.0
 */

const ofContract =
  "a payment has the terms of its subscription or charge: say this there, in PaymentMethodBoleto or PaymentMethodPix"
const ofMethod = "belongs in PaymentMethodBoleto or PaymentMethodPix"

/**
 * Unknown fields, by `Entity.field`, that concern money or the charged card. Ignoring such a field would lose payments
 * or charge another card, so the request is refused.
 */
export const misplacedFields: { readonly [field: string]: string } = {
  "Subscription.Transactions":
    "a manual subscription has none: add payments with POST /transactions/{subscriptionId}/{typeId}/add",
  "Card.hash":
    "cards that a browser made a hash of are not taken: send number, holder, expiresAt and cvv, or the svcPayId or myId of a " +
    "card of the customer",
  "Transaction.PaymentMethodBoleto": ofContract,
  "Transaction.PaymentMethodPix": ofContract,
  "Transaction.fine": ofContract,
  "Transaction.interest": ofContract,
  "Transaction.Discount": ofContract,
  "Subscription.fine": ofMethod,
  "Subscription.interest": ofMethod,
  "Subscription.Discount": ofMethod,
  "Charge.fine": ofMethod,
  "Charge.interest": ofMethod,
  "Charge.Discount": ofMethod
}
