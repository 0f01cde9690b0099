/**
 * Use cases: edit a subscription (public use, `PUT /subscriptions/{id}/{typeId}`), and change its status.
 *
 * @since 0.1.0
 */
import { withinInstallmentLimit } from "@parcela/core/cards/CardBrand"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EditSubscription, Subscription } from "@parcela/core/subscriptions/Subscription"
import type { View } from "@parcela/core/json/ResponseSerializer"
import { edit } from "@parcela/core/subscriptions/SubscriptionEdit"
import { dateAt } from "@parcela/core/time/Instant"
import { type EntityRef, bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Commands, type CommandOutcome, done } from "../command/Command.ts"
import { type KeyUse, readingKey, storingView, KeyReused, subjectOf, storing } from "../command/IdempotencyKey.ts"
import { type RefusalsOf, type Decided, nothingToWrite } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import { maxPaymentsPerWrite } from "../command/ScheduledWork.ts"
import type { SubscriptionEditContext, SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import * as Views from "../queries/Views.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { CardVaulting, dryRun, type VaultingFailure, own, queryOf, type RequestedCard } from "../cards/CardVaulting.ts"
import { editPayments } from "../payments/ApplyTerms.ts"
import { noSubscription } from "../command/Missing.ts"
import { snapshotIn } from "../payments/ShowPayment.ts"
import type { AttemptResult } from "@parcela/core/attempts/Attempt"
import * as Decider from "@parcela/core/subscriptions/SubscriptionDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { Decision } from "@parcela/core/values/Decision"
import { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { cancelOne, cancelWithContract } from "./CancelSubscription.ts"
import * as Spans from "../Spans.ts"

type SubscriptionKey = KeyUse<View<Subscription>> | undefined

/**
 * @category services
 * @since 0.1.0
 */
export class SubscriptionEditing extends Context.Service<
  SubscriptionEditing,
  {
    /** Edits a subscription and its open payments. Returns both. */
    readonly edit: (
      companyId: CompanyId,
      ref: EntityRef,
      command: EditSubscription,
      key?: SubscriptionKey
    ) => Effect.Effect<
      CommandOutcome<View<Subscription>>,
      RefusalsOf<typeof decide | typeof noSubscription> | KeyReused | VaultingFailure
    >
  }
>()("@parcela/engine/subscriptions/SubscriptionEditing") {
  static readonly layer: Layer.Layer<SubscriptionEditing, never, CardVaulting | Commands> = Layer.effect(
    SubscriptionEditing,
    Effect.gen(function* () {
      const cardVaulting = yield* CardVaulting
      const commands = yield* Commands
      const settings = yield* Settings

      return SubscriptionEditing.of({
        edit: Spans.fn("SubscriptionEditing.edit")(function* (companyId, ref, command, key) {
          const missing = () => noSubscription(ref)
          const { myId, planMyId, planSvcPayId } = command
          const args = { companyId, subscription: ref, after: 0, myId, plan: { planMyId, planSvcPayId } }
          const deciding = (requested: RequestedCard | undefined) => decide(command, requested, settings.zone)
          const taken = yield* cardVaulting.take(companyId, command.PaymentMethodCreditCard?.Card, (expected) =>
            commands.run({
              load: "subscriptionEdit",
              args: { ...args, limit: 0, card: expected.query },
              key: readingKey(key),
              decide: dryRun(expected, deciding),
              missing
            })
          )
          if (taken._tag === "Resumed") return yield* new KeyReused()
          if (taken._tag === "Replayed") return taken
          const ran = yield* commands.run({
            load: "subscriptionEdit",
            args: { ...args, limit: maxPaymentsPerWrite, card: queryOf(taken.value) },
            key: storingView(key, (found: SubscriptionPaymentsContext) => viewOf(found, settings)),
            decide: deciding(taken.value),
            missing
          })
          // The edit stores its key and its response together, so another command stored this key.
          if (ran._tag === "Resumed") return yield* new KeyReused()
          return ran._tag === "Replayed" ? ran : done(viewOf(ran.value, settings))
        })
      })
    })
  )
}

const viewOf = (found: SubscriptionPaymentsContext, settings: SettingsShape): View<Subscription> => {
  const { customer, payments, subscription, subscriptionCard: card } = found
  return Views.subscription({ subscription, customer, card, transactions: payments.map(snapshotIn(found)) }, settings)
}

const decide =
  (command: EditSubscription, requested: RequestedCard | undefined, zone: DateTime.TimeZone) =>
  (
    found: SubscriptionEditContext,
    at: Times
  ): Result.Result<
    Decided<SubscriptionPaymentsContext>,
    RefusalsOf<typeof own | typeof edit | typeof withinInstallmentLimit | typeof editPayments>
  > =>
    Result.gen(function* () {
      const { cards, customer, customerGuard, guard, plans, sameMyId, subscription: before } = found
      const now = at.business
      const owner = { companyId: before.companyId, customerId: customer.id, now }
      const owned = requested === undefined ? undefined : yield* own(requested, cards, owner)
      const context = { sameMyId, cardId: owned?.card.id, plans, today: dateAt(now, zone), now }
      const edited = yield* edit(before, command, context)
      yield* withinInstallmentLimit(owned?.card ?? found.subscriptionCard, edited.next.creditCard)
      const left = { ...found, subscription: edited.next, subscriptionCard: owned?.card ?? found.subscriptionCard }
      const { changes, events, payments, schedule, snapshots } = yield* editPayments(left, edited.terms, at, zone)
      const isChanged = edited.next !== before
      return {
        value: { ...left, payments },
        // The named card may be removed concurrently.
        guards: requested === undefined ? [guard] : [guard, customerGuard],
        changes: [
          ...(owned?.changes ?? []),
          ...(isChanged ? [{ table: "subscriptions", before, next: edited.next } as const] : []),
          ...changes
        ],
        events: [...(owned?.events ?? []), ...edited.events, ...events],
        schedule,
        ...(snapshots === undefined ? {} : { snapshots }),
        subject: subjectOf("subscription", before.id)
      }
    })

type ChangeStatus<R> = (
  companyId: CompanyId,
  ref: EntityRef,
  key?: KeyUse<SubscriptionState>
) => Effect.Effect<CommandOutcome<SubscriptionState>, R | RefusalsOf<typeof noSubscription> | KeyReused | StoreError>

/**
 * @category services
 * @since 0.1.0
 */
export class SubscriptionChanges extends Context.Service<
  SubscriptionChanges,
  {
    /**
     * Cancels a subscription and its open payments. Jobs withdraw the payments that a bank or Pix provider has
     * registered. A payment with an open attempt is cancelled after the attempt ends.
     */
    readonly cancel: ChangeStatus<RefusalsOf<typeof cancel>>
    /** Stops a subscription: until it is reactivated, no payment is sent and no instalment is created. */
    readonly stop: ChangeStatus<RefusalsOf<typeof Decider.stop>>
    readonly reactivate: ChangeStatus<RefusalsOf<typeof Decider.reactivate>>
    /** Deactivates a subscription that waits for its card. */
    readonly deactivate: ChangeStatus<RefusalsOf<typeof Decider.deactivate>>
    /**
     * Cancels a payment of a cancelled subscription, if it is still open. Returns undefined if no attempt was
     * necessary.
     */
    readonly cancelPayment: (
      companyId: CompanyId,
      transaction: SvcPayId
    ) => Effect.Effect<AttemptResult["outcome"] | "unknown" | undefined, StoreError>
  }
>()("@parcela/engine/subscriptions/SubscriptionChanges") {
  static readonly layer: Layer.Layer<SubscriptionChanges, never, Commands | PaymentAttempts | Secrets> = Layer.effect(
    SubscriptionChanges,
    Effect.gen(function* () {
      const { zone } = yield* Settings
      const change = yield* makeChange
      return SubscriptionChanges.of({
        cancel: change("SubscriptionChanges.cancel", cancel),
        stop: change(
          "SubscriptionChanges.stop",
          moving(({ subscription }, { business }) => Decider.stop(subscription, business))
        ),
        reactivate: change(
          "SubscriptionChanges.reactivate",
          moving(({ subscription }, { business }) => Decider.reactivate(subscription, business, dateAt(business, zone)))
        ),
        deactivate: change(
          "SubscriptionChanges.deactivate",
          moving(({ subscription }, { business }) => Decider.deactivate(subscription, business))
        ),
        cancelPayment: yield* makeCancelPayment
      })
    })
  )
}

type Move<R> = (found: SubscriptionPaymentsContext, at: Times) => Result.Result<Decision<SubscriptionState>, R>

/**
 * A change of status. Idempotent by the name of the command: if the commit's reply is lost, the command runs again and
 * finds its own write.
 */
type Change<R> = (
  name: string
) => (found: SubscriptionPaymentsContext, at: Times) => Result.Result<Decided<SubscriptionState>, R>

const moving =
  <R>(move: Move<R>): Change<R> =>
  (name) =>
  (found, at) => {
    const { guard, subscription } = found
    const subject = subjectOf("subscription", subscription.id)
    if (subscription.movedBy === name) {
      return Result.succeed(nothingToWrite(subscription, subject))
    }
    return Result.map(move(found, at), ({ events, next: moved }) => {
      if (moved === subscription) return nothingToWrite(subscription, subject)
      const next = { ...moved, movedBy: name, movedAt: at.machine }
      return {
        value: next,
        guards: [guard],
        changes: [{ table: "subscriptions", before: subscription, next }],
        events,
        subject
      }
    })
  }

/** Cancels the subscription and the first page of its payments. A job cancels the rest. */
const cancel: Change<RefusalsOf<typeof Decider.cancel | typeof cancelWithContract>> = (name) => (found, at) =>
  Result.gen(function* () {
    const moved = yield* moving(({ subscription }, { business }) => Decider.cancel(subscription, business))(name)(
      found,
      at
    )
    if (moved.changes.length === 0) return moved
    const { changes, events, schedule, snapshots } = yield* cancelWithContract(
      { ...found, subscription: moved.value },
      at
    )
    return {
      ...moved,
      changes: [...moved.changes, ...changes],
      events: [...moved.events, ...events],
      schedule,
      ...(snapshots === undefined ? {} : { snapshots })
    }
  })

const makeChange = Effect.gen(function* () {
  const commands = yield* Commands
  const secrets = yield* Secrets
  return <R>(span: string, decide: Change<R>): ChangeStatus<R> =>
    Effect.fn(span)(function* (companyId: CompanyId, ref: EntityRef, key?: KeyUse<SubscriptionState>) {
      const ran = yield* commands.run({
        load: "subscriptionPayments",
        args: { companyId, subscription: ref, after: 0, limit: maxPaymentsPerWrite },
        key: storing(key),
        decide: decide(yield* secrets.newAttemptId),
        missing: () => noSubscription(ref)
      })
      // The change stores its key and its response together, so another command stored this key.
      return ran._tag === "Resumed" ? yield* new KeyReused() : ran
    })
})

const makeCancelPayment = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands
  const secrets = yield* Secrets
  return Spans.fn("SubscriptionChanges.cancelPayment")(
    function* (companyId: CompanyId, id: SvcPayId) {
      const attemptId = yield* secrets.newAttemptId
      const begin = commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(id), attempt: attemptId },
        decide: cancelOne(attemptId),
        // Entities are never deleted individually, so only a restore explains a missing payment.
        missing: companyRestored
      })
      const ran = yield* attempts.perform(attemptId, begin)
      const attempt = ran._tag === "Done" ? ran.value.attempt : undefined
      return attempt?.id === attemptId ? (attempt.result?.outcome ?? "unknown") : undefined
    },
    // Every open payment can be cancelled, so a refusal is a defect of this program.
    Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
  )
})
