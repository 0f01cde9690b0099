/**
 * Commands on charges: create a charge with its payment, edit it, update its status after its payment changed.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { withinInstallmentLimit } from "../cards/CardBrand.ts"
import type { CardState } from "../cards/CardDecider.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { cardTermsOf } from "../paymentMethods/CardTerms.ts"
import { type PlanState, type LoadedPlans, requestedPlan } from "../plans/PlanDecider.ts"
import { planned, withPlan } from "../subscriptions/PeriodicSubscription.ts"
import { type LocalDate } from "../time/LocalDate.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { openPayment } from "../transactions/TransactionDecider.ts"
import { type TransactionState, cardOf } from "../transactions/TransactionState.ts"
import { type Decision, changedTo, freeMyId, type Decided } from "../values/Decision.ts"
import { type MyId, type SvcPayId } from "../values/Identifier.ts"
import {
  type ChargeState,
  chargeCauseOf,
  type ChargeCause,
  type ChargeStatus,
  chargeTransitions
} from "./ChargeState.ts"
import type { CreateCharge, EditCharge } from "./Charge.ts"

/**
 * Loaded entities, identifiers and times for a new charge.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewChargeContext {
  readonly companyId: CompanyId
  readonly id: SvcPayId
  readonly customerId: SvcPayId
  /** The card that the request refers to or contains. */
  readonly card: CardState | undefined
  readonly sameMyId: ChargeState | undefined
  readonly plans: LoadedPlans
  /** Identifiers of its payment. */
  readonly payment: { readonly id: SvcPayId; readonly myId: MyId }
  readonly today: LocalDate
  readonly now: BusinessTime
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewCharge {
  readonly charge: ChargeState
  readonly payment: TransactionState
  readonly events: Decision<ChargeState>["events"]
}

/**
 * Creates a charge with its payment. A charge that was paid outside the service is closed at once. A card charge
 * without a card waits for one (`waitingPayment`).
 *
 * @category decisions
 * @since 0.1.0
 */
export const create = (
  command: CreateCharge,
  context: NewChargeContext
): Result.Result<NewCharge, RefusedBy<NewChargeRefusal>> => {
  const { id, plans, sameMyId } = context
  const plan = requestedPlan(command, plans)
  if (Result.isFailure(plan)) return Result.fail(plan.failure)
  const opened = paymentOf(command, context)
  const within = withinInstallmentLimit(context.card, command.PaymentMethodCreditCard)
  const [first, ...others]: ReadonlyArray<RefusalOf<NewChargeRefusal>> = [
    ...(sameMyId === undefined ? [] : [{ _tag: "MyIdTaken", entity: "Charge", myId: command.myId } as const]),
    ...(Result.isFailure(within) ? [within.failure.refusal] : []),
    ...(Result.isFailure(opened) ? [opened.failure.refusal] : [])
  ]
  if (first !== undefined) return Result.fail(refuse<typeof first>(first, ...others))
  return Result.map(opened, (payment) => ({
    charge: chargeOf(command, context, payment, plan.success),
    payment,
    events: [
      { _tag: "ChargeCreated", chargeId: id },
      { _tag: "TransactionAdded", transactionId: payment.id, chargeId: id }
    ]
  }))
}

/**
 * @category models
 * @since 0.1.0
 */
export type NewChargeRefusal =
  | "CardMissing"
  | "InstallmentsTooMany"
  | "MyIdTaken"
  | "PaydayPast"
  | "PlanNotFound"
  | "ValueTooHigh"

const paymentOf = (
  command: CreateCharge,
  { card, companyId, id, now, payment, today }: NewChargeContext
): ReturnType<typeof openPayment> => {
  const { additionalInfo, mainPaymentMethodId, payday, payedOutsideSvcPay = false, value } = command
  const common = {
    ...payment,
    companyId,
    owner: { _tag: "Charge", id },
    value,
    payday,
    ...(additionalInfo === undefined ? {} : { additionalInfo }),
    installment: 1,
    statusAt: now,
    createdAt: now,
    updatedAt: now
  } as const
  if (payedOutsideSvcPay) return Result.succeed({ ...common, method: "outside", status: "payExternal" })
  const creditCard = cardTermsOf(command.PaymentMethodCreditCard)
  const terms = { mainPaymentMethodId, creditCard, mayWait: true, ...(card === undefined ? {} : { cardId: card.id }) }
  return openPayment(terms, common, today)
}

