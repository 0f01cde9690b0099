/**
 * Use case: add a payment to a subscription (interface section 4.1). Creating a charge has the same steps.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import { withinInstallmentLimit } from "@parcela/core/cards/CardBrand"
import type { CardInput } from "@parcela/core/cards/Card"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as SubscriptionDecider from "@parcela/core/subscriptions/SubscriptionDecider"
import { type SubscriptionState, openPaymentsOfSubscription } from "@parcela/core/subscriptions/SubscriptionState"
import { type BusinessTime, dateAt } from "@parcela/core/time/Instant"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { AddPayment as AddPaymentCommand } from "@parcela/core/transactions/PaymentRequests"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import * as Attempts from "@parcela/core/transactions/TransactionAttempts"
import { mustSend } from "@parcela/core/transactions/TransactionDeadlines"
import { type TransactionState, pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import type { EntityRef, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Secrets } from "../authentication/Secrets.ts"
import { CardVaulting, own, queryOf, type RequestedCard, dryRun, type VaultingFailure } from "../cards/CardVaulting.ts"
import { type Command, type CommandOutcome, Commands, done } from "../command/Command.ts"
import { type KeyReused, readingKey, readSubject, subjectOf } from "../command/IdempotencyKey.ts"
import type { RefusalsOf, Change, Decided } from "../command/Decided.ts"
import type { CardQuery, NewPaymentContext, PaymentContext } from "../command/LoadedPayments.ts"
import type { LoadName } from "../command/Loads.ts"
import { noSubscription } from "../command/Missing.ts"
import { giveCard } from "../command/ScheduledWork.ts"
import { Sequences } from "../ports/Sequences.ts"
import { afterCommit, type StoreError } from "../ports/StoreError.ts"
import type { Times } from "../ports/WriteContext.ts"
import { Settings } from "../Settings.ts"
import * as Spans from "../Spans.ts"
import { type PaymentKey, storingPayment } from "./AttemptRecords.ts"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { createdPayment, type PaymentResult, unchangedPayment } from "./PaymentDecisions.ts"
import * as ShowPayment from "./ShowPayment.ts"

/**
 * Adds a payment. A boleto, a Pix or a card payment that is due is sent to its provider before the effect returns. If
 * the provider's outcome is unknown, the returned transaction is still open.
 *
 * @category models
 * @since 0.1.0
 */
export type AddPayment = (
  companyId: CompanyId,
  subscription: EntityRef,
  command: AddPaymentCommand,
  key?: PaymentKey
) => Effect.Effect<CommandOutcome<PaymentContext>, RefusalsOf<typeof add | typeof noSubscription> | NewPaymentFailure>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AddPayment, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const createPayment = yield* makeCreatePayment
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    const { zone } = yield* Settings

    return Spans.fn("Payments.add")(function* (companyId, subscription, command, key) {
      const ids = { attemptId: yield* secrets.newAttemptId, transactionId: yield* sequences.next("transaction") }
      return yield* createPayment({
        companyId,
        attemptId: ids.attemptId,
        card: command.PaymentMethodCreditCard?.Card,
        key,
        load: (card) => ({
          load: "newPayment",
          args: { companyId, subscription, myId: command.myId, card },
          missing: () => noSubscription(subscription)
        }),
        decide: (requested) => add(command, requested, ids, zone)
      })
    })
  })

/**
 * The failures of a new payment, in addition to the refusals of its own decisions.
 *
 * @category errors
 * @since 0.1.0
 */
export type NewPaymentFailure =
  | RefusalsOf<ShowPayment.ShowPayment["respond"]>
  | KeyReused
  | StoreError
  | VaultingFailure

/**
 * A new payment: its load and its decision.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewPayment<N extends LoadName, R, Missing> {
  readonly companyId: CompanyId
  readonly attemptId: AttemptId
  readonly card: CardInput | undefined
  readonly key: PaymentKey
  /** Returns the load, with the card to search for. */
  readonly load: (
    card: CardQuery | undefined
  ) => Pick<Command<N, PaymentResult, R, Missing>, "args" | "load" | "missing">
  readonly decide: (requested: RequestedCard | undefined) => Command<N, PaymentResult, R>["decide"]
}

/**
 * Creates a payment: stores a new card in the vault, writes the payment, and executes its attempt. The card is not
 * stored if the payment would be refused or its key is known. If the provider's outcome is unknown, the returned
 * payment is still open.
 *
 * @category models
 * @since 0.1.0
 */
export type CreatePayment = <N extends LoadName, R, Missing>(
  payment: NewPayment<N, R, Missing>
) => Effect.Effect<CommandOutcome<PaymentContext>, NewPaymentFailure | R | Missing>

/**
 * @category constructors
 * @since 0.1.0
 */
