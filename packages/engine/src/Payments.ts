/**
 * Use cases: add a payment to a subscription, and retry one (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
import type { AddPayment } from "@parcela/core/AddPayment"
import { type BillingError, refuse } from "@parcela/core/BillingError"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { CardInput } from "@parcela/core/CardInput"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { byMyId, bySvcPayId, type EntityRef, type SvcPayId } from "@parcela/core/Identifier"
import { dateAt } from "@parcela/core/WallClock"
import { countPayment, useCard } from "@parcela/core/SubscriptionDecider"
import * as Decider from "@parcela/core/TransactionDecider"
import type { AttemptId } from "@parcela/core/AttemptId"
import { type TransactionState, underWayOf } from "@parcela/core/TransactionState"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Attempts, type LeasedAttempt } from "./Attempts.ts"
import { AttemptRunner } from "./AttemptRunner.ts"
import { Cardholding, type CardInHand } from "./Cardholding.ts"
import { alreadyWritten, type Subject, subjectOf } from "./CurrentKey.ts"
import { subscriptionIdOf } from "./internal/SubscriptionId.ts"
import { readBack } from "./internal/ReadBack.ts"
import { Listings } from "./Listings.ts"
import { OutcomeUnknown } from "./OutcomeUnknown.ts"
import type { OutsideError } from "./OutsideError.ts"
import { Recorder, type Shown } from "./Recorder.ts"
import { Secrets } from "./Secrets.ts"
import { Sequences } from "./Sequences.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { Transactions } from "./Transactions.ts"
import { UnitOfWork } from "./UnitOfWork.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class Payments extends Context.Service<
  Payments,
  {
    /**
     * Adds a payment. A card payment that is due, a boleto and a Pix are taken to their provider before it returns; when
     * the provider's outcome is unknown, the transaction is returned as it stands.
     */
    readonly add: (
      companyId: CompanyId,
      subscription: EntityRef,
      command: AddPayment
    ) => Effect.Effect<Shown, BillingError | OutsideError | StoreError>
    /**
     * Tries a capture again. Two at once are one attempt, and both get its outcome; one that comes while an outcome is
     * unknown joins that attempt.
     */
    readonly retry: (
      companyId: CompanyId,
      transaction: EntityRef
    ) => Effect.Effect<Shown, BillingError | OutcomeUnknown | StoreError>
    /** Sends a transaction that is due, if it still wants that. */
    readonly sendDue: (transaction: TransactionState) => Effect.Effect<void, StoreError>
    /** A transaction as it stands; an attempt that is under way is waited for, or resolved, first. */
    readonly show: (companyId: CompanyId, transaction: EntityRef) => Effect.Effect<Shown, BillingError | StoreError>
  }
