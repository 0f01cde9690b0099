/**
 * Edits of a payment: by the client, and by new terms of its subscription.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { Withdrawn } from "./TransactionFields.ts"
import {
  changedStatus,
  withoutPendingAttempt,
  withinMethodLimits,
  openPayment,
  type PaymentTerms
} from "./TransactionDecider.ts"
import { cardTermsOf } from "../paymentMethods/CardTerms.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { Decision } from "../values/Decision.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import type { EditPayment } from "./PaymentRequests.ts"
import { payOutside, paymentsToCancel } from "./TransactionEndings.ts"
import { documentKeyOf, type TransactionState } from "./TransactionState.ts"
import { nextStatuses } from "./TransactionStatus.ts"
import type { Cents } from "../money/Cents.ts"

/**
 * The result of an edit, and the provider call that it requires:
 *
 * - `nothing`: no call now; a due payment is sent as usual
 * - `charge`: the card is charged now
 * - `withdraw`: the registration is cancelled at the provider
 *
 * @category models
 * @since 0.1.0
 */
export type Edited = Decision<TransactionState> &
  ({ readonly requires: "nothing" | "charge" } | { readonly requires: "withdraw"; readonly withdrawn: Withdrawn })

/**
 * @category models
 * @since 0.1.0
 */
export interface EditContext {
  readonly sameMyId: TransactionState | undefined
  /** The customer's card that the edit sets. */
  readonly cardId: SvcPayId | undefined
  /** The payment method that an edit of the charge requests, with the card of the charge. */
  readonly terms?: PaymentTerms | undefined
  readonly today: LocalDate
  readonly now: BusinessTime
}

/**
 * Edits a payment. Absent and equal fields are no changes.
 *
 * **Details**
 *
 * `myId`, `additionalInfo` and `InvoiceConfig` can always be changed. Value, payday, card and "paid outside" can be
 * changed while the payment is open and no attempt is pending. To change a registered boleto or Pix, its registration
 * is cancelled and then replaced; an overdue one is then due today. A card in the request applies to this payment only.
 *
 * @category decisions
 * @since 0.1.0
 */
export const edit = (
  state: TransactionState,
  command: EditPayment,
  { cardId, now, sameMyId, terms: requested, today }: EditContext
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
    const isCharged = paydayDate !== undefined && !isPaidOutside
    const pays = isPaidOutside && state.status !== "payExternal"
    const unpays = command.payedOutsideSvcPay === false && state.status === "payExternal"
    const isOtherMethod = requested !== undefined && requested.mainPaymentMethodId !== state.method
    if (!isCharged && !pays && !unpays && !isOtherMethod && isSame(terms, edited))
      return { ...changed(state, edited, now), requires: "nothing" }
    yield* mayChange(state, command)
    yield* withoutPendingAttempt(state)
    if (pays) return yield* paidOutside(state, edited, terms, now)
    if (isOtherMethod)
      return yield* paidBy(requested, state, { ...edited, value: terms.value, payday: terms.payday }, command, {
        now,
        today
      })
    const due = notOverdue(terms, state, today)
    if (due.value !== state.value || due.payday !== state.payday) {
      yield* withinMethodLimits(due, today)
      if (documentKeyOf(state) !== undefined) {
        const withdrawn = { _tag: "Changed", value: due.value, payday: due.payday } as const
        return { ...changed(state, edited, now), requires: "withdraw", withdrawn }
      }
    }
    return { ...changed(state, due, now), requires: isCharged ? "charge" : "nothing" }
  })

/** Providers register nothing that is due in the past, so an overdue boleto or Pix with another value is due today. */
const notOverdue = (terms: TransactionState, state: TransactionState, today: LocalDate): TransactionState =>
  terms.method !== "creditcard" && terms.value !== state.value && terms.payday === state.payday && terms.payday < today
    ? { ...terms, payday: today }
    : terms

/**
 * @category models
 * @since 0.1.0
 */
export type EditRefusal =
  | "AttemptPending"
  | "CardMissing"
  | "MyIdTaken"
  | "NotByCard"
  | "NotEditable"
  | "PaydayDateNotToday"
  | "PaydayPast"
  | "TransactionCannot"
  | "ValueTooHigh"

/**
 * Refuses edits that are not allowed with any card.
 *
 * @category decisions
 * @since 0.1.0
 */
export const mayChange = (
  state: TransactionState,
  { paydayDate, PaymentMethodCreditCard, payedOutsideSvcPay: isPaidOutside = false }: EditPayment
): Result.Result<TransactionState, RefusedBy<"NotByCard" | "NotEditable">> => {
  // A payment that may be paid outside the service is open.
  if (nextStatuses(state.status, "payOutside").length === 0) {
    return Result.fail(refuse({ _tag: "NotEditable", status: state.status }))
  }
  const isByCard = PaymentMethodCreditCard !== undefined || (paydayDate !== undefined && !isPaidOutside)
  return isByCard && state.method !== "creditcard" ? Result.fail(refuse({ _tag: "NotByCard" })) : Result.succeed(state)
}

