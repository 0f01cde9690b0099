/**
 * The `Idempotency-Key` of commands on payments, and the results that are not stored under a key.
 *
 * @since 0.1.0
 */
import { isToBeRegisteredAnew, underWayOf } from "@parcela/core/transactions/TransactionState"
import { type KeyPart, type KeyUse, storingView } from "../command/Command.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import type { PaymentResult } from "./PaymentDecisions.ts"
import type { Attempt } from "@parcela/core/attempts/Attempt"
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Schema from "effect/Schema"

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentKey = KeyUse<PaymentContext> | undefined

/**
 * Returns the key part of the first transaction. The response is stored at once, unless the payment waits for its
 * provider.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storingPayment = (key: PaymentKey): KeyPart<PaymentResult> | undefined =>
  storingView(key, ({ attempt, payment }) =>
    underWayOf(payment.transaction) === undefined && finalDenialOf(attempt) === undefined ? payment : undefined
  )

/**
 * Returns the key part of a later transaction, which adds the response to the stored key.
 *
 * No response is stored while an attempt is open or a withdrawn payment waits for its new registration. A repeat then
 * returns the current payment.
 *
 * @category conversions
 * @since 0.1.0
 */
export const completing = (key: PaymentKey): KeyPart<PaymentResult> | undefined =>
  key === undefined
    ? undefined
    : {
        _tag: "Complete",
        name: key.name,
        respond: ({ payment: { transaction }, payment }) =>
          underWayOf(transaction) === undefined && !isToBeRegisteredAnew(transaction) ? key.respond(payment) : undefined
      }

/**
 * Returns the refusal of a reversal or cancellation that the provider denied, or undefined for other attempts. A denial
 * must be an error: the payment is unchanged, so its status would not show the denial.
 *
 * @category getters
 * @since 0.1.0
 */
export const finalDenialOf = (attempt: Attempt | undefined): RefusedBy<"DeniedByProvider"> | undefined => {
  if (attempt?.result?.outcome !== "denied" || (attempt.kind !== "reverse" && attempt.kind !== "cancel")) {
    return undefined
  }
  const { code = "", message = "" } = attempt.result
  return refuse({ _tag: "DeniedByProvider", provider: attempt.provider, code, message })
}

/**
 * The provider's outcome of an attempt is unknown.
 *
 * **Gotchas**
 *
 * This error does not mean that the attempt failed. The attempt remains open, and a worker asks the provider about it.
 * If the client repeats the command, the command joins this attempt and starts no second one.
 *
 * @category errors
 * @since 0.1.0
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", { attemptId: AttemptId }) {
  override get message() {
    return `The outcome of attempt ${this.attemptId} is not known yet`
  }
}
