/**
 * Edits a charge, and of its payment what the charge says too (public use, `PUT /charges/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import { contractInputs } from "../internal/contractInputs.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { underPlan } from "../subscriptions/PeriodicSubscription.ts"
import { type FoundPlans, namedPlan } from "../subscriptions/SubscriptionPlan.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { changedTo, type Decision, freeMyId } from "../values/Decision.ts"
import { atLeastOneCent, isPaidOutside } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { FreeText } from "../values/Text.ts"
import type { ChargeState } from "./ChargeState.ts"

/**
 * What is absent stays as it is.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditCharge = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier in the client system; unique per company."),
  value: described(Schema.optionalKey(atLeastOneCent), "Price, in cents, at least 1."),
  payday: described(Schema.optionalKey(LocalDate), "Due date: YYYY-MM-DD."),
  mainPaymentMethodId: described(Schema.optionalKey(PaymentMethodId), "The payment method. It cannot be changed."),
  payedOutsideSvcPay: isPaidOutside,
  additionalInfo: described(
    Schema.optionalKey(FreeText),
    "Text about the charge and its payment; it is printed on the boleto."
  ),
  planMyId: described(Schema.optionalKey(MyId), "The plan that it belongs to, by identifier of the client system."),
  planSvcPayId: described(Schema.optionalKey(SvcPayId), "The plan that it belongs to, by identifier of the service."),
  ...contractInputs
}).annotate({ identifier: "EditCharge", description: "Changes of a charge." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditCharge = typeof EditCharge.Type

/**
 * Edits a charge; what is absent, or as it was, is no change. What becomes of its payment: `edit` of `TransactionEdit`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editCharge = (
  state: ChargeState,
  command: EditCharge,
  context: { readonly sameMyId: ChargeState | undefined; readonly plans: FoundPlans; readonly now: BusinessTime }
): Result.Result<Decision<ChargeState>, RefusedBy<"ChargeMethodFixed" | "MyIdTaken" | "PlanNotFound">> =>
  Result.gen(function* () {
    const { additionalInfo, ExtraFields, InvoiceConfig, mainPaymentMethodId, myId, Split, value } = command
    const { now, plans, sameMyId } = context
    yield* freeMyId("Charge", sameMyId, state.id)
    const plan = yield* namedPlan(command, plans)
    const method = state.mainPaymentMethodId
    if (mainPaymentMethodId !== undefined && mainPaymentMethodId !== method) {
      return yield* Result.fail(refuse({ _tag: "ChargeMethodFixed", method }))
    }
    const changed: ChargeState = {
      ...underPlan(state, plan),
      ...(myId === undefined ? {} : { myId }),
      ...(value === undefined ? {} : { value }),
      ...(additionalInfo === undefined ? {} : { additionalInfo }),
      ...(InvoiceConfig === undefined ? {} : { invoiceConfig: InvoiceConfig }),
      ...(ExtraFields === undefined ? {} : { extraFields: ExtraFields }),
      ...(Split === undefined ? {} : { split: Split })
    }
    return changedTo(state, changed, now, { _tag: "ChargeEdited", chargeId: state.id })
  })
