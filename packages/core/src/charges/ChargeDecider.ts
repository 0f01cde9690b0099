/**
 * What may happen to a charge, and what follows from it.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "../time/BusinessTime.ts"
import type { TransactionStatus } from "../transactions/TransactionStatus.ts"
import type { Decision } from "../values/Decision.ts"
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
 * What the status of its payment makes of a charge: one that is paid, or cannot be paid any more, is closed; one whose
 * payment is cancelled is cancelled too.
 *
 * @category decisions
 * @since 0.1.0
 */
export const follow = (state: ChargeState, payment: TransactionStatus, now: BusinessTime): Decision<ChargeState> => {
  const cause = chargeCauseOf(payment)
  const to = cause === undefined ? undefined : next(state, cause)
  return to === undefined ? { next: state, events: [] } : movedTo(state, to, now)
}
