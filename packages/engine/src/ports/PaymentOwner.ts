/**
 * The subscription or charge of a payment, and the terms that it gives to its payments.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import { openPaymentsOfCharge } from "@parcela/core/charges/ChargeStatus"
import type { PaymentMethodBoleto, PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethods"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { openTransactionsWhile } from "@parcela/core/subscriptions/SubscriptionStatus"
import type { OpenPayments } from "@parcela/core/transactions/OpenPayments"

/**
 * A subscription or charge with its own card. A payment may use a different card.
 *
 * @category models
 * @since 0.1.0
 */
export type PaymentOwner =
  | { readonly _tag: "Subscription"; readonly subscription: SubscriptionState; readonly card: CardState | undefined }
  | { readonly _tag: "Charge"; readonly charge: ChargeState; readonly card: CardState | undefined }

/**
 * The owner without its card, as listed with a payment.
 *
 * @category models
 * @since 0.1.0
 */
export type ShownOwner = PaymentOwner | Listed<"Subscription"> | Listed<"Charge">

type Listed<Tag extends PaymentOwner["_tag"]> = Omit<Extract<PaymentOwner, { readonly _tag: Tag }>, "card">

/**
 * Returns the rule for the owner's open payments.
 *
 * @category getters
 * @since 0.1.0
 */
export const openPaymentsOf = (owner: PaymentOwner): OpenPayments =>
  owner._tag === "Subscription"
    ? openTransactionsWhile[owner.subscription.status]
    : openPaymentsOfCharge[owner.charge.status]

/**
 * Returns the owner's terms for boletos and Pix. The terms of a card payment are in the payment itself.
 *
 * @category getters
 * @since 0.1.0
 */
export const termsOf = (
  owner: PaymentOwner
): { readonly boleto: PaymentMethodBoleto; readonly pix: PaymentMethodPix } => {
  const { boleto = {}, pix = {} } = owner._tag === "Subscription" ? owner.subscription : owner.charge
  return { boleto, pix }
}
