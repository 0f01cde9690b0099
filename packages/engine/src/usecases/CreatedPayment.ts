/**
 * A payment that the unit which creates its owner writes with it.
 *
 * @since 0.1.0
 */
import type { CompanyContext } from "../loads/CompanyContext.ts"
import type { Guard } from "../loads/Guard.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { PaymentOwner } from "../ports/PaymentOwner.ts"

/**
 * The payment as it would be loaded afterwards; `guard` where its owner was there before. It is paid with its owner's card, if
 * it is paid by card.
 *
 * @category conversions
 * @since 0.1.0
 */
export const createdPayment = (
  { clock, companyId, endpoints, restores }: CompanyContext,
  owner: PaymentOwner,
  made: Pick<PaymentContext, "attempts" | "customer" | "transaction">,
  guard: Guard = guardOf(owner)
): PaymentContext => {
  const { attempts, customer, transaction } = made
  return {
    companyId,
    clock,
    restores,
    endpoints,
    guard,
    owner,
    customer,
    transaction,
    card: transaction.method === "creditcard" ? owner.card : undefined,
    attempts
  }
}

// A row that is new has this version.
const version = 1

const guardOf = (owner: PaymentOwner): Guard =>
  owner._tag === "Charge"
    ? { table: "charges", id: owner.charge.id, version }
    : { table: "subscriptions", id: owner.subscription.id, version }
