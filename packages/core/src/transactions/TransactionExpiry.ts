/**
 * Until when a boleto or a Pix can be paid, and what becomes of it then.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as BankCalendar from "../time/BankCalendar.ts"
import { refuse } from "../errors/BillingError.ts"
import type { Decided } from "../values/Decision.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { latest } from "../time/EpochMillis.ts"
import { type Before, changedAt, moved, open } from "../internal/transactionMove.ts"
import { addDays, fromEpochDay, LocalDate, toEpochDay } from "../time/LocalDate.ts"
import { fromEpochMillis, startOfDay } from "../time/WallClock.ts"
import type { PixTransaction } from "./PixTransaction.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import type { TransactionState } from "./TransactionState.ts"

/**
 * What the interface leaves open.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpiryOptions {
  /** Where days begin and end; Brazil time when absent. */
  readonly zone?: DateTime.TimeZone | undefined
  /** How long a boleto or a Pix of a subscription that does not say can be paid after its payday; default 30. */
  readonly deadlineDays?: number | undefined
  /** How many business days after a boleto's last day its payment may still be reported; default 2 (D+2). */
  readonly settlementDays?: number | undefined
  readonly calendar?: BankCalendar.Options | undefined
}

/**
 * The deadlines that the subscription set.
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
 * - Boleto: its last day is `payday` + `deadlineDays`, or the next business day when banks are closed then. It is
 *   written off once the business days have passed in which a payment of that day may still be reported.
 * - Pix: the end of `payday` + `Deadline` in days, or that many minutes after its code was opened (as API Pix counts
 *   `expiracao`). Pix is paid at any hour of any day and reported at once.
 *
 * @category getters
 * @since 0.1.0
 */
export const expiresAt = (
  state: TransactionState,
  { boleto, pix }: ExpiryTerms,
  options: ExpiryOptions = {}
): BusinessTime | undefined => {
  const { calendar, deadlineDays = 30, settlementDays = 2, zone } = options
  const endOf = (day: LocalDate) => BusinessTime.make(startOfDay(addDays(day, 1), zone))
  const after = (days: number) => {
    const epochDay = toEpochDay(state.payday) + days
    return epochDay < lastYear ? fromEpochDay(epochDay) : undefined
  }
  switch (state.method) {
    case "creditcard":
    case "outside":
      return undefined
    case "boleto": {
      const deadline = after(boleto?.deadlineDays ?? deadlineDays)
      if (deadline === undefined) return BusinessTime.make(latest)
      return endOf(
        BankCalendar.addBusinessDays(BankCalendar.nextBusinessDay(deadline, calendar), settlementDays, calendar)
      )
    }
    case "pix": {
      const { type, value } = pix?.Deadline ?? { type: "days", value: deadlineDays }
      if (type === "minutes") {
        return BusinessTime.make(Math.min(openedAt(state) + value * 60_000, latest))
      }
      const deadline = after(value)
      return deadline === undefined ? BusinessTime.make(latest) : endOf(deadline)
    }
  }
}

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

const openedAt = (state: PixTransaction): number =>
  ("registration" in state ? state.registration?.at : undefined) ?? state.createdAt

// Far enough from the end of the calendar that business days can be counted from any day before it.
const lastYear = toEpochDay(LocalDate.make("9999-01-01"))
