/**
 * Records payments by boleto and Pix.
 *
 * **What counts as exact.** A payment is compared with what was due on the day it was made: the value, less the discount
 * of who pays early, and after the due date with fine and interest (see `AmountDue`). Banks round these differently, so
 * both ways of rounding are exact, and what lies between them.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { BoletoPaid, PixPaid } from "./RegisteredTransaction.ts"
import { Cents } from "../money/Cents.ts"
import type { Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { allows, type Before, changedAt, moved, open } from "./TransactionDecider.ts"
import type * as LateCharges from "../money/AmountDue.ts"
import { amountDue } from "../money/AmountDue.ts"
import type { PaymentMethodBoleto } from "../paymentMethods/PaymentMethod.ts"
import { Percentage } from "../money/Percentage.ts"
import type { Settlement } from "./TransactionFields.ts"
import { settlementsOf, type TransactionState, underWayOf } from "./TransactionState.ts"
import type { TransactionStatus } from "./TransactionStatus.ts"

/**
 * Under which terms a payment was asked for, and what the service knows beside the report.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettlementContext {
  /**
   * The owner's `PaymentMethodBoleto` or `PaymentMethodPix`. A registration has terms of its own, which count instead.
   * A rate that is absent is none.
   */
  readonly terms: Pick<PaymentMethodBoleto, "fine" | "interest" | "Discount">
  readonly now: BusinessTime
  /** How lateness is counted; `rounding` does not matter here. */
  readonly charges?: Omit<LateCharges.Options, "rounding"> | undefined
}

/**
 * Records a payment that the bank or the Pix provider reported.
 *
 * **Details**
 *
 * - A boleto becomes `payedBoleto`, `lessValueBoleto` or `moreValueBoleto`; another payment of it makes
 *   `paidDuplicityBoleto`, and any further one leaves it so. All payments are kept.
 * - A Pix is paid exactly or not at all: the provider takes no other amount, so a report of one is refused.
 * - A withdrawal that is under way at the provider does not hinder it: the money came in, so that the payment is paid
 *   whatever becomes of the withdrawal. Every other attempt that is under way is waited for.
 * - `NotRegistered`: a payment that its provider does not know yet cannot have been paid.
 * - A report that was noted before changes nothing and makes nothing known, however often it comes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const settle = (
  state: TransactionState,
  settlement: Settlement,
  { charges, now, terms }: SettlementContext
): Decided<
  TransactionState,
  "SettlementDiffers" | "AttemptUnderWay" | "TransactionCannot" | "NotRegistered" | "PixValueDiffers"
> =>
  Result.gen(function* () {
    const noted = settlementsOf(state).find(({ id }) => id === settlement.id)
    if (noted !== undefined) {
      return noted.value === settlement.value && noted.paidOn === settlement.paidOn
        ? { next: state, events: [] }
        : yield* Result.fail(refuse({ _tag: "SettlementDiffers", noted: noted.value, reported: settlement.value }))
    }
    const isBeingWithdrawn = underWayOf(state)?.kind === "cancel"
    const free = yield* isBeingWithdrawn ? allows(state, "settle") : open(state, "settle")
    const due = dueOn(free, settlement.paidOn, free.registration?.terms ?? terms, charges)
    const paid =
      free.method === "pix" ? yield* paidPix(free, settlement, due, now) : yield* paidBoleto(free, settlement, due, now)
    const { events, next } = moved<TransactionState>(state, paid)
    return { next, events: [{ _tag: "TransactionSettled", transactionId: state.id, settlement }, ...events] }
  })

/**
 * The least and the most that is an exact payment on a day. More than an amount can be is `Infinity`.
 *
 * @category getters
 * @since 0.1.0
 */
export const dueOn = (
  { payday, value }: Pick<TransactionState, "payday" | "value">,
  paidOn: Settlement["paidOn"],
  { Discount: discount, fine = 0, interest = 0 }: SettlementContext["terms"],
  options?: SettlementContext["charges"]
): { readonly least: number; readonly most: number } => {
  const rates = { fine: Percentage.make(fine), interest: Percentage.make(interest), discount }
  const rounded = (rounding: "down" | "halfUp"): number =>
    Result.match(amountDue({ value, due: payday, paidOn, ...rates }, { ...options, rounding }), {
      onFailure: () => Infinity,
      onSuccess: ({ total }) => total
    })
  const totals = [rounded("down"), rounded("halfUp")] as const
  return { least: Math.min(...totals), most: Math.max(...totals) }
}

const highest = 99_999_999_999

const compare = (paid: Cents, due: ReturnType<typeof dueOn>): "less" | "exact" | "more" => {
  if (paid < due.least) return "less"
  return paid > due.most ? "more" : "exact"
}

const boletoStatus = {
  less: "lessValueBoleto",
  exact: "payedBoleto",
  more: "moreValueBoleto"
} as const satisfies Record<ReturnType<typeof compare>, TransactionStatus>

const notRegistered = Result.fail(refuse({ _tag: "NotRegistered" }))

const paidBoleto = (
  state: Extract<Before<"settle">, { method: "boleto" }>,
  settlement: Settlement,
  due: ReturnType<typeof dueOn>,
  now: BusinessTime
): Result.Result<typeof BoletoPaid.Type, RefusedBy<"NotRegistered">> => {
  if (state.status !== "pendingBoleto") {
    const settlements = [...state.settlements, settlement] as const
    return Result.succeed({ ...state, status: "paidDuplicityBoleto", settlements, ...changedAt(now) })
  }
  const { registration, underWay: _, ...free } = state
  return registration === undefined
    ? notRegistered
    : Result.succeed({
        ...free,
        registration,
        status: boletoStatus[compare(settlement.value, due)],
        settlements: [settlement],
        ...changedAt(now)
      })
}

const paidPix = (
  state: Extract<Before<"settle">, { method: "pix" }>,
  settlement: Settlement,
  due: ReturnType<typeof dueOn>,
  now: BusinessTime
): Result.Result<typeof PixPaid.Type, RefusedBy<"NotRegistered" | "PixValueDiffers">> => {
  if (compare(settlement.value, due) !== "exact") {
    // Terms may be absurd, so that more is due than an amount can be.
    const most = Cents.make(Math.min(due.least, highest))
    return Result.fail(refuse({ _tag: "PixValueDiffers", due: most, paid: settlement.value }))
  }
  const { registration, underWay: _, ...free } = state
  return registration === undefined
    ? notRegistered
    : Result.succeed({ ...free, registration, status: "payedPix", settlements: [settlement], ...changedAt(now) })
}