export const makeCreatePayment: Effect.Effect<CreatePayment, never, CardVaulting | Commands | PaymentAttempts> =
  Effect.gen(function* () {
    const attempts = yield* PaymentAttempts
    const cardVaulting = yield* CardVaulting
    const commands = yield* Commands
    const { respond, resume } = yield* ShowPayment.make

    return Effect.fnUntraced(function* ({ attemptId, card, companyId, decide, key, load }) {
      // Most payments have no card, so the span of the vault starts only for a card.
      const taken =
        card === undefined
          ? done(undefined)
          : yield* cardVaulting.take(companyId, card, (expected) =>
              commands.run({ ...load(expected.query), key: readingKey(key), decide: dryRun(expected, decide) })
            )
      if (taken._tag === "Replayed") return taken
      if (taken._tag === "Resumed") return yield* afterCommit(resume(companyId, readSubject(taken.subject).id, key))
      const requested = taken.value
      const write = commands.run({
        ...load(requested && queryOf(requested)),
        key: key && storingPayment(key),
        decide: decide(requested)
      })
      const ran = yield* attempts.perform(attemptId, write, key)
      if (ran._tag === "Replayed") return ran
      if (ran._tag === "Resumed") return yield* afterCommit(resume(companyId, readSubject(ran.subject).id, key))
      const { attempt, payment } = ran.value
      const isOpen = pendingAttemptOf(payment.transaction) !== undefined
      // An earlier run wrote the payment, and the reply to its commit was lost. This command executes its attempt.
      if (attempt === undefined && isOpen) return yield* afterCommit(resume(companyId, payment.transaction.id, key))
      return key === undefined || !isOpen ? done(payment) : yield* afterCommit(respond(payment, key))
    })
  })

/** Identifiers generated before the first run, so that a rerun recognizes its own writes. */
interface Identifiers {
  readonly attemptId: AttemptId
  readonly transactionId: SvcPayId
}

/** Adds a payment to a subscription, and starts its attempt if it is due. */
const add =
  (command: AddPaymentCommand, requested: RequestedCard | undefined, ids: Identifiers, zone: DateTime.TimeZone) =>
  (
    found: NewPaymentContext,
    at: Times
  ): Result.Result<
    Decided<PaymentResult>,
    RefusalsOf<typeof withCard | typeof withinInstallmentLimit | typeof Decider.add | typeof Attempts.send>
  > => {
    const { customer, customerGuard, guard, sameMyId, subscription: before } = found
    const { attemptId, transactionId } = ids
    const { business: now, machine } = at
    // An earlier run wrote the payment, and the reply to its COMMIT was lost.
    if (sameMyId?.id === transactionId) return Result.succeed(addedBefore(found, sameMyId))
    const today = dateAt(now, zone)
    const paid = withCard(found, requested, now, today)
    if (Result.isFailure(paid)) return Result.fail(paid.failure)
    const { card, changes, events, subscription: paying } = paid.success
    const added = Decider.add(paying, command, { id: transactionId, sameMyId, today, now })
    if (Result.isFailure(added)) return Result.fail(added.failure)
    const { next: opened } = added.success
    const limits = opened.method === "creditcard" ? withinInstallmentLimit(card, opened.creditCard) : Result.void
    if (Result.isFailure(limits)) return Result.fail(limits.failure)
    const isSent = mustSend(opened, today, openPaymentsOfSubscription[paying.status])
    const sent = isSent ? Attempts.send(opened, { attemptId, startedAt: machine }, now) : undefined
    if (sent !== undefined && Result.isFailure(sent)) return Result.fail(sent.failure)
    const started = sent?.success
    const transaction = started?.next ?? opened
    const subscription = SubscriptionDecider.countPayment(paying, now)
    const attempts = started === undefined ? [] : [started.attempt]
    const nextGuard = { ...guard, version: guard.version + 1 }
    const owner = { _tag: "Subscription", subscription, card } as const
    const payment = createdPayment(found, owner, { customer, transaction, attempts }, nextGuard)
    return Result.succeed({
      value: { payment, attempt: started?.attempt },
      // The named card may be removed concurrently.
      guards: requested === undefined ? [guard] : [guard, customerGuard],
      changes: [
        ...changes,
        { table: "subscriptions", before, next: subscription },
        { table: "transactions", next: transaction, customerId: customer.id }
      ],
      started: attempts,
      events: [...events, ...added.success.events, ...(started?.events ?? [])],
      schedule:
        before.status === "waitingPayment" && subscription.status === "active" ? [giveCard(subscription, machine)] : [],
      snapshots: payment,
      subject: subjectOf("transaction", transactionId)
    })
  }

const addedBefore = (found: NewPaymentContext, transaction: TransactionState): Decided<PaymentResult> => {
  const { customer, guard, subscription, subscriptionCard: card } = found
  const owner = { _tag: "Subscription", subscription, card } as const
  const payment = createdPayment(found, owner, { customer, transaction, attempts: [] }, guard)
  return unchangedPayment(payment, subjectOf("transaction", transaction.id))
}

interface WithCard {
  readonly subscription: SubscriptionState
  readonly card: NewPaymentContext["subscriptionCard"]
  readonly changes: ReadonlyArray<Change>
  readonly events: Decided<unknown>["events"]
}

/** Returns the subscription with the card of the new payment. */
const withCard = (
  { cards, subscription, subscriptionCard }: NewPaymentContext,
  requested: RequestedCard | undefined,
  now: BusinessTime,
  today: LocalDate
): Result.Result<WithCard, RefusalsOf<typeof own | typeof SubscriptionDecider.useCard>> => {
  if (requested === undefined) {
    return Result.succeed({ subscription, card: subscriptionCard, changes: [], events: [] })
  }
  const { companyId, customerId } = subscription
  return Result.flatMap(own(requested, cards, { companyId, customerId, now }), ({ card, changes, events }) =>
    Result.map(SubscriptionDecider.useCard(subscription, card.id, now, today), (used) => ({
      subscription: used.next,
      card,
      changes,
      events: [...events, ...used.events]
    }))
  )
}
