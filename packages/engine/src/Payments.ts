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
import type { AttemptId, TransactionState } from "@parcela/core/TransactionState"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Attempt, Attempts } from "./Attempts.ts"
import { AttemptRunner } from "./AttemptRunner.ts"
import { Cardholding, type CardInHand } from "./Cardholding.ts"
import { alreadyWritten, subjectOf } from "./CurrentKey.ts"
import { Listings } from "./Listings.ts"
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
    /** Adds a payment. A card payment that is due, a boleto and a Pix are taken outside before it answers. */
    readonly add: (
      companyId: CompanyId,
      subscription: EntityRef,
      command: AddPayment
    ) => Effect.Effect<Shown, BillingError | OutsideError | StoreError>
    /** Tries a capture again. Two at once are one attempt, and both get its outcome. */
    readonly retry: (companyId: CompanyId, transaction: EntityRef) => Effect.Effect<Shown, BillingError | StoreError>
    /** Sends a transaction that is due, if it still wants that. */
    readonly sendDue: (transaction: TransactionState) => Effect.Effect<void, StoreError>
    /** A transaction as it stands; an attempt that a crash left behind is resolved first. */
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

      /** The attempts that this process is carrying: a second request waits for the first one's outcome. */
      const carried = new Map<AttemptId, Deferred.Deferred<void, StoreError>>()

      /** Carries an attempt, and lets others wait for it from before it is committed until it has ended. */
      const carrying = <A, E>(
        id: AttemptId,
        effect: Effect.Effect<A, E | StoreError>
      ): Effect.Effect<A, E | StoreError> =>
        Effect.suspend(() => {
          const ended = Deferred.makeUnsafe<void, StoreError>()
          carried.set(id, ended)
          return Effect.ensuring(
            effect,
            Effect.suspend(() => {
              carried.delete(id)
              return Deferred.succeed(ended, undefined)
            })
          )
        })

      /** Commits what begins an attempt, then carries it; nothing is carried when `write` began none. */
      const commitAndCarry = Effect.fnUntraced(function* <A extends { readonly attempt: Attempt | undefined }, E>(
        write: (id: AttemptId) => Effect.Effect<A, E>
      ) {
        const id = yield* secrets.newAttemptId
        return yield* carrying(
          id,
          Effect.tap(unitOfWork.transact(write(id)), ({ attempt }) =>
            attempt === undefined ? Effect.void : runner.run(attempt)
          )
        )
      })

      const present = Effect.fnUntraced(function* (companyId: CompanyId, id: SvcPayId) {
        const found = yield* transactions.find(companyId, bySvcPayId(id))
        return yield* listings.shown(Option.getOrThrow(found))
      })

      /** Puts an attempt under way in the open transaction. */
      const begin = Effect.fnUntraced(function* (
        id: AttemptId,
        state: TransactionState,
        decide: typeof Decider.begin,
        now: EpochMillis
      ) {
        const decision = yield* Effect.fromResult(decide(state, id, now))
        const attempt: Attempt = {
          id,
          companyId: state.companyId,
          transactionId: state.id,
          startedAt: now,
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
          ? yield* begin(attemptId, added.next, Decider.begin, now)
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
        const { id, attemptId } = found.value
        if (attemptId !== undefined && Decider.isRetriable(found.value)) {
          yield* recorder.record({ companyId, now, events: [], subject: subjectOf("transaction", id) })
          return { id, attempt: undefined, underWay: attemptId }
        }
        const { attempt, decision } = yield* begin(newId, found.value, Decider.retry, now)
        yield* transactions.update(decision.next)
        yield* recorder.record({ companyId, now, events: decision.events, subject: subjectOf("transaction", id) })
        return { id, attempt, underWay: undefined }
      })

      /** Waits for an attempt that this process carries, or takes over one that nobody carries any more. */
      const join = Effect.fnUntraced(function* (attemptId: AttemptId) {
        const running = carried.get(attemptId)
        if (running !== undefined) return yield* Deferred.await(running)
        const now = yield* Clock.currentTimeMillis
        const attempt = yield* attempts.find(attemptId)
        if (Option.isNone(attempt) || attempt.value.settledAt !== undefined) return
        if (attempt.value.claimedUntil > now) return yield* refuse({ _tag: "AttemptUnderWay" })
        yield* carrying(attemptId, runner.resolve(attempt.value))
      })

      const show = Effect.fn("Payments.show")(function* (companyId: CompanyId, ref: EntityRef) {
        const found = yield* transactions.find(companyId, ref)
        if (Option.isNone(found)) return yield* refuse({ _tag: "TransactionNotFound", typeId: ref.typeId })
        if (found.value.attemptId !== undefined) yield* join(found.value.attemptId)
        return yield* present(companyId, found.value.id)
      })

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
        return yield* cardholding.take(input)
      })

      const add = Effect.fn("Payments.add")(function* (companyId: CompanyId, ref: EntityRef, command: AddPayment) {
        const written = yield* alreadyWritten("transaction")
        if (Option.isSome(written)) return yield* show(companyId, bySvcPayId(written.value))
        const input = command.PaymentMethodCreditCard?.Card
        const inHand = input === undefined ? undefined : yield* takeCard(companyId, ref, command.myId, input)
        const { id } = yield* commitAndCarry((attemptId) => writeAdded(attemptId, companyId, ref, command, inHand))
        return yield* present(companyId, id)
      }, Effect.uninterruptible)

      const retry = Effect.fn("Payments.retry")(function* (companyId: CompanyId, ref: EntityRef) {
        const written = yield* alreadyWritten("transaction")
        if (Option.isSome(written)) return yield* show(companyId, bySvcPayId(written.value))
        const { attempt, id, underWay } = yield* commitAndCarry((attemptId) => writeRetry(attemptId, companyId, ref))
        if (underWay !== undefined) yield* join(underWay)
        const shown = yield* present(companyId, id)
        // No answer came: the status is still the one before, and would read as the outcome of this try.
        if (shown.transaction.attemptId === (attempt?.id ?? underWay)) return yield* refuse({ _tag: "AttemptUnderWay" })
        return shown
      }, Effect.uninterruptible)

      const sendDue = Effect.fn("Payments.sendDue")(function* (transaction: TransactionState) {
        yield* commitAndCarry(
          Effect.fnUntraced(function* (attemptId) {
            const now = EpochMillis.make(yield* Clock.currentTimeMillis)
            const found = yield* transactions.findForUpdate(transaction.companyId, bySvcPayId(transaction.id))
            const state = Option.getOrThrow(found)
            const [owner] = yield* subscriptions.findMany(state.companyId, [state.subscriptionId])
            if (!Decider.wantsAttempt(state, dateAt(now, zone), owner!.status)) return { attempt: undefined }
            const { attempt, decision } = yield* Effect.catchTag(
              begin(attemptId, state, Decider.begin, now),
              "BillingError",
              Effect.die
            )
            yield* transactions.update(decision.next)
            yield* recorder.record({ companyId: state.companyId, now, events: decision.events })
            return { attempt }
          })
        )
      }, Effect.uninterruptible)

      return Payments.of({ add, retry, sendDue, show })
    })
  )
}
