/**
 * The six statuses of a subscription and what may follow each (interface section 3).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionStatus = Schema.Literals([
  "active",
  "canceled",
  "closed",
  "stopped",
  "waitingPayment",
  "inactive"
])

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionStatus = typeof SubscriptionStatus.Type

/**
 * Why a subscription changes its status.
 *
 * - `activate`: the card that a payment link asked for was given, or the first payment came in
 * - `cancel`: somebody cancelled it
 * - `close`: its quantity of payments is used up
 * - `stop`: the company interrupted it
 * - `reactivate`: the company took it up again
 * - `deactivate`: it was never taken up and was put away
 *
 * @category models
 * @since 0.1.0
 */
export type SubscriptionCause = "activate" | "cancel" | "close" | "stop" | "reactivate" | "deactivate"

/**
 * What may follow each status, and why. The interface lists the statuses and leaves the transitions open; these
 * are decided in `docs/interface-decisions.md`.
 *
 * @category tables
 * @since 0.1.0
 */
export const subscriptionTransitions = {
  waitingPayment: { activate: "active", cancel: "canceled", stop: "stopped", deactivate: "inactive" },
  active: { cancel: "canceled", close: "closed", stop: "stopped" },
  stopped: { reactivate: "active", cancel: "canceled" },
  inactive: { reactivate: "active", cancel: "canceled" },
  canceled: {},
  closed: {}
} as const satisfies Record<SubscriptionStatus, { readonly [C in SubscriptionCause]?: SubscriptionStatus }>
