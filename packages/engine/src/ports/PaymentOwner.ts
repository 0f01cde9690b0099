/**
 * The subscription or charge of a payment.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"

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
