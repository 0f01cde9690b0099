/**
 * What an earlier unit left, as others left it since.
 *
 * @since 0.1.0
 */
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { Found, LoadName } from "../loads/Loads.ts"
import type { Guard } from "../loads/Guard.ts"

/**
 * What was written below a root: other payments, and the subscription that is the root, as it was left last; undefined where it
 * was not written.
 *
 * @category models
 * @since 0.1.0
 */
export interface WrittenSince {
  readonly subscription: SubscriptionState | undefined
}

/**
 * What was written below a root since the unit whose number the guard has; undefined where that is about the transaction or its
 * attempts, about more than payments and a subscription that is the root, or where nobody knows.
 *
 * @category models
 * @since 0.1.0
 */
export type Since = (guard: Guard, transaction: SvcPayId) => WrittenSince | undefined

/**
 * What an earlier unit left, as it is for a unit with the number `version`. Undefined where it has to be loaded.
 *
 * @category models
 * @since 0.1.0
 */
export type Follow<N extends LoadName> = (known: Found<N>, since: Since, version: number) => Found<N> | undefined
