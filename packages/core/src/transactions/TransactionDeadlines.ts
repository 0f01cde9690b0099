/**
 * The times of a transaction: when the service sends it, until when a boleto or a Pix can be paid, and when it expires.
 *
 * @since 0.1.0
 */
import { LocalDate, addDays, fromEpochDay, toEpochDay } from "../time/LocalDate.ts"
import type { OpenPayments } from "./TransactionStatus.ts"
import { type TransactionState, pendingAttemptOf, documentKeyOf } from "./TransactionState.ts"
import * as Result from "effect/Result"
import * as BankCalendar from "../time/BankCalendar.ts"
import { refuse } from "../errors/BillingError.ts"
import type { Decided } from "../values/Decision.ts"
import { BusinessTime, latest, fromEpochMillis, startOfDay } from "../time/Instant.ts"
import { type Before, changedAt, changedStatus, openFor } from "./TransactionDecider.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import type * as DateTime from "effect/DateTime"
import type { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethod.ts"

/**
 * The time at which the service sends a transaction without a request.
 *
 * - `AtOnce`: on any day
 * - `OnDay`: from the start of the day
 * - `Paused`: when its subscription or charge leaves its current status
 * - `Never`: an attempt is pending, or the transaction has ended
 *
 * @category models
 * @since 0.1.0
 */
export type TransactionDue =
  | { readonly _tag: "AtOnce" }
  | { readonly _tag: "OnDay"; readonly day: LocalDate }
  | { readonly _tag: "Paused" }
  | { readonly _tag: "Never" }

/** Before every payday. */
const firstDay = LocalDate.make("1000-01-01")

/**
 * The due time of a transaction, derived from {@link mustSend}.
 *
 * @category decisions
 * @since 0.1.0
 */
export const transactionDue = (state: TransactionState, open: OpenPayments = "sent"): TransactionDue => {
  if (!mustSend(state, state.payday)) return { _tag: "Never" }
  if (!mustSend(state, state.payday, open)) return { _tag: "Paused" }
  return mustSend(state, firstDay) ? { _tag: "AtOnce" } : { _tag: "OnDay", day: state.payday }
}

/**
 * True if the service must call the provider on this day: for an unsent card payment that is due and has a card, or for
 * a boleto or a Pix without a registration. The subscription or charge must allow sending.
 *
 * @category decisions
 * @since 0.1.0
 */
export const mustSend = (state: TransactionState, today: LocalDate, open: OpenPayments = "sent"): boolean => {
  if (pendingAttemptOf(state) !== undefined || open !== "sent") return false
  switch (state.status) {
    case "notSend":
      return state.cardId !== undefined && state.payday <= today
    case "pendingBoleto":
    case "pendingPix":
      return state.registration === undefined
    default:
      return false
  }
}

/**
 * Settings that the interface does not define.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpiryOptions extends DeadlineOptions {
  /**
   * Number of business days after the last day of a boleto in which its payment may still be reported; default 2 (D+2).
   */
  readonly settlementDays?: number | undefined
}

/**
 * Boleto and Pix settings of the subscription or the charge.
 *
 * @category models
 * @since 0.1.0
 */
export type ExpiryTerms = Pick<SubscriptionState, "boleto" | "pix">

/**
 * The instant at which a boleto or a Pix expires; undefined for a card payment, which has no deadline. The result is at
 * most the last valid instant.
 *
 * **Details**
 *
 * The terms of the registration apply. Without a registration, `terms` apply.
 *
 * - Boleto: expires after its last day (`boletoLastDay`) and the business days in which a payment of that day may still
 *   be reported.
 * - Pix: expires when it can no longer be paid (`pixClosesAt`), because payments are reported immediately.
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
 * True if the transaction expires at its deadline: it is registered and open, and no attempt is pending.
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayExpire = (state: TransactionState): boolean =>
  documentKeyOf(state) !== undefined && Result.isSuccess(openFor(state, "expire"))

/**
 * Expires an unpaid boleto (`notCompensated`) or Pix (`unavailablePix`). Refused before its deadline.
 *
 * **Gotchas**
 *
 * A payment may exist that was not reported yet. If reports can be lost, query the bank or the provider first.
 *
 * @category decisions
 * @since 0.1.0
 */
