/**
 * A payment that waited for its provider, while others of its owner were written.
 *
 * @since 0.1.0
 */
import type { Follow } from "../commands/Follow.ts"

/**
 * The payment as it is after what was written below its owner since; undefined where that is about the payment itself, or
 * about more than other payments and their subscription, or where the subscription has another card.
 *
 * @category conversions
 * @since 0.1.0
 */
export const follow: Follow<"payment"> = (known, since, version) => {
  const { guard, owner, transaction } = known
  const written = since(guard, transaction.id)
  if (written === undefined) return undefined
  const followed = { ...known, guard: { ...guard, version } }
  const { subscription } = written
  if (subscription === undefined) return followed
  if (owner._tag !== "Subscription" || subscription.cardId !== owner.subscription.cardId) return undefined
  return { ...followed, owner: { ...owner, subscription } }
}
