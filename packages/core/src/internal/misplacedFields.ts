/**
 * Fields that are sent where they do not belong, and where they do.
 *
 * @since 0.1.0
 */

const ofContract =
  "a payment has the terms of its subscription or charge: say this there, in PaymentMethodBoleto or PaymentMethodPix"
const ofMethod = "belongs in PaymentMethodBoleto or PaymentMethodPix"

/**
 * By `Entity.field`: unknown fields that ask for money, or name what is to be charged. Passing over them would lose payments, or
 * charge another card: they stay, and are refused with where they belong.
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