export const expire = (
  state: TransactionState,
  terms: ExpiryTerms,
  now: BusinessTime,
  options: ExpiryOptions = {}
): Decided<TransactionState, "AttemptPending" | "TransactionCannot" | "NotExpiredYet"> =>
  Result.gen(function* () {
    const pending = yield* openFor(state, "expire")
    const at = expiresAt(pending, terms, options) ?? latest
    if (now < at) {
      return yield* Result.fail(refuse({ _tag: "NotExpiredYet", until: fromEpochMillis(at, options.zone) }))
    }
    return changedStatus(state, expired(pending, now))
  })

const expired = (pending: Before<"expire">, now: BusinessTime): TransactionState => {
  if (pending.method === "boleto") {
    const { pendingAttempt: _, ...free } = pending
    return { ...free, status: "notCompensated", ...changedAt(now) }
  }
  const { pendingAttempt: _, ...free } = pending
  return { ...free, status: "unavailablePix", ...changedAt(now) }
}

/**
 * Settings that the interface does not define.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeadlineOptions {
  /** Time zone of days; default Brazil time. */
  readonly zone?: DateTime.TimeZone | undefined
  /**
   * Number of days after the payday during which a boleto or a Pix can be paid if its terms do not define it; default
   * 30.
   */
  readonly deadlineDays?: number | undefined
  readonly calendar?: BankCalendar.Options | undefined
}

const defaultDays = 30

/**
 * The last day on which a bank accepts a boleto: `deadlineDays` after its payday, moved to the next business day if
 * banks are closed. Undefined if that day is outside the calendar.
 *
 * @category getters
 * @since 0.1.0
 */
export const boletoLastDay = (
  payday: LocalDate,
  { deadlineDays }: Pick<PaymentMethodBoleto, "deadlineDays">,
  { calendar, deadlineDays: days = defaultDays }: DeadlineOptions = {}
): LocalDate | undefined => {
  const last = after(payday, deadlineDays ?? days)
  return last === undefined ? undefined : BankCalendar.nextBusinessDay(last, calendar)
}

/**
 * The instant from which a Pix can no longer be paid.
 *
 * **Details**
 *
 * A deadline in days ends with the last day that API Pix allows (`validadeAposVencimento`): a number of days after the
 * payday. Payday and last day both move to the next business day if banks are closed. A deadline in minutes starts when
 * the code was created (`expiracao`). The result is at most the last valid instant.
 *
 * @category getters
 * @since 0.1.0
 */
export const pixClosesAt = (
  { openedAt, payday }: { readonly payday: LocalDate; readonly openedAt: number },
  { Deadline }: Pick<PaymentMethodPix, "Deadline">,
  { calendar, deadlineDays = defaultDays, zone }: DeadlineOptions = {}
): BusinessTime => {
  const { type, value } = Deadline ?? { type: "days", value: deadlineDays }
  if (type === "minutes") return BusinessTime.make(Math.min(openedAt + value * 60_000, latest))
  const from = after(payday, 0)
  const last = from === undefined ? undefined : after(BankCalendar.nextBusinessDay(from, calendar), value)
  return last === undefined ? BusinessTime.make(latest) : endOf(BankCalendar.nextBusinessDay(last, calendar), zone)
}

/**
 * The day on which a bank reports a payment: the next business day after it.
 *
 * @category getters
 * @since 0.1.0
 */
export const reportedOn = (paidOn: LocalDate, { calendar }: DeadlineOptions = {}): LocalDate =>
  BankCalendar.addBusinessDays(paidOn, 1, calendar)

/**
 * The end of a day.
 *
 * @category getters
 * @since 0.1.0
 */
export const endOf = (day: LocalDate, zone?: DateTime.TimeZone): BusinessTime =>
  BusinessTime.make(startOfDay(addDays(day, 1), zone))

/** Undefined if the day is too close to the end of the calendar to count business days from it. */
const after = (day: LocalDate, days: number): LocalDate | undefined => {
  const epochDay = toEpochDay(day) + days
  return epochDay < lastYear ? fromEpochDay(epochDay) : undefined
}

const lastYear = toEpochDay(LocalDate.make("9999-01-01"))
