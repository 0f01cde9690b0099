/**
 * Settlements: payments of boletos and Pix charges.
 *
 * **Exact amounts.** A payment is compared with the amount due on its day: the value minus an early-payment discount,
 * or plus fine and interest (see `AmountDue`). Banks round differently, so every amount between the two rounded amounts
 * is exact.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { BoletoPaid, PixPaid } from "./RegisteredTransaction.ts"
import { Cents } from "../money/Cents.ts"
import type { Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { allowCause, type Before, changedAt, changedStatus, openFor } from "./TransactionDecider.ts"
import type * as LateCharges from "../money/AmountDue.ts"
import { amountDue } from "../money/AmountDue.ts"
import type { PaymentMethodBoleto } from "../paymentMethods/PaymentMethod.ts"
import { Percentage } from "../money/Percentage.ts"
import type { Settlement } from "./TransactionFields.ts"
import { settlementsOf, type TransactionState, pendingAttemptOf } from "./TransactionState.ts"
import type { TransactionStatus } from "./TransactionStatus.ts"

/**
 * Terms of the payment and the current time.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettlementContext {
  /**
   * The `PaymentMethodBoleto` or `PaymentMethodPix` of the subscription or charge. The terms of the registration take
   * precedence. An absent rate is zero.
   */
  readonly terms: Pick<PaymentMethodBoleto, "fine" | "interest" | "Discount">
  readonly now: BusinessTime
  /** Options for late charges. `rounding` is not needed, because both roundings are computed. */
  readonly charges?: Omit<LateCharges.Options, "rounding"> | undefined
}

/**
 * Records a payment that the bank or the Pix provider reported.
 *
 * **Details**
 *
 * - The first payment of a boleto results in `payedBoleto`, `lessValueBoleto` or `moreValueBoleto`; each further
 *   payment in `paidDuplicityBoleto`. All payments are stored.
 * - A Pix accepts only the exact amount; a report of another amount is refused.
 * - A pending cancellation at the provider does not prevent a settlement: the money was received. Any other pending
 *   attempt does.
 * - `NotRegistered`: a payment that its provider does not know cannot have been paid.
 * - A report that is already recorded changes nothing and has no events.
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
  "SettlementDiffers" | "AttemptPending" | "TransactionCannot" | "NotRegistered" | "PixValueDiffers"
> =>
  Result.gen(function* () {
    const recorded = settlementsOf(state).find(({ id }) => id === settlement.id)
    if (recorded !== undefined) {
      return recorded.value === settlement.value && recorded.paidOn === settlement.paidOn
        ? { next: state, events: [] }
        : yield* Result.fail(
            refuse({ _tag: "SettlementDiffers", recorded: recorded.value, reported: settlement.value })
          )
    }
    const isCancelling = pendingAttemptOf(state)?.kind === "cancel"
    const free = yield* isCancelling ? allowCause(state, "settle") : openFor(state, "settle")
    const due = dueOn(free, settlement.paidOn, free.registration?.terms ?? terms, charges)
    const paid =
      free.method === "pix" ? yield* paidPix(free, settlement, due, now) : yield* paidBoleto(free, settlement, due, now)
    const { events, next } = changedStatus<TransactionState>(state, paid)
    return { next, events: [{ _tag: "TransactionSettled", transactionId: state.id, settlement }, ...events] }
  })

/**
 * The smallest and the largest exact amount on a day. `Infinity` if it exceeds the largest amount.
 *
 * @category getters
 * @since 0.1.0
 */
export const dueOn = (
  { payday, value }: Pick<TransactionState, "payday" | "value">,
  paidOn: Settlement["paidOn"],
  { Discount: discount, fine = 0, interest = 0 }: SettlementContext["terms"],
  options?: SettlementContext["charges"]
): { readonly minimum: number; readonly maximum: number } => {
  const rates = { fine: Percentage.make(fine), interest: Percentage.make(interest), discount }
  const rounded = (rounding: "down" | "halfUp"): number =>
    Result.match(amountDue({ value, due: payday, paidOn, ...rates }, { ...options, rounding }), {
      onFailure: () => Infinity,
      onSuccess: ({ total }) => total
    })
  const totals = [rounded("down"), rounded("halfUp")] as const
  return { minimum: Math.min(...totals), maximum: Math.max(...totals) }
}

const maxAmount = 99_999_999_999

const compare = (paid: Cents, due: ReturnType<typeof dueOn>): "less" | "exact" | "more" => {
  if (paid < due.minimum) return "less"
  return paid > due.maximum ? "more" : "exact"
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
  const { registration, pendingAttempt: _, ...free } = state
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
    // With extreme terms the amount due may exceed the largest amount.
    const maximum = Cents.make(Math.min(due.minimum, maxAmount))
    return Result.fail(refuse({ _tag: "PixValueDiffers", due: maximum, paid: settlement.value }))
  }
  const { registration, pendingAttempt: _, ...free } = state
  return registration === undefined
    ? notRegistered
    : Result.succeed({ ...free, registration, status: "payedPix", settlements: [settlement], ...changedAt(now) })
}
