/**
 * The subscription of a transaction.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/Identifier"
import { subscriptionOf, type TransactionState } from "@parcela/core/TransactionState"

/**
 * Throws for a payment of a charge: no use case makes one yet.
 *
 * @category getters
 * @since 0.1.0
 */
export const subscriptionIdOf = (state: TransactionState): SvcPayId => {
  const id = subscriptionOf(state)
  if (id === undefined)
    throw new Error(`Transaction ${state.id} belongs to a charge, and charges have no use cases yet`)
  return id
}
