/**
 * What each operation answers with a 200, as the service writes it (interface sections 2 and 4).
 *
 * @since 0.1.0
 */
import * as Card from "@parcela/core/cards/Card"
import { described } from "@parcela/core/values/Described"
import * as SubscriptionEntity from "@parcela/core/subscriptions/Subscription"
import { int, string } from "@parcela/core/values/Text"
import * as TransactionEntity from "@parcela/core/transactions/Transaction"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"

const done = described(Schema.Literal(true), "True: the action succeeded.")
const Subscription = described(SubscriptionEntity.Subscription, "The subscription.")
const Transaction = described(TransactionEntity.Transaction, "The transaction.")
const totalQtdFoundInPage = described(
  int(11),
  "How many entities this page holds. A page that holds fewer than limit is the last one."
)

/**
 * Interface 2.11.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TokenAnswer = Schema.Struct({
  access_token: described(string(255), "The access token: send it as Authorization: Bearer."),
  token_type: described(Schema.Literal("Bearer"), "How the token is used; always Bearer."),
  expires_in: described(int(11), "Lifetime of the token, in seconds."),
  scope: described(string(255), "The scopes granted, separated by spaces.")
}).annotate({ identifier: "TokenResponse", description: "An access token." })

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
  identifier: "SubscriptionResponse",
  description: "The subscription that was created."
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
  totalQtdFoundInPage,
  Subscriptions: described(Schema.Array(SubscriptionEntity.Subscription), "The subscriptions of this page.")
}).annotate({ identifier: "SubscriptionListResponse", description: "A page of subscriptions." })

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
  identifier: "TransactionResponse",
  description: "The transaction that was added."
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
  totalQtdFoundInPage,
  Transactions: described(Schema.Array(TransactionEntity.Transaction), "The transactions of this page.")
}).annotate({ identifier: "TransactionListResponse", description: "A page of transactions." })

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
  Transaction: described(TransactionEntity.TransactionOfRetry, "The transaction after the attempt."),
  PaymentMethodCreditCard: described(
    Schema.Struct({ Card: described(Card.CardOfRetry, "The card that was charged.") }).annotate({
      identifier: "PaymentMethodCreditCardOfRetry",
      description: "The card that was charged, without its brand."
    }),
    "The card that was charged."
  )
}).annotate({ identifier: "RetryResponse", description: "The transaction after a retry, and its card." })

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
  confirmHash: described(string(255), "The hash that every delivery carries: compare it to know who sends."),
  events: described(Schema.Array(WebhookEvent), "The events that are on.")
}).annotate({ identifier: "WebhooksResponse", description: "The webhook settings as they are now." })

/**
 * @category models
 * @since 0.1.0
 */
export type WebhooksAnswer = typeof WebhooksAnswer.Type
