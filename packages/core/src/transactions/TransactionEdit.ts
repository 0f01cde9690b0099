/**
 * Edits of a payment: by the client, and by new terms of its subscription.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { Withdrawn } from "./TransactionFields.ts"
import { unhindered, withinMethod, opening, type PaymentTerms } from "./TransactionDecider.ts"
import { cardTermsOf } from "../paymentMethods/CardTerms.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { Decision } from "../values/Decision.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import type { EditPayment } from "./PaymentRequests.ts"
import { payOutside, openOf } from "./TransactionEndings.ts"
import { documentKeyOf, type TransactionState } from "./TransactionState.ts"
import { nextStatuses } from "./TransactionStatus.ts"
import type { Cents } from "../money/Cents.ts"

/**
 * An edit, and what is to be asked of the provider for it.
 *
 * - `nothing`: what it wants by itself once it is due
 * - `charge`: the card is tried now
 * - `withdraw`: it was paid outside, and its provider must not take it any more
 *
 * @category models
 * @since 0.1.0
 */
export type Edited = Decision<TransactionState> &
  ({ readonly asks: "nothing" | "charge" } | { readonly asks: "withdraw"; readonly withdrawn: Withdrawn })

/**
 * @category models
 * @since 0.1.0
 */
export interface EditContext {
  readonly sameMyId: TransactionState | undefined
  /** The card that the edit gives, as a card of the customer. */
  readonly cardId: SvcPayId | undefined
  readonly today: LocalDate
  readonly now: BusinessTime
}

/**
 * Edits a payment; what is absent, or as it was, is no change.
 *
 * **Details**
 *
 * `myId`, `additionalInfo` and `InvoiceConfig` may be changed always. Value, payday, card and "paid outside" may be while
 * the payment is open and no provider is being asked; a boleto or a Pix that is registered is withdrawn for it, and
 * registered anew.
 * A card that is given is of this payment alone.
 *
 * @category decisions
 * @since 0.1.0
 */
export const edit = (
  state: TransactionState,
  command: EditPayment,
  { cardId, now, sameMyId, today }: EditContext
): Result.Result<Edited, RefusedBy<EditRefusal>> =>
  Result.gen(function* () {
    const { myId, paydayDate, payedOutsideSvcPay: isPaidOutside = false } = command
    if (sameMyId !== undefined && sameMyId.id !== state.id && myId !== undefined) {
      return yield* Result.fail(refuse({ _tag: "MyIdTaken", entity: "Transaction", myId }))
    }
    if (paydayDate !== undefined && paydayDate !== today) {
      return yield* Result.fail(refuse({ _tag: "PaydayDateNotToday", today }))
    }
    const edited = withDetails(state, command)
    const terms = withChanges(edited, command, cardId)
    const isTried = paydayDate !== undefined && !isPaidOutside
    const pays = isPaidOutside && state.status !== "payExternal"
    const unpays = command.payedOutsideSvcPay === false && state.status === "payExternal"
    if (!isTried && !pays && !unpays && isSame(terms, edited))
      return { ...changed(state, edited, now), asks: "nothing" }
    yield* mayChange(state, command)
    yield* unhindered(state)
    if (pays) return yield* paidOutside(state, edited, terms, now)
    if (terms.value !== state.value || terms.payday !== state.payday) {
      yield* withinMethod(terms, today)
      if (documentKeyOf(state) !== undefined) {
        const withdrawn = { _tag: "Changed", value: terms.value, payday: terms.payday } as const
        return { ...changed(state, edited, now), asks: "withdraw", withdrawn }
      }
    }
    return { ...changed(state, terms, now), asks: isTried ? "charge" : "nothing" }
  })

/**
 * @category models
 * @since 0.1.0
 */
export type EditRefusal =
  | "AttemptUnderWay"
  | "MyIdTaken"
  | "NotByCard"
  | "NotEditable"
  | "PaydayDateNotToday"
  | "PaydayPast"
  | "TransactionCannot"
  | "ValueTooHigh"

/**
 * Refuses an edit that is refused whatever its card is.
 *
 * @category decisions
 * @since 0.1.0
 */
export const mayChange = (
  state: TransactionState,
  { paydayDate, PaymentMethodCreditCard, payedOutsideSvcPay: isPaidOutside = false }: EditPayment
): Result.Result<TransactionState, RefusedBy<"NotByCard" | "NotEditable">> => {
  // What may be paid outside is open: it has no money of its own yet.
  if (nextStatuses(state.status, "payOutside").length === 0) {
    return Result.fail(refuse({ _tag: "NotEditable", status: state.status }))
  }
  const isByCard = PaymentMethodCreditCard !== undefined || (paydayDate !== undefined && !isPaidOutside)
  return isByCard && state.method !== "creditcard" ? Result.fail(refuse({ _tag: "NotByCard" })) : Result.succeed(state)
}

/**
 * Whether the attempt that is under way is the one that this edit asks for: it was given before, and is given again.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isUnderWay = (state: TransactionState, command: EditPayment, context: EditContext): boolean => {
  if (!("underWay" in state) || state.underWay === undefined) return false
  const { underWay, ...free } = state
  const again = edit(free, command, context)
  if (Result.isFailure(again) || again.success.next !== free) return false
  const { success } = again
  return success.asks === "withdraw"
    ? isSame(success.withdrawn, underWay.withdrawn)
    : success.asks === "charge" && underWay.kind === "charge"
}

const withDetails = (
  state: TransactionState,
  { additionalInfo, InvoiceConfig, myId }: EditPayment
): TransactionState => ({
  ...state,
  ...(myId === undefined ? {} : { myId }),
  ...(additionalInfo === undefined ? {} : { additionalInfo }),
  ...(InvoiceConfig === undefined ? {} : { invoiceConfig: InvoiceConfig })
})

const withChanges = (
  state: TransactionState,
  { payday = state.payday, PaymentMethodCreditCard, value = state.value }: EditPayment,
  cardId: SvcPayId | undefined
): TransactionState => {
  if (state.method !== "creditcard") return { ...state, value, payday }
  const creditCard = cardTermsOf(PaymentMethodCreditCard)
  return {
    ...state,
    value,
    payday,
    ...(cardId === undefined ? {} : { cardId }),
    ...(creditCard === undefined ? {} : { creditCard })
  }
}

const isSame = (one: object, other: object | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)

const changed = (state: TransactionState, next: TransactionState, now: BusinessTime): Decision<TransactionState> =>
  isSame(next, state)
    ? { next: state, events: [] }
    : { next: { ...next, updatedAt: now }, events: [{ _tag: "TransactionEdited", transactionId: state.id }] }

/** What its provider knows is withdrawn there first, and changes with that. */
const paidOutside = (
  state: TransactionState,
  edited: TransactionState,
  terms: TransactionState,
  now: BusinessTime
): Result.Result<Edited, RefusedBy<"AttemptUnderWay" | "TransactionCannot">> => {
  if (documentKeyOf(state) !== undefined) {
    const withdrawn = { _tag: "PaidOutside", value: terms.value, payday: terms.payday } as const
    return Result.succeed({ ...changed(state, edited, now), asks: "withdraw", withdrawn })
  }
  const before = changed(state, terms, now)
  return Result.map(payOutside(before.next, now), ({ events, next }) => ({
    next,
    events: [...before.events, ...events],
    asks: "nothing"
  }))
}

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
