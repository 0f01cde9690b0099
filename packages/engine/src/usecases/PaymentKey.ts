/**
 * The `Idempotency-Key` of a command on a payment, as its units treat it.
 *
 * @since 0.1.0
 */
import { isToBeRegisteredAnew, underWayOf } from "@parcela/core/transactions/TransactionState"
import { finalDenialOf } from "../attempts/AttemptDenial.ts"
import { type KeyPart, type KeyUse, storingShown } from "../commands/Command.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { PaymentLeft } from "./PaymentDecisions.ts"

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
  storingShown(key, ({ attempt, payment }) =>
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
