/**
 * When a boleto or a Pix that was not paid is given up, and what becomes of it then.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as BankCalendar from "../time/BankCalendar.ts"
import { refuse } from "../errors/BillingError.ts"
import type { Decided } from "../values/Decision.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { latest } from "../time/EpochMillis.ts"
import { type Before, changedAt, moved, open } from "../internal/transactionMove.ts"
import { fromEpochMillis } from "../time/WallClock.ts"
import { boletoLastDay, type DeadlineOptions, endOf, pixClosesAt } from "./PaymentDeadline.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import { documentKeyOf, type TransactionState } from "./TransactionState.ts"

/**
 * What the interface leaves open.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpiryOptions extends DeadlineOptions {
  /** How many business days after a boleto's last day its payment may still be reported; default 2 (D+2). */
  readonly settlementDays?: number | undefined
}

/**
 * How the subscription or the charge asks for boletos and Pix payments.
 *
 * @category models
 * @since 0.1.0
 */
export type ExpiryTerms = Pick<SubscriptionState, "boleto" | "pix">

/**
 * The instant from which a transaction may be given up; none for a card, which has no deadline. A deadline past the
 * end of the calendar is the last instant there is.
 *
 * **Details**
 *
 * What is registered has the terms that it was registered with; `terms` count where these are not known.
 *
 * - Boleto: it is written off once the business days after its last day (`boletoLastDay`) have passed in which a payment
 *   of that day may still be reported.
 * - Pix: when it cannot be paid any more (`pixClosesAt`), as a payment is reported at once.
 *
 * @category getters
 * @since 0.1.0
 */
export const expiresAt = (
  state: TransactionState,
  { boleto = {}, pix = {} }: ExpiryTerms = {},
  options: ExpiryOptions = {}
): BusinessTime | undefined => {
  const { calendar, settlementDays = 2, zone } = options
  switch (state.method) {
    case "creditcard":
    case "outside":
      return undefined
    case "boleto": {
      const last = boletoLastDay(state.payday, state.registration?.terms ?? boleto, options)
      return last === undefined
        ? BusinessTime.make(latest)
        : endOf(BankCalendar.addBusinessDays(last, settlementDays, calendar), zone)
    }
    case "pix": {
      const { registration } = state
      const openedAt = registration?.at ?? state.createdAt
      return pixClosesAt({ payday: state.payday, openedAt }, registration?.terms ?? pix, options)
    }
  }
}

/**
 * Whether it is given up once its time is over: it is registered and open, and no attempt is under way for it.
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayExpire = (state: TransactionState): boolean =>
  documentKeyOf(state) !== undefined && Result.isSuccess(open(state, "expire"))

/**
 * Gives up a boleto (`notCompensated`) or a Pix (`unavailablePix`) that was not paid in time; refused before then.
 *
 * **Gotchas**
 *
 * It knows what was reported, not what was paid: where reports can be lost, ask the bank or the provider first.
 *
 * @category decisions
 * @since 0.1.0
 */
export const expire = (
  state: TransactionState,
  terms: ExpiryTerms,
  now: BusinessTime,
  options: ExpiryOptions = {}
): Decided<TransactionState, "AttemptUnderWay" | "TransactionCannot" | "NotExpiredYet"> =>
  Result.gen(function* () {
    const pending = yield* open(state, "expire")
    const at = expiresAt(pending, terms, options) ?? latest
    if (now < at) {
      return yield* Result.fail(refuse({ _tag: "NotExpiredYet", until: fromEpochMillis(at, options.zone) }))
    }
    return moved(state, expired(pending, now))
  })

const expired = (pending: Before<"expire">, now: BusinessTime): TransactionState => {
  if (pending.method === "boleto") {
    const { underWay: _, ...free } = pending
    return { ...free, status: "notCompensated", ...changedAt(now) }
  }
  const { underWay: _, ...free } = pending
  return { ...free, status: "unavailablePix", ...changedAt(now) }
}
