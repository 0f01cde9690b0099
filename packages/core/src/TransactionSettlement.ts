/**
 * Takes note of payments by boleto and Pix.
 *
 * **What counts as exact.** A payment is compared with what was due on the day it was made: the value, and after the
 * due date fine and interest too (see `LateCharges`). Banks round the charges differently, so both ways of rounding
 * are exact, and what lies between them. The interface knows no discount.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "./BillingError.ts"
import { Cents } from "./Cents.ts"
import type { Decided } from "./Decision.ts"
import type { EpochMillis } from "./EpochMillis.ts"
import { allows, move, unhindered } from "./internal/transactionMove.ts"
import * as LateCharges from "./LateCharges.ts"
import type { PaymentMethodBoleto } from "./PaymentMethods.ts"
import { Percentage } from "./Percentage.ts"
import type { Settlement, TransactionState } from "./TransactionState.ts"
import type { TransactionStatus } from "./TransactionStatus.ts"

/**
 * Under which terms a payment was asked for, and what the service is told beside the report.
 *
 * @category models
 * @since 0.1.0
 */
export interface SettlementContext {
  /** The subscription's `PaymentMethodBoleto` or `PaymentMethodPix`. A rate that is absent is none. */
  readonly terms: Pick<PaymentMethodBoleto, "fine" | "interest">
  readonly now: EpochMillis
  /** How lateness is counted; `rounding` does not matter here. */
  readonly charges?: Omit<LateCharges.Options, "rounding"> | undefined
}

/**
 * Takes note of a payment that the bank or the Pix provider reported.
 *
 * **Details**
 *
 * - A boleto becomes `payedBoleto`, `lessValueBoleto` or `moreValueBoleto`; another payment of it makes
 *   `paidDuplicityBoleto`. All payments are kept.
 * - A Pix is paid exactly or not at all: the provider takes no other amount, so a report of one is refused.
 * - A report that was noted before changes nothing and makes nothing known, however often it comes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const settle = (
  state: TransactionState,
  settlement: Settlement,
  { charges, now, terms }: SettlementContext
): Decided<TransactionState> =>
  Result.gen(function* () {
    const { fee = settlement.fee, settlements = [] } = state
    const noted = settlements.find(({ id }) => id === settlement.id)
    if (noted !== undefined) {
      return noted.value === settlement.value && noted.paidOn === settlement.paidOn
        ? { next: state, events: [] }
        : yield* Result.fail(refuse({ _tag: "SettlementDiffers", noted: noted.value, reported: settlement.value }))
    }
    const free = yield* Result.flatMap(unhindered(state), (open) => allows(open, "settle"))
    const due = dueOn(free, settlement.paidOn, terms, charges)
    if (free.method === "pix" && compare(settlement.value, due) !== "exact") {
      // Terms may be absurd, so that more is due than an amount can be.
      const most = Cents.make(Math.min(due.least, highest))
      return yield* Result.fail(refuse({ _tag: "PixValueDiffers", due: most, paid: settlement.value }))
    }
    const paid: TransactionState = {
      ...free,
      settlements: [...settlements, settlement],
      ...(fee === undefined ? {} : { fee })
    }
    const { events, next } = yield* move(paid, "settle", statusAfter(free, settlement.value, due), now)
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
  { fine = 0, interest = 0 }: SettlementContext["terms"],
  options?: SettlementContext["charges"]
): { readonly least: number; readonly most: number } => {
  const terms = { value, fine: Percentage.make(fine), interest: Percentage.make(interest), due: payday, paidOn }
  const rounded = (rounding: "down" | "halfUp") =>
    Result.match(LateCharges.lateCharges(terms, { ...options, rounding }), {
      onFailure: () => Infinity,
      onSuccess: ({ total }) => total
    })
  return { least: rounded("down"), most: rounded("halfUp") }
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

const statusAfter = (
  { method, status }: TransactionState,
  paid: Cents,
  due: ReturnType<typeof dueOn>
): TransactionStatus => {
  if (method === "pix") return "payedPix"
  return status === "pendingBoleto" ? boletoStatus[compare(paid, due)] : "paidDuplicityBoleto"
}
