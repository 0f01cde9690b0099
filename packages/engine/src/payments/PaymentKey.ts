/**
 * The `Idempotency-Key` of a command on a payment, as its units treat it.
 *
 * @since 0.1.0
 */
import { isToBeRegisteredAnew, underWayOf } from "@parcela/core/transactions/TransactionState"
import { type KeyPart, type KeyUse, storingView } from "../command/Command.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import type { PaymentLeft } from "./PaymentDecisions.ts"
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
 * For the first unit: stores the key, with the response unless that waits for a provider.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storingPayment = (key: PaymentKey): KeyPart<PaymentLeft> | undefined =>
  storingView(key, ({ attempt, payment }) =>
    underWayOf(payment.transaction) === undefined && finalDenialOf(attempt) === undefined ? payment : undefined
  )

/**
 * For a later transaction: stores the response under a key that an earlier one stored. Until the payment's attempt has
 * ended, and a payment that was withdrawn is registered again, no response is stored: a repeat returns the payment as it is then.
 *
 * @category conversions
 * @since 0.1.0
 */
export const completing = (key: PaymentKey): KeyPart<PaymentLeft> | undefined =>
  key === undefined
    ? undefined
    : {
        _tag: "Complete",
        name: key.name,
        respond: ({ payment: { transaction }, payment }) =>
          underWayOf(transaction) === undefined && !isToBeRegisteredAnew(transaction) ? key.respond(payment) : undefined
      }

/**
 * The refusal that the denial of a reversal or a cancellation comes to: the payment stands as it stood, so that its
 * status would read as if nothing had been asked. Undefined for every other attempt.
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
 * **Gotchas**
 *
 * Never a failure: the attempt stays under way and is resolved by asking the provider about it. The same
 * command, given again, joins that attempt, and none is begun beside it.
 *
 * @category errors
 * @since 0.1.0
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", { attemptId: AttemptId }) {
  override get message() {
    return `The outcome of attempt ${this.attemptId} is not known yet`
  }
}
