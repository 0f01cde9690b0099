/**
 * When a transaction is to be sent without anybody's asking.
 *
 * @since 0.1.0
 */
import { LocalDate } from "../time/LocalDate.ts"
import type { OpenPayments } from "./OpenPayments.ts"
import { wantsAttempt } from "./TransactionDecider.ts"
import type { TransactionState } from "./TransactionState.ts"

/**
 * - `AtOnce`: whatever the day is
 * - `OnDay`: from the beginning of that day on
 * - `Paused`: not while its subscription or charge has the status that it has now
 * - `Never`: it is under way, or over
 *
 * @category models
 * @since 0.1.0
 */
export type TransactionDue =
  | { readonly _tag: "AtOnce" }
  | { readonly _tag: "OnDay"; readonly day: LocalDate }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Never" }

/** Earlier than every payday. */
const firstDay = LocalDate.make("1000-01-01")

/**
 * When a transaction is due, as {@link wantsAttempt} decides.
 *
 * @category decisions
 * @since 0.1.0
 */
export const transactionDue = (state: TransactionState, open: OpenPayments = "sent"): TransactionDue => {
  if (!wantsAttempt(state, state.payday)) return { _tag: "Never" }
  if (!wantsAttempt(state, state.payday, open)) return { _tag: "Paused" }
  return wantsAttempt(state, firstDay) ? { _tag: "AtOnce" } : { _tag: "OnDay", day: state.payday }
}
