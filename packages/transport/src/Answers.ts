/**
 * What each operation answers with a 200, as the service writes it (interface sections 2 and 4).
 *
 * @since 0.1.0
 */
import * as Card from "@parcela/core/Card"
import * as SubscriptionEntity from "@parcela/core/Subscription"
import { int, string } from "@parcela/core/Text"
import * as TransactionEntity from "@parcela/core/Transaction"
import { WebhookEvent } from "@parcela/core/WebhookEvent"
import * as Schema from "effect/Schema"

const done = Schema.Literal(true)
const Subscription = SubscriptionEntity.Subscription.annotate({ identifier: "Subscription" })
const Transaction = TransactionEntity.Transaction.annotate({ identifier: "Transaction" })

/**
 * Interface 2.11.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TokenAnswer = Schema.Struct({
  access_token: string(255),
  token_type: Schema.Literal("Bearer").annotate({ description: "At most 30 characters; always Bearer." }),
  expires_in: int(11),
  scope: string(255)
}).annotate({ identifier: "TokenAnswer" })

/**
 * @category models
 * @since 0.1.0
 */
export type TokenAnswer = typeof TokenAnswer.Type

/**
 * Interface 4.1.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionAnswer = Schema.Struct({ type: done, Subscription }).annotate({
  identifier: "SubscriptionAnswer"
})

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionAnswer = typeof SubscriptionAnswer.Type

/**
 * A page of subscriptions; `totalQtdFoundInPage` counts this page.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionsAnswer = Schema.Struct({
  totalQtdFoundInPage: int(11),
  Subscriptions: Schema.Array(Subscription)
}).annotate({ identifier: "SubscriptionsAnswer" })

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionsAnswer = typeof SubscriptionsAnswer.Type

/**
 * What adding a payment answers.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionAnswer = Schema.Struct({ type: done, Transaction }).annotate({
  identifier: "TransactionAnswer"
})

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionAnswer = typeof TransactionAnswer.Type

/**
 * A page of transactions; `totalQtdFoundInPage` counts this page.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionsAnswer = Schema.Struct({
  totalQtdFoundInPage: int(11),
  Transactions: Schema.Array(Transaction)
}).annotate({ identifier: "TransactionsAnswer" })

/**
 * @category models
 * @since 0.1.0
 */
export type TransactionsAnswer = typeof TransactionsAnswer.Type

/**
 * Interface 4.3; it has no `type`.
 *
 * **Details**
 *
 * Interface 4.3 gives `PaymentMethodCreditCard` the type "Card without Brand and isBackup"; 2.8 says that the node
 * "holds one Card", and so do the answers that public clients read. It is `{ Card }` here.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RetryAnswer = Schema.Struct({
  Transaction: TransactionEntity.TransactionOfRetry.annotate({ identifier: "TransactionOfRetry" }),
  PaymentMethodCreditCard: Schema.Struct({ Card: Card.CardOfRetry })
}).annotate({ identifier: "RetryAnswer" })

/**
 * @category models
 * @since 0.1.0
 */
export type RetryAnswer = typeof RetryAnswer.Type

/**
 * Interface 2.12.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhooksAnswer = Schema.Struct({
  type: done,
  confirmHash: string(255),
  events: Schema.Array(WebhookEvent)
}).annotate({ identifier: "WebhooksAnswer" })

/**
 * @category models
 * @since 0.1.0
 */
export type WebhooksAnswer = typeof WebhooksAnswer.Type
