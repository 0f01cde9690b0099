/**
 * Use case: show a payment, and what an earlier run under a key left of one.
 *
 * @since 0.1.0
 */
import type { RefusedBy } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, type EntityRef, type SvcPayId } from "@parcela/core/values/Identifier"
import { underWayOf, cardOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Commands, type KeyPart, readingKey, type CommandOutcome, done, type KeyReused } from "../command/Command.ts"
import type { PaymentContext, SubscriptionContext, SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import type { StoredResponse } from "../command/LoadedCompany.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { noTransaction } from "../command/Missing.ts"
import * as Decisions from "./PaymentDecisions.ts"
import { completing, type PaymentKey } from "./PaymentKey.ts"
import * as Spans from "../Spans.ts"
import type { Shown } from "../queries/Views.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface ShowPayment {
  /** The payment as it stands; an attempt that is under way is waited for, or resolved, first. */
  readonly show: (
    companyId: CompanyId,
    transaction: EntityRef
  ) => Effect.Effect<PaymentContext, RefusedBy<"TransactionNotFound"> | StoreError>
  /** The payment as its response shows it; stored under the key once its attempt has ended. */
  readonly respond: Responding
  /** The response that is stored under the key, where it is of another moment than the payment; else the payment. */
  readonly stored: Responding
  /** What an earlier run under the key wrote, as `respond`, once the attempt under way was waited for. */
  readonly resume: (companyId: CompanyId, id: SvcPayId, key: PaymentKey) => ReturnType<Responding>
}

/** Of several that wait for one outcome each loads the payment, and all return what the first of them stored. */
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

  const look = Effect.fnUntraced(function* <Missing>(
    companyId: CompanyId,
    transaction: EntityRef,
    missing: () => Missing,
    key?: KeyPart<Decisions.PaymentLeft>
  ) {
    const ran = yield* commands.run({
      load: "payment",
      args: { companyId, transaction },
      key,
      decide: Decisions.look,
      missing
    })
    // A key that is completed is not looked at.
    return ran._tag === "Done" ? ran.value.payment : yield* Effect.die(new Error("A look met a key"))
  })

  /** The payment once the attempt that is under way has ended, or its outcome stays unknown. */
  const settled = Effect.fnUntraced(function* (payment: PaymentContext, key: PaymentKey) {
    const { companyId, transaction } = payment
    const way = underWayOf(transaction)
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
      decide: Decisions.look,
      missing: companyRestored
    })
    return ran._tag === "Replayed" && !isSame(ran.response, key.respond(payment)) ? ran : done(payment)
  })

  const respond: Responding = Effect.fnUntraced(function* ({ companyId, transaction }, key) {
    const payment = yield* look(companyId, bySvcPayId(transaction.id), companyRestored, completing(key))
    return yield* stored(payment, key)
  })

  return {
    show: Spans.fn("Payments.show")(
      function* (companyId, transaction) {
        return yield* settled(yield* look(companyId, transaction, () => noTransaction(transaction)), undefined)
      },
      Effect.catchTag("KeyReused", Effect.die)
    ),
    respond,
    stored,
    resume: Effect.fnUntraced(function* (companyId, id, key) {
      const payment = yield* settled(yield* look(companyId, bySvcPayId(id), companyRestored), key)
      return yield* respond(payment, key)
    })
  }
})

const isSame = (one: StoredResponse, other: StoredResponse): boolean =>
  one.status === other.status && one.body === other.body

/**
 * A payment as the unit leaves it: its card is one that the payments were loaded with, or the subscription's, which may be
 * new.
 *
 * @category conversions
 * @since 0.1.0
 */
export const shownIn =
  ({
    customer,
    paymentCards = [],
    subscription,
    subscriptionCard: card
  }: Pick<SubscriptionContext, "customer" | "subscription" | "subscriptionCard"> &
    Partial<Pick<SubscriptionPaymentsContext, "paymentCards">>) =>
  (transaction: TransactionState): Shown => {
    const id = cardOf(transaction)
    return {
      owner: { _tag: "Subscription", subscription, card },
      customer,
      transaction,
      card: id === undefined ? undefined : [card, ...paymentCards].find((known) => known?.id === id)
    }
  }