>()("@parcela/engine/Payments") {
  static readonly layer: Layer.Layer<
    Payments,
    never,
    | AttemptRunner
    | Attempts
    | Cardholding
    | Listings
    | Recorder
    | Secrets
    | Sequences
    | Subscriptions
    | Transactions
    | UnitOfWork
  > = Layer.effect(
    Payments,
    Effect.gen(function* () {
      const attempts = yield* Attempts
      const cardholding = yield* Cardholding
      const listings = yield* Listings
      const recorder = yield* Recorder
      const runner = yield* AttemptRunner
      const secrets = yield* Secrets
      const sequences = yield* Sequences
      const subscriptions = yield* Subscriptions
      const transactions = yield* Transactions
      const unitOfWork = yield* UnitOfWork
      const { claim, zone } = yield* Settings

      /** Commits what begins an attempt, then asks the provider; nobody is asked when `write` began none. */
      const perform = Effect.fnUntraced(function* <A extends { readonly attempt: LeasedAttempt | undefined }, E>(
        write: (id: AttemptId) => Effect.Effect<A, E>
      ) {
        const id = yield* secrets.newAttemptId
        return yield* runner.perform(id, unitOfWork.transact(write(id)))
      })

      const present = Effect.fnUntraced(function* (companyId: CompanyId, id: SvcPayId) {
        const found = yield* transactions.find(companyId, bySvcPayId(id))
        return yield* listings.shown(Option.getOrThrow(found))
      })

      /** Puts an attempt under way in the open transaction. */
      const begin = Effect.fnUntraced(function* (
        attemptId: AttemptId,
        state: TransactionState,
        decide: typeof Decider.send | typeof Decider.retry,
        now: EpochMillis
      ) {
        const decision = yield* Effect.fromResult(decide(state, { attemptId, startedAt: now }, now))
        const attempt: LeasedAttempt = {
          ...decision.attempt,
          claimedUntil: EpochMillis.make(now + Duration.toMillis(claim))
        }
        yield* attempts.insert(attempt)
        return { decision, attempt }
      })

      const cardFor = Effect.fnUntraced(function* (
        inHand: CardInHand | undefined,
        subscription: Shown["subscription"],
        now: EpochMillis
      ) {
        if (inHand === undefined) return { subscription, events: [] }
        const { companyId, customerId } = subscription
        const owned = yield* cardholding.own(inHand, { companyId, customerId, now })
        const decision = yield* Effect.fromResult(useCard(subscription, owned.card.id, now))
        return { subscription: decision.next, events: [...owned.events, ...decision.events] }
      })

      const writeAdded = Effect.fnUntraced(function* (
        attemptId: AttemptId,
        companyId: CompanyId,
        ref: EntityRef,
        command: AddPayment,
        inHand: CardInHand | undefined
      ) {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const today = dateAt(now, zone)
        const owner = yield* subscriptions.findForUpdate(companyId, ref)
        if (Option.isNone(owner)) return yield* refuse({ _tag: "SubscriptionNotFound", typeId: ref.typeId })
        const sameMyId = yield* transactions.find(companyId, byMyId(command.myId))
        const withCard = yield* cardFor(inHand, owner.value, now)
        const added = yield* Effect.fromResult(
          Decider.add(withCard.subscription, command, {
            id: yield* sequences.next("transaction"),
            sameMyId: Option.getOrUndefined(sameMyId),
            today,
            now
          })
        )
        const begun = Decider.wantsAttempt(added.next, today, withCard.subscription.status)
          ? yield* begin(attemptId, added.next, Decider.send, now)
          : undefined
        const transaction = begun?.decision.next ?? added.next
        yield* subscriptions.update(countPayment(withCard.subscription, now))
        yield* transactions.insert(transaction)
        yield* recorder.record({
          companyId,
          now,
          events: [...withCard.events, ...added.events, ...(begun?.decision.events ?? [])],
          shown: yield* listings.shown(transaction),
          subject: subjectOf("transaction", transaction.id)
        })
        return { id: transaction.id, attempt: begun?.attempt }
      })

      const writeRetry = Effect.fnUntraced(function* (newId: AttemptId, companyId: CompanyId, ref: EntityRef) {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const found = yield* transactions.findForUpdate(companyId, ref)
        if (Option.isNone(found)) return yield* refuse({ _tag: "TransactionNotFound", typeId: ref.typeId })
        const { id } = found.value
        const attemptId = underWayOf(found.value)?.attemptId
        if (attemptId !== undefined && Decider.isRetriable(found.value)) {
          yield* recorder.record({ companyId, now, events: [], subject: subjectOf("transaction", id, attemptId) })
          return { id, attempt: undefined, attemptId }
        }
        const { attempt, decision } = yield* begin(newId, found.value, Decider.retry, now)
        yield* transactions.update(decision.next)
        const subject = subjectOf("transaction", id, newId)
        yield* recorder.record({ companyId, now, events: decision.events, subject })
        return { id, attempt, attemptId: newId }
      })

      const show = Effect.fn("Payments.show")(function* (companyId: CompanyId, ref: EntityRef) {
        const found = yield* transactions.find(companyId, ref)
        if (Option.isNone(found)) return yield* refuse({ _tag: "TransactionNotFound", typeId: ref.typeId })
        const underWay = underWayOf(found.value)
        if (underWay !== undefined) yield* runner.join(underWay.attemptId)
        return yield* present(companyId, found.value.id)
      })

      /** The transaction with the outcome of an attempt; `ended` says whether it has one. */
      const outcomeOf = (
        companyId: CompanyId,
        { attemptId, id }: { readonly id: SvcPayId; readonly attemptId: AttemptId },
        ended: Effect.Effect<boolean, StoreError>
      ): Effect.Effect<Shown, OutcomeUnknown> =>
        Effect.gen(function* () {
          // Without an outcome the status is still the one before, and would read as the outcome of this attempt.
          if (!(yield* ended)) return yield* new OutcomeUnknown({ attemptId })
          return yield* present(companyId, id)
        }).pipe(
          // The attempt was committed before the store failed: what became of it is not known here.
          Effect.catchTag("StoreError", (error) =>
            Effect.andThen(
              Effect.logError(`Attempt ${attemptId}: the store could not be read`, error),
              new OutcomeUnknown({ attemptId })
            )
          )
        )

      /** What an earlier run of the same retry began or joined. */
      const resume = ({ attemptId, id }: Subject, companyId: CompanyId) =>
        attemptId === undefined
          ? show(companyId, bySvcPayId(id))
          : outcomeOf(companyId, { id, attemptId }, runner.join(attemptId))

      /** Hands a card to the vault, unless the payment is refused anyway: a vault forgets nothing. */
      const takeCard = Effect.fnUntraced(function* (
        companyId: CompanyId,
        ref: EntityRef,
        myId: AddPayment["myId"],
        input: CardInput
      ) {
        if (Option.isNone(yield* subscriptions.find(companyId, ref))) {
          return yield* refuse({ _tag: "SubscriptionNotFound", typeId: ref.typeId })
        }
        if (Option.isSome(yield* transactions.find(companyId, byMyId(myId)))) {
          return yield* refuse({ _tag: "MyIdTaken", entity: "Transaction", myId })
        }
        return yield* cardholding.take(companyId, input)
      })

      const add = Effect.fn("Payments.add")(function* (companyId: CompanyId, ref: EntityRef, command: AddPayment) {
        const written = yield* alreadyWritten("transaction")
        if (Option.isSome(written)) return yield* show(companyId, bySvcPayId(written.value.id))
        const input = command.PaymentMethodCreditCard?.Card
        const inHand = input === undefined ? undefined : yield* takeCard(companyId, ref, command.myId, input)
        const { id } = yield* perform((attemptId) => writeAdded(attemptId, companyId, ref, command, inHand))
        return yield* readBack(present(companyId, id))
      })

      const retry = Effect.fn("Payments.retry")(function* (companyId: CompanyId, ref: EntityRef) {
        const written = yield* alreadyWritten("transaction")
        if (Option.isSome(written)) return yield* resume(written.value, companyId)
        const begun = yield* perform((newId) => writeRetry(newId, companyId, ref))
        // What this request asked for has ended, one way or the other; what another began is waited for.
        const ended = begun.attempt === undefined ? runner.join(begun.attemptId) : runner.isSettled(begun.attemptId)
        return yield* outcomeOf(companyId, begun, ended)
      })

      const sendDue = Effect.fn("Payments.sendDue")(function* (transaction: TransactionState) {
        yield* perform(
          Effect.fnUntraced(function* (attemptId) {
            const now = EpochMillis.make(yield* Clock.currentTimeMillis)
            const found = yield* transactions.findForUpdate(transaction.companyId, bySvcPayId(transaction.id))
            const state = Option.getOrThrow(found)
            // Locked, though it is not written: a stop that was committed meanwhile holds the payment back.
            const owner = yield* subscriptions.findForUpdate(state.companyId, bySvcPayId(subscriptionIdOf(state)))
            if (!Decider.wantsAttempt(state, dateAt(now, zone), Option.getOrThrow(owner).status)) {
              return { attempt: undefined }
            }
            const { attempt, decision } = yield* Effect.catchTag(
              begin(attemptId, state, Decider.send, now),
              "BillingError",
              Effect.die
            )
            yield* transactions.update(decision.next)
            yield* recorder.record({ companyId: state.companyId, now, events: decision.events })
            return { attempt }
          })
        )
      })

      return Payments.of({ add, retry, sendDue, show })
    })
  )
}