/**
 * True if the pending attempt was started by an equal edit: the request is repeated.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRepeatedEdit = (state: TransactionState, command: EditPayment, context: EditContext): boolean => {
  if (!("pendingAttempt" in state) || state.pendingAttempt === undefined) return false
  const { pendingAttempt, ...free } = state
  const again = edit(free, command, context)
  if (Result.isFailure(again) || again.success.next !== free) return false
  const { success } = again
  return success.requires === "withdraw"
    ? isSame(success.withdrawn, pendingAttempt.withdrawn)
    : success.requires === "charge" && pendingAttempt.kind === "charge"
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

/** A registered payment is first cancelled at its provider, and changes after that. */
const paidOutside = (
  state: TransactionState,
  edited: TransactionState,
  terms: TransactionState,
  now: BusinessTime
): Result.Result<Edited, RefusedBy<"AttemptPending" | "TransactionCannot">> => {
  if (documentKeyOf(state) !== undefined) {
    const withdrawn = { _tag: "PaidOutside", value: terms.value, payday: terms.payday } as const
    return Result.succeed({ ...changed(state, edited, now), requires: "withdraw", withdrawn })
  }
  const before = changed(state, terms, now)
  return Result.map(payOutside(before.next, now), ({ events, next }) => ({
    next,
    events: [...before.events, ...events],
    requires: "nothing"
  }))
}

/** The payment with another method. The registration of a boleto or a Pix is first cancelled at its provider. */
const paidBy = (
  requested: PaymentTerms,
  state: TransactionState,
  edited: TransactionState,
  command: EditPayment,
  { now, today }: { readonly today: LocalDate; readonly now: BusinessTime }
): Result.Result<Edited, RefusedBy<"CardMissing" | "PaydayPast" | "ValueTooHigh">> => {
  const { cardId, creditCard, mainPaymentMethodId: method } = requested
  const { payday } = command
  if (payday !== undefined && payday < today && method !== "creditcard") {
    return Result.fail(refuse({ _tag: "PaydayPast", payday, today }))
  }
  return Result.map(byOtherMethod(edited, { ...requested, value: edited.value }, { now, today }), (next) => {
    if (documentKeyOf(state) === undefined) {
      const { events, next: opened } = changedStatus(state, { ...next, updatedAt: now })
      return {
        next: opened,
        events: [{ _tag: "TransactionEdited", transactionId: state.id }, ...events],
        requires: "nothing"
      }
    }
    const isByCard = method === "creditcard"
    const withdrawn = {
      _tag: "Reopened",
      value: next.value,
      payday: next.payday,
      method,
      ...(isByCard && cardId !== undefined ? { cardId } : {}),
      ...(isByCard && creditCard !== undefined ? { creditCard } : {})
    } as const
    return { ...changed(state, withDetails(state, command), now), requires: "withdraw", withdrawn }
  })
}

/**
 * The terms that an edit changed. Each payment keeps the terms that were not changed.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditedTerms {
  readonly value: boolean
  readonly method: boolean
  readonly card: boolean
  /** True if the subscription was waiting for its card: payments without a card get this card. */
  readonly cardAdded: boolean
}

/**
 * The current terms of the subscription.
 *
 * @category models
 * @since 0.1.0
 */
export interface Terms extends PaymentTerms {
  readonly value: Cents | undefined
}

/**
 * Applies edited terms to a payment; undefined if they do not change it. Ended payments, pending attempts and
 * registered payments stay unchanged. For a registered payment, the change of method is checked now and applied after
 * its registration is cancelled.
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
  if (paymentsToCancel([state]).now.length === 0) return Result.succeed(undefined)
  const value = edited.value ? (terms.value ?? state.value) : state.value
  if (documentKeyOf(state) !== undefined) {
    const isOtherMethod = edited.method && state.method !== terms.mainPaymentMethodId
    return isOtherMethod
      ? Result.map(byOtherMethod(state, { ...terms, value }, context), () => undefined)
      : Result.succeed(undefined)
  }
  return Result.map(
    edited.method && state.method !== terms.mainPaymentMethodId
      ? byOtherMethod(state, { ...terms, value }, context)
      : Result.succeed(bySameMethod(state, { ...terms, value }, edited)),
    (next) => {
      if (JSON.stringify(next) === JSON.stringify(state)) return undefined
      return changedStatus(state, { ...next, updatedAt: context.now })
    }
  )
}

const bySameMethod = (
  state: TransactionState,
  { cardId, creditCard, value }: Terms & { readonly value: Cents },
  { card: isCardEdited, cardAdded }: EditedTerms
): TransactionState => {
  const getsCard = state.method === "creditcard" && (isCardEdited || (cardAdded && state.cardId === undefined))
  if (!getsCard || cardId === undefined) return { ...state, value }
  return { ...state, value, cardId, ...(creditCard === undefined ? {} : { creditCard }) }
}

/**
 * The payment with another method. A boleto or a Pix is due today at the earliest.
 *
 * @category decisions
 * @since 0.1.0
 */
export const byOtherMethod = (
  state: TransactionState,
  { value, ...terms }: Terms & { readonly value: Cents },
  { now, today }: { readonly today: LocalDate; readonly now: BusinessTime }
): ReturnType<typeof openPayment> => {
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
  return Result.map(openPayment(terms, common, today), (opened) =>
    // The next registration needs a new number.
    withdrawals === undefined ? opened : { ...opened, withdrawals }
  )
}
