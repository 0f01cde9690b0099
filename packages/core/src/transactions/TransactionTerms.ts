/**
 * What becomes of an open payment when the terms of its subscription are edited.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { RefusedBy } from "../errors/BillingError.ts"
import type { Cents } from "../money/Cents.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { Decision } from "../values/Decision.ts"
import { opening, type PaymentTerms } from "./TransactionDecider.ts"
import { openOf } from "./TransactionEndings.ts"
import { documentKeyOf, type TransactionState } from "./TransactionState.ts"

/**
 * Which terms were edited: what was not stays as each payment has it.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditedTerms {
  readonly value: boolean
  readonly method: boolean
  readonly card: boolean
  /** The card came that it had waited for: payments without one get it. */
  readonly cardCame: boolean
}

/**
 * The terms as they are now.
 *
 * @category models
 * @since 0.1.0
 */
export interface Terms extends PaymentTerms {
  readonly value: Cents | undefined
}

/**
 * A payment by the edited terms; undefined where they do not touch it. It is not touched when it is over or under way, nor
 * when its bank or Pix provider has registered it: that is withdrawn first, and what it cannot become is refused now.
 *
 * @category decisions
 * @since 0.1.0
 */
export const withTerms = (
  state: TransactionState,
  terms: Terms,
  edited: EditedTerms,
  context: { readonly today: LocalDate; readonly now: BusinessTime }
): Result.Result<Decision<TransactionState> | undefined, RefusedBy<"CardMissing" | "PaydayPast" | "ValueTooHigh">> => {
  if (openOf([state]).now.length === 0) return Result.succeed(undefined)
  const value = edited.value ? (terms.value ?? state.value) : state.value
  if (documentKeyOf(state) !== undefined) {
    const isByOther = edited.method && state.method !== terms.mainPaymentMethodId
    return isByOther
      ? Result.map(byOtherMethod(state, { ...terms, value }, context), () => undefined)
      : Result.succeed(undefined)
  }
  return Result.map(
    edited.method && state.method !== terms.mainPaymentMethodId
      ? byOtherMethod(state, { ...terms, value }, context)
      : Result.succeed(byItsMethod(state, { ...terms, value }, edited)),
    (next) => {
      if (JSON.stringify(next) === JSON.stringify(state)) return undefined
      const changed: ReadonlyArray<Decision<TransactionState>["events"][number]> =
        next.status === state.status
          ? []
          : [{ _tag: "TransactionStatusChanged", transactionId: state.id, from: state.status, to: next.status }]
      return { next: { ...next, updatedAt: context.now }, events: changed }
    }
  )
}

const byItsMethod = (
  state: TransactionState,
  { cardId, creditCard, value }: Terms & { readonly value: Cents },
  { card: isCardEdited, cardCame }: EditedTerms
): TransactionState => {
  const isToGetIt = state.method === "creditcard" && (isCardEdited || (cardCame && state.cardId === undefined))
  if (!isToGetIt || cardId === undefined) return { ...state, value }
  return { ...state, value, cardId, ...(creditCard === undefined ? {} : { creditCard }) }
}

/**
 * The payment as one of another method. A boleto or a Pix is not due before it is made.
 *
 * @category decisions
 * @since 0.1.0
 */
export const byOtherMethod = (
  state: TransactionState,
  { value, ...terms }: Terms & { readonly value: Cents },
  { now, today }: { readonly today: LocalDate; readonly now: BusinessTime }
): ReturnType<typeof opening> => {
  const { additionalInfo, companyId, createdAt, id, installment, invoiceConfig, myId, owner, payday, updatedAt } = state
  const withdrawals = "withdrawals" in state ? state.withdrawals : undefined
  const common = {
    id,
    companyId,
    owner,
    myId,
    value,
    payday: terms.mainPaymentMethodId !== "creditcard" && payday < today ? today : payday,
    ...(additionalInfo === undefined ? {} : { additionalInfo }),
    installment,
    ...(invoiceConfig === undefined ? {} : { invoiceConfig }),
    statusAt: now,
    createdAt,
    updatedAt
  }
  return Result.map(opening(terms, common, today), (opened) =>
    // Another registration needs another number.
    withdrawals === undefined ? opened : { ...opened, withdrawals }
  )
}
