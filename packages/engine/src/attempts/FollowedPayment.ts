/**
 * A payment that waited for its provider, while others of its owner were written.
 *
 * @since 0.1.0
 */
import type { Change } from "../commands/Decided.ts"
import type { WriteSet } from "../commands/WriteSet.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { Follow } from "../commands/Follow.ts"

/**
 * The payment as it is after what was written below its owner since; undefined where that is about the payment itself, or
 * about more than other payments and their subscription.
 *
 * @category conversions
 * @since 0.1.0
 */
export const follow: Follow<"payment"> = (known, since, version) => {
  const written = since(known.guard)
  if (written === undefined) return undefined
  let payment = known
  for (const writes of written) {
    const next = after(payment, writes)
    if (next === undefined) return undefined
    payment = next
  }
  return { ...payment, guard: { ...known.guard, version } }
}

const after = (payment: PaymentContext, { begun, changes, settled }: WriteSet): PaymentContext | undefined => {
  const { id } = payment.transaction
  if (begun.some(({ transactionId }) => transactionId === id)) return undefined
  if (settled.some(({ transactionId }) => transactionId === id)) return undefined
  return changes.reduce<PaymentContext | undefined>(
    (left, change) => (left === undefined ? undefined : changed(left, change)),
    payment
  )
}

const changed = (payment: PaymentContext, change: Change): PaymentContext | undefined => {
  const { owner, transaction } = payment
  switch (change.table) {
    case "transactions":
      return change.next.id === transaction.id ? undefined : payment
    case "subscriptions":
      return owner._tag === "Subscription" &&
        change.next.id === owner.subscription.id &&
        change.next.cardId === owner.subscription.cardId
        ? { ...payment, owner: { ...owner, subscription: change.next } }
        : undefined
    default:
      return undefined
  }
}
