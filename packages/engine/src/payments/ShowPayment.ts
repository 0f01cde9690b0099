/**
 * Use case: show a payment, also as the response to a repeated key.
 *
 * @since 0.1.0
 */
import type { RefusedBy } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, type EntityRef, type SvcPayId } from "@parcela/core/values/Identifier"
import { pendingAttemptOf, cardOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Commands, type CommandOutcome, done } from "../command/Command.ts"
import { type KeyPart, readingKey, type KeyReused, type StoredResponse } from "../command/IdempotencyKey.ts"
import type { PaymentContext, SubscriptionContext, SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { noTransaction } from "../command/Missing.ts"
import * as Decisions from "./PaymentDecisions.ts"
import { completing, type PaymentKey } from "./AttemptRecords.ts"
import * as Spans from "../Spans.ts"
import type { PaymentSnapshot } from "../queries/Views.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface ShowPayment {
  /** Returns the current payment. Waits for an open attempt first, or resolves it. */
  readonly show: (
    companyId: CompanyId,
    transaction: EntityRef
  ) => Effect.Effect<PaymentContext, RefusedBy<"TransactionNotFound"> | StoreError>
  /** Returns the response for a payment, and stores it under the key once its attempt has ended. */
  readonly respond: Responding
  /** Returns the stored response if it differs from the payment's current response. Otherwise returns the payment. */
  readonly stored: Responding
  /**
   * Waits for the open attempt of a payment that an earlier run under the key wrote. Then returns the payment like
   * `respond`.
   */
  readonly resume: (companyId: CompanyId, id: SvcPayId, key: PaymentKey) => ReturnType<Responding>
}

/** If several commands wait for one outcome, each loads the payment, and all return the first stored response. */
type Responding = (
  payment: PaymentContext,
  key: PaymentKey
) => Effect.Effect<CommandOutcome<PaymentContext>, KeyReused | StoreError>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<ShowPayment, never, Commands | PaymentAttempts> = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands

  const load = Effect.fnUntraced(function* <Missing>(
    companyId: CompanyId,
    transaction: EntityRef,
    missing: () => Missing,
    key?: KeyPart<Decisions.PaymentResult>
  ) {
    const ran = yield* commands.run({
      load: "payment",
      args: { companyId, transaction },
      key,
      decide: Decisions.readPayment,
      missing
    })
    // The store does not read a key that is being completed.
    return ran._tag === "Done"
      ? ran.value.payment
      : yield* Effect.die(new Error("A command that completes a key returned a key result"))
  })

  /** Returns the payment after its open attempt, or unchanged if the outcome stays unknown. */
  const settled = Effect.fnUntraced(function* (payment: PaymentContext, key: PaymentKey) {
    const { companyId, transaction } = payment
    const way = pendingAttemptOf(transaction)
    if (way === undefined) return payment
    const ended = yield* attempts.join(companyId, bySvcPayId(transaction.id), way.attemptId, key)
    return ended ?? payment
  })

  const stored: Responding = Effect.fnUntraced(function* (payment, key) {
    if (key === undefined) return done(payment)
    const { companyId, transaction } = payment
    const ran = yield* commands.run({
      load: "payment",
      args: { companyId, transaction: bySvcPayId(transaction.id) },
      key: readingKey(key),
      decide: Decisions.readPayment,
      missing: companyRestored
    })
    return ran._tag === "Replayed" && !isSame(ran.response, key.respond(payment)) ? ran : done(payment)
  })

  const respond: Responding = Effect.fnUntraced(function* ({ companyId, transaction }, key) {
    const payment = yield* load(companyId, bySvcPayId(transaction.id), companyRestored, completing(key))
    return yield* stored(payment, key)
  })

  return {
    show: Spans.fn("Payments.show")(
      function* (companyId, transaction) {
        return yield* settled(yield* load(companyId, transaction, () => noTransaction(transaction)), undefined)
      },
      Effect.catchTag("KeyReused", Effect.die)
    ),
    respond,
    stored,
    resume: Effect.fnUntraced(function* (companyId, id, key) {
      const payment = yield* settled(yield* load(companyId, bySvcPayId(id), companyRestored), key)
      return yield* respond(payment, key)
    })
  }
})

const isSame = (one: StoredResponse, other: StoredResponse): boolean =>
  one.status === other.status && one.body === other.body

/**
 * Returns the view of a changed payment. Its card is one of the loaded cards, or the subscription's card, which may be
 * new.
 *
 * @category conversions
 * @since 0.1.0
 */
export const snapshotIn =
  ({
    customer,
    paymentCards = [],
    subscription,
    subscriptionCard: card
  }: Pick<SubscriptionContext, "customer" | "subscription" | "subscriptionCard"> &
    Partial<Pick<SubscriptionPaymentsContext, "paymentCards">>) =>
  (transaction: TransactionState): PaymentSnapshot => {
    const id = cardOf(transaction)
    return {
      owner: { _tag: "Subscription", subscription, card },
      customer,
      transaction,
      card: id === undefined ? undefined : [card, ...paymentCards].find((known) => known?.id === id)
    }
  }
