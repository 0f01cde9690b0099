/**
 * What a payment belongs to, and what its decisions ask of that.
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
 * A subscription or a charge, with its card, which need not be the one that a payment of it is paid with.
 *
 * @category models
 * @since 0.1.0
 */
export type PaymentOwner =
  | { readonly _tag: "Subscription"; readonly subscription: SubscriptionState; readonly card: CardState | undefined }
  | { readonly _tag: "Charge"; readonly charge: ChargeState; readonly card: CardState | undefined }

/**
 * What a payment shows of its owner: a list does not look up its card.
 *
 * @category models
 * @since 0.1.0
 */
export type ShownOwner = PaymentOwner | Listed<"Subscription"> | Listed<"Charge">

type Listed<Tag extends PaymentOwner["_tag"]> = Omit<Extract<PaymentOwner, { readonly _tag: Tag }>, "card">

/**
 * What becomes of the owner's open payments.
 *
 * @category getters
 * @since 0.1.0
 */
export const openPaymentsOf = (owner: PaymentOwner): OpenPayments =>
  owner._tag === "Subscription"
    ? openTransactionsWhile[owner.subscription.status]
    : openPaymentsOfCharge[owner.charge.status]

/**
 * How the owner asks for boletos and Pix payments; how a card is charged stands in the payment.
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
