/**
 * An item of `GET /transactions`: a transaction with its charge or subscription. Source: public use. One public client
 * types `Charge` as a list; the lenient decoder accepts a list with one item.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { valueOrNull } from "../values/Fields.ts"
import { ChargeOfTransaction } from "../charges/Charge.ts"
import { SubscriptionOfEvent } from "../subscriptions/Subscription.ts"
import { Transaction } from "./Transaction.ts"

/** A list does not query card settings. */
const howCharged = ["PaymentMethodCreditCard"] as const

/**
 * A transaction with its charge or subscription.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ListedTransaction = Schema.Struct({
  ...Transaction.fields,
  Charge: valueOrNull(
    ChargeOfTransaction.mapFields(Struct.omit(howCharged)).annotate({
      identifier: "ListedCharge",
      description: "The charge that a listed transaction belongs to."
    }),
    "The charge that it belongs to."
  ),
  Subscription: valueOrNull(
    SubscriptionOfEvent.mapFields(Struct.omit(howCharged)).annotate({
      identifier: "ListedSubscription",
      description: "The subscription that a listed transaction belongs to."
    }),
    "The subscription that it belongs to."
  )
}).annotate({ identifier: "ListedTransaction", description: "A payment with its charge or subscription." })

/**
 * @category models
 * @since 0.1.0
 */
export type ListedTransaction = typeof ListedTransaction.Type
