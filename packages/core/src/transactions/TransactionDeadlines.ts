/**
 * The times of a transaction: when the service sends it, until when a boleto or a Pix can be paid, and when it expires.
 *
 * @since 0.1.0
 */
import { LocalDate, addDays, fromEpochDay, toEpochDay } from "../time/LocalDate.ts"
import type { OpenPayments } from "./TransactionStatus.ts"
import { type TransactionState, underWayOf, documentKeyOf } from "./TransactionState.ts"
import * as Result from "effect/Result"
import * as BankCalendar from "../time/BankCalendar.ts"
import { refuse } from "../errors/BillingError.ts"
import type { Decided } from "../values/Decision.ts"
import { BusinessTime, latest, fromEpochMillis, startOfDay } from "../time/Instant.ts"
import { type Before, changedAt, moved, open } from "./TransactionDecider.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import type * as DateTime from "effect/DateTime"
import type { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethod.ts"

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

/**
 * True when the provider is to be asked now, without a request: a card payment that is due, has its card and was never
 * sent, a boleto or a Pix that has no code yet; and its subscription or charge lets its payments be
 * sent.
 *
 * @category decisions
 * @since 0.1.0
 */
export const wantsAttempt = (state: TransactionState, today: LocalDate, open: OpenPayments = "sent"): boolean => {
  if (underWayOf(state) !== undefined || open !== "sent") return false
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

/**
 * What the interface leaves open.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeadlineOptions {
  /** Where days begin and end; Brazil time when absent. */
  readonly zone?: DateTime.TimeZone | undefined
  /** How long a boleto or a Pix whose terms do not say can be paid after its payday; default 30. */
  readonly deadlineDays?: number | undefined
  readonly calendar?: BankCalendar.Options | undefined
}

const defaultDays = 30

/**
 * The last day on which a bank takes a boleto: its payday and `deadlineDays` more, or the next business day when banks are
 * closed then. Undefined past the end of the calendar.
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
 * The instant from which a Pix cannot be paid any more.
 *
 * **Details**
 *
 * In days, it is the end of the last day as API Pix counts `validadeAposVencimento`: so many days after the payday, where
 * a payday and a last day on which banks are closed each move to the next business day. In minutes, it is so long after
 * the code was opened (`expiracao`). Past the end of the calendar it is the last instant there is.
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
 * The day on which a bank reports a payment: the next business day. What is paid on a weekend or a holiday is settled with
 * the payments of the business day after it.
 *
 * @category getters
 * @since 0.1.0
 */
export const reportedOn = (paidOn: LocalDate, { calendar }: DeadlineOptions = {}): LocalDate =>
  BankCalendar.addBusinessDays(paidOn, 1, calendar)

/**
 * The instant at which a day is over.
 *
 * @category getters
 * @since 0.1.0
 */
export const endOf = (day: LocalDate, zone?: DateTime.TimeZone): BusinessTime =>
  BusinessTime.make(startOfDay(addDays(day, 1), zone))

/** Undefined where it comes too near to the end of the calendar for business days to be counted from it. */
const after = (day: LocalDate, days: number): LocalDate | undefined => {
  const epochDay = toEpochDay(day) + days
  return epochDay < lastYear ? fromEpochDay(epochDay) : undefined
}

const lastYear = toEpochDay(LocalDate.make("9999-01-01"))
