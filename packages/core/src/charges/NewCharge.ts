/**
 * Creates a charge with its one payment.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { withinBrand } from "../cards/CardInstallments.ts"
import type { CardState } from "../cards/CardState.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { cardTermsOf } from "../paymentMethods/PaymentMethodInputs.ts"
import type { PlanState } from "../plans/PlanState.ts"
import { planned } from "../subscriptions/PeriodicSubscription.ts"
import { type FoundPlans, namedPlan } from "../subscriptions/SubscriptionPlan.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { opening } from "../transactions/TransactionDecider.ts"
import type { TransactionState } from "../transactions/TransactionState.ts"
import type { Decision } from "../values/Decision.ts"
import type { MyId, SvcPayId } from "../values/Identifier.ts"
import type { ChargeState } from "./ChargeState.ts"
import { chargeCauseOf } from "./ChargeStatus.ts"
import type { CreateCharge } from "./CreateCharge.ts"

/**
 * What a new charge is decided with.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewChargeContext {
  readonly companyId: CompanyId
  readonly id: SvcPayId
  readonly customerId: SvcPayId
  /** The card that the request names, or brings. */
  readonly card: CardState | undefined
  readonly sameMyId: ChargeState | undefined
  readonly plans: FoundPlans
  /** What names its payment. */
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
 * Creates a charge. Its payment opens in the status of its method, or as `payExternal`, and then the charge is closed
 * already. One by card that names none waits for it, and its payment with it. A card payment that is due, a boleto and a
 * Pix want an attempt next.
 *
 * @category decisions
 * @since 0.1.0
 */
export const create = (
  command: CreateCharge,
  context: NewChargeContext
): Result.Result<NewCharge, RefusedBy<NewChargeRefusal>> => {
  const { id, plans, sameMyId } = context
  const plan = namedPlan(command, plans)
  if (Result.isFailure(plan)) return Result.fail(plan.failure)
  const opened = paymentOf(command, context)
  const within = withinBrand(context.card, command.PaymentMethodCreditCard)
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
): ReturnType<typeof opening> => {
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
  return opening(terms, common, today)
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
