/**
 * An item of `GET /transactions`: a transaction together with the charge or the subscription it belongs to. Source:
 * public use. One public client types `Charge` as a list; a reader takes a list of one for the object.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { valueOrNull } from "../values/Fields.ts"
import { ChargeOfTransaction } from "../charges/Charge.ts"
import { SubscriptionOfEvent } from "../subscriptions/Subscription.ts"
import { Transaction } from "./Transaction.ts"

/** A list does not look up how a card is charged. */
const howCharged = ["PaymentMethodCreditCard"] as const

/**
 * A transaction as a list shows it, with what it belongs to.
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
}).annotate({ identifier: "ListedTransaction", description: "A payment, with what it belongs to." })

/**
 * @category models
 * @since 0.1.0
 */
export type ListedTransaction = typeof ListedTransaction.Type
