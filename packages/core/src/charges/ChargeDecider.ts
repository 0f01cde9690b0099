/**
 * What may happen to a charge, and what follows from it.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { cardOf, type TransactionState } from "../transactions/TransactionState.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { ChargeState } from "./ChargeState.ts"
import { type ChargeCause, chargeCauseOf, type ChargeStatus, chargeTransitions } from "./ChargeStatus.ts"

const next = ({ status }: ChargeState, cause: ChargeCause): ChargeStatus | undefined => {
  const causes: { readonly [C in ChargeCause]?: ChargeStatus } = chargeTransitions[status]
  return causes[cause]
}

const movedTo = (state: ChargeState, to: ChargeStatus, now: BusinessTime): Decision<ChargeState> => ({
  next: { ...state, status: to, updatedAt: now },
  events: [{ _tag: "ChargeStatusChanged", chargeId: state.id, from: state.status, to }]
})

/**
 * What its payment makes of a charge: one that is paid, or cannot be paid any more, is closed; one whose payment is cancelled
 * is cancelled too. The card that it waited for is given with its payment, and is its own then.
 *
 * @category decisions
 * @since 0.1.0
 */
export const follow = (state: ChargeState, payment: TransactionState, now: BusinessTime): Decision<ChargeState> => {
  const cardId = cardOf(payment)
  const cause = chargeCauseOf(payment.status) ?? (cardId === undefined ? undefined : "activate")
  const to = cause === undefined ? undefined : next(state, cause)
  if (to === undefined) return { next: state, events: [] }
  return movedTo(cause === "activate" && cardId !== undefined ? { ...state, cardId } : state, to, now)
}

/**
 * Sets a charge aside that waits for its card, which did not come. A card that comes after all activates it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const deactivate = (state: ChargeState, now: BusinessTime): Decided<ChargeState, "ChargeCannot"> => {
  const to = next(state, "deactivate")
  return to === undefined
    ? Result.fail(refuse({ _tag: "ChargeCannot", cause: "deactivate", status: state.status }))
    : Result.succeed(movedTo(state, to, now))
}