const chargeOf = (
  command: CreateCharge,
  { card, companyId, customerId, id, now }: NewChargeContext,
  payment: TransactionState,
  plan: PlanState | undefined
): ChargeState => {
  const { additionalInfo, ExtraFields, InvoiceConfig, PaymentMethodBoleto, PaymentMethodPix, Split } = command
  const { mainPaymentMethodId, myId, value } = command
  const creditCard = cardTermsOf(command.PaymentMethodCreditCard)
  return {
    id,
    companyId,
    myId,
    customerId,
    status: openingStatusOf(payment),
    mainPaymentMethodId,
    value,
    ...(additionalInfo === undefined ? {} : { additionalInfo }),
    ...planned(plan),
    ...(card === undefined ? {} : { cardId: card.id }),
    ...(creditCard === undefined ? {} : { creditCard }),
    ...(PaymentMethodBoleto === undefined ? {} : { boleto: PaymentMethodBoleto }),
    ...(PaymentMethodPix === undefined ? {} : { pix: PaymentMethodPix }),
    ...(InvoiceConfig === undefined ? {} : { invoiceConfig: InvoiceConfig }),
    ...(ExtraFields === undefined ? {} : { extraFields: ExtraFields }),
    ...(Split === undefined ? {} : { split: Split }),
    createdAt: now,
    updatedAt: now
  }
}

const openingStatusOf = (payment: TransactionState): ChargeState["status"] => {
  if (chargeCauseOf(payment.status) === "close") return "closed"
  return payment.method === "creditcard" && payment.cardId === undefined ? "waitingPayment" : "active"
}

/**
 * Edits a charge. Absent and equal fields are no changes. Its payment is edited by `edit` of `TransactionEdit`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editCharge = (
  state: ChargeState,
  command: EditCharge,
  context: { readonly sameMyId: ChargeState | undefined; readonly plans: LoadedPlans; readonly now: BusinessTime }
): Result.Result<Decision<ChargeState>, RefusedBy<"ChargeWithoutCard" | "MyIdTaken" | "PlanNotFound">> =>
  Result.gen(function* () {
    const { additionalInfo, ExtraFields, InvoiceConfig, mainPaymentMethodId, myId, Split, value } = command
    const { now, plans, sameMyId } = context
    yield* freeMyId("Charge", sameMyId, state.id)
    const plan = yield* requestedPlan(command, plans)
    const isOtherMethod = mainPaymentMethodId !== undefined && mainPaymentMethodId !== state.mainPaymentMethodId
    if (isOtherMethod && mainPaymentMethodId === "creditcard" && state.cardId === undefined) {
      return yield* Result.fail(refuse({ _tag: "ChargeWithoutCard" }))
    }
    const changed: ChargeState = {
      ...withPlan(state, plan),
      ...(mainPaymentMethodId === undefined ? {} : { mainPaymentMethodId }),
      ...(myId === undefined ? {} : { myId }),
      ...(value === undefined ? {} : { value }),
      ...(additionalInfo === undefined ? {} : { additionalInfo }),
      ...(InvoiceConfig === undefined ? {} : { invoiceConfig: InvoiceConfig }),
      ...(ExtraFields === undefined ? {} : { extraFields: ExtraFields }),
      ...(Split === undefined ? {} : { split: Split })
    }
    const edited = changedTo(state, changed, now, { _tag: "ChargeEdited", chargeId: state.id })
    // A charge that is not paid by card waits for no card.
    const to = isOtherMethod ? next(state, "activate") : undefined
    if (to === undefined) return edited
    const { events, next: active } = movedTo(edited.next, to, now)
    return { next: active, events: [...edited.events, ...events] }
  })

const next = ({ status }: ChargeState, cause: ChargeCause): ChargeStatus | undefined => {
  const causes: { readonly [C in ChargeCause]?: ChargeStatus } = chargeTransitions[status]
  return causes[cause]
}

const movedTo = (state: ChargeState, to: ChargeStatus, now: BusinessTime): Decision<ChargeState> => ({
  next: { ...state, status: to, updatedAt: now },
  events: [{ _tag: "ChargeStatusChanged", chargeId: state.id, from: state.status, to }]
})

/**
 * Updates a charge after its payment changed. The charge is closed when the payment is paid or can no longer be paid,
 * cancelled when the payment is cancelled, and activated when the payment gets the missing card.
 *
 * @category decisions
 * @since 0.1.0
 */
export const follow = (state: ChargeState, payment: TransactionState, now: BusinessTime): Decision<ChargeState> => {
  const cardId = cardOf(payment)
  const cause = chargeCauseOf(payment.status) ?? (cardId === undefined ? undefined : "activate")
  const to = cause === undefined ? undefined : next(state, cause)
  if (to === undefined) return { next: state, events: [] }
  return movedTo(cause === "activate" && cardId !== undefined ? { ...state, cardId } : state, to, now)
}

/**
 * Deactivates a charge that waits for a card. A card that is sent later activates it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const deactivate = (state: ChargeState, now: BusinessTime): Decided<ChargeState, "ChargeCannot"> => {
  const to = next(state, "deactivate")
  return to === undefined
    ? Result.fail(refuse({ _tag: "ChargeCannot", cause: "deactivate", status: state.status }))
    : Result.succeed(movedTo(state, to, now))
}
