/**
 * Until when a boleto or a Pix can be paid, and when a bank reports a payment.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import type { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethods.ts"
import * as BankCalendar from "../time/BankCalendar.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { latest } from "../time/EpochMillis.ts"
import { addDays, fromEpochDay, LocalDate, toEpochDay } from "../time/LocalDate.ts"
import { startOfDay } from "../time/WallClock.ts"

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
