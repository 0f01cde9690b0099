/**
 * Responses as a client reads them: what the service writes (the response schemas of `contract/`), read by core's lenient reader, with the few keys
 * that a caller cannot do without.
 *
 * **Details**
 *
 * Of what was written or listed that is its identifier and its status. Everything else is there when it can be read; what
 * is odd is left out and told to `onAnswer`, so that no placeholder makes a write that was done look as if it were not.
 *
 * @since 0.1.0
 */
import { CardOfSubscription } from "@parcela/core/cards/Card"
import type { Lenient } from "@parcela/core/json/Lenient"
import { type Decoder, decoder, type Having } from "@parcela/core/json/Reading"
import * as SubscriptionEntity from "@parcela/core/subscriptions/Subscription"
import * as TransactionEntity from "@parcela/core/transactions/Transaction"
import * as Schema from "effect/Schema"
import { SubscriptionListResponse, SubscriptionResponse } from "./contract/Subscriptions.ts"
import { TokenResponse } from "./contract/Token.ts"
import { TransactionListResponse, TransactionResponse } from "./contract/Transactions.ts"
import { WebhooksResponse } from "./contract/Webhooks.ts"

// A transaction is read with all keys that one can have, wherever it stands: services send more than is documented there.
const { Transaction: AnyTransaction } = TransactionEntity
const AnySubscription = Schema.Struct({
  ...SubscriptionEntity.Subscription.fields,
  Transactions: Schema.Array(AnyTransaction)
})

const needed = { svcPayId: true, status: true } as const

/**
 * A transaction as a client reads it.
 *
 * @category models
 * @since 0.1.0
 */
export type Transaction = Having<Lenient<TransactionEntity.Transaction>, typeof needed>

/**
 * A subscription as a client reads it.
 *
 * @category models
 * @since 0.1.0
 */
export type Subscription = Decoded<typeof subscription>["Subscription"]

/**
 * A token, redacted from the line that reads it.
 *
 * @category models
 * @since 0.1.0
 */
export type Token = Decoded<typeof token>

/**
 * What a decoder reads.
 *
 * @category models
 * @since 0.1.0
 */
export type Decoded<D> = D extends Decoder<infer A> ? A : never

/**
 * @category decoders
 * @since 0.1.0
 */
export const token = decoder(
  Schema.Struct({
    ...TokenResponse.fields,
    access_token: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "access token" })
  }),
  { access_token: true, expires_in: true },
  "Token"
)

/**
 * @category decoders
 * @since 0.1.0
 */
export const subscription = decoder(Schema.Struct({ ...SubscriptionResponse.fields, Subscription: AnySubscription }), {
  Subscription: needed
})

/**
 * @category decoders
 * @since 0.1.0
 */
export const subscriptions = decoder(
  Schema.Struct({ ...SubscriptionListResponse.fields, Subscriptions: Schema.Array(AnySubscription) }),
  { Subscriptions: needed }
)

/**
 * @category decoders
 * @since 0.1.0
 */
export const transaction = decoder(TransactionResponse, { Transaction: needed })

/**
 * @category decoders
 * @since 0.1.0
 */
export const transactions = decoder(TransactionListResponse, { Transactions: needed })

/**
 * @category decoders
 * @since 0.1.0
 */
export const retry = decoder(
  Schema.Struct({
    Transaction: AnyTransaction,
    PaymentMethodCreditCard: Schema.Struct({ Card: CardOfSubscription })
  }),
  { Transaction: needed }
)

/**
 * @category decoders
 * @since 0.1.0
 */
export const webhooks = decoder(
  Schema.Struct({
    ...WebhooksResponse.fields,
    confirmHash: Schema.RedactedFromValue(Schema.NonEmptyString, { label: "confirmHash" })
  }),
  { confirmHash: true }
)
