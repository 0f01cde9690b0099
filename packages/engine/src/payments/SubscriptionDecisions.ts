/**
 * The decisions of subscriptions over the loaded data. All are pure functions, because the store may run them again.
 *
 * @since 0.1.0
 */
import { withinInstallmentLimit } from "@parcela/core/cards/CardBrand"
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CreateManualSubscription } from "@parcela/core/subscriptions/Subscription"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { Decision } from "@parcela/core/values/Decision"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as SubscriptionDecider from "@parcela/core/subscriptions/SubscriptionDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import * as Result from "effect/Result"
import { type RefusalsOf, type Decided, nothingToWrite } from "../command/Decided.ts"
import { subjectOf } from "../command/IdempotencyKey.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { NewSubscriptionContext } from "../command/LoadedPayments.ts"
import { type PayerOptions, payerOf, writtenPayer } from "../customers/Payer.ts"

/**
 * A subscription without payments, with its customer and card.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewSubscription {
  readonly subscription: SubscriptionState
  readonly customer: CustomerState
  readonly card: CardState | undefined
}

/**
 * The inputs of a new subscription, generated before the database transaction.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewSubscriptionOptions extends PayerOptions {
  readonly subscriptionId: SvcPayId
}

/**
 * Returns the customer and card of a subscription that an earlier run wrote. The reply to that run's COMMIT was lost.
 */
const written = (subscription: SubscriptionState, found: NewSubscriptionContext): NewSubscription | undefined => {
  const payer = writtenPayer(subscription, found)
  return payer === undefined ? undefined : { subscription, ...payer }
}

/**
 * Creates a subscription, with its customer and card if they are new. `decide` is the decision for the kind of
 * subscription.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createBy =
  <R>(
    input: CreateManualSubscription["Customer"],
    options: NewSubscriptionOptions,
    decide: (context: SubscriptionDecider.NewSubscription) => Result.Result<Decision<SubscriptionState>, R>
  ) =>
  (
    found: NewSubscriptionContext,
    { business: now }: Times
  ): Result.Result<Decided<NewSubscription>, R | RefusalsOf<typeof payerOf | typeof withinInstallmentLimit>> => {
    const { companyId, subscriptionId: id } = options
    const { sameMyId } = found
    const subject = subjectOf("subscription", id)
    const before = sameMyId?.id === id ? written(sameMyId, found) : undefined
    if (before !== undefined) return Result.succeed(nothingToWrite(before, subject))
    const payer = payerOf(input, options, found, now)
    if (Result.isFailure(payer)) return Result.fail(payer.failure)
    const { card, changes, customer, events, guards } = payer.success
    const decided = decide({ companyId, id, customerId: customer.id, cardId: card?.id, sameMyId, now })
    if (Result.isFailure(decided)) return Result.fail(decided.failure)
    const { events: further, next: subscription } = decided.success
    return Result.map(withinInstallmentLimit(card, subscription.creditCard), () => ({
      value: { subscription, customer, card },
      guards,
      changes: [...changes, { table: "subscriptions", next: subscription }],
      events: [...events, ...further],
      subject
    }))
  }

/**
 * Creates a manual subscription.
 *
 * @category decisions
 * @since 0.1.0
 */
export const create = (command: CreateManualSubscription, options: NewSubscriptionOptions) =>
  createBy(command.Customer, options, (context) => SubscriptionDecider.createManual(command, context))
