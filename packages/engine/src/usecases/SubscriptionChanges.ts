/**
 * Use cases: cancel a subscription, stop it, set it aside, and reactivate it.
 *
 * @since 0.1.0
 */
import type { AttemptResult } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Decider from "@parcela/core/subscriptions/SubscriptionDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { dateAt } from "@parcela/core/time/WallClock"
import type { Decision } from "@parcela/core/values/Decision"
import { bySvcPayId, type EntityRef, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands, type KeyUse, storing } from "../commands/Command.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import { KeyReused } from "../commands/KeyReused.ts"
import { subjectOf } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import { paymentsOfUnit } from "../commands/WorkInParts.ts"
import { type Decided, nothingToWrite } from "../commands/Decided.ts"
import type { SubscriptionPaymentsContext } from "../loads/SubscriptionPayments.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import { cancelOne, cancelWithContract } from "./CancelWithContract.ts"
import { noSubscription } from "./Missing.ts"

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
     * Cancels it, and its open payments with it. What a bank or a Pix provider knows is withdrawn there by due work; what
     * is under way is left alone until it has an outcome.
     */
    readonly cancel: ChangeStatus<RefusalsOf<typeof cancel>>
    /** Stops it: nothing of it is sent and nothing is made until it is reactivated. */
    readonly stop: ChangeStatus<RefusalsOf<typeof Decider.stop>>
    readonly reactivate: ChangeStatus<RefusalsOf<typeof Decider.reactivate>>
    /** Sets one aside that waits for its card. */
    readonly deactivate: ChangeStatus<RefusalsOf<typeof Decider.deactivate>>
    /** Ends a payment of a subscription that was cancelled, if it is still open; undefined when that had no attempt. */
    readonly cancelPayment: (
      companyId: CompanyId,
      transaction: SvcPayId
    ) => Effect.Effect<AttemptResult["outcome"] | "unknown" | undefined, StoreError>
  }
>()("@parcela/engine/usecases/SubscriptionChanges") {
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

/** A change of status, by the command of that name: it knows what it wrote, as a commit whose reply was lost runs it again. */
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

/** With the first part of its payments: the rest follows as due work. */
const cancel: Change<RefusalsOf<typeof Decider.cancel | typeof cancelWithContract>> = (name) => (found, at) =>
  Result.gen(function* () {
    const moved = yield* moving(({ subscription }, { business }) => Decider.cancel(subscription, business))(name)(
      found,
      at
    )
    if (moved.changes.length === 0) return moved
    const { changes, events, schedule, shown } = yield* cancelWithContract({ ...found, subscription: moved.value }, at)
    return {
      ...moved,
      changes: [...moved.changes, ...changes],
      events: [...moved.events, ...events],
      schedule,
      ...(shown === undefined ? {} : { shown })
    }
  })

const makeChange = Effect.gen(function* () {
  const commands = yield* Commands
  const secrets = yield* Secrets
  return <R>(span: string, decide: Change<R>): ChangeStatus<R> =>
    Effect.fn(span)(function* (companyId: CompanyId, ref: EntityRef, key?: KeyUse<SubscriptionState>) {
      const ran = yield* commands.run({
        load: "subscriptionPayments",
        args: { companyId, subscription: ref, after: 0, limit: paymentsOfUnit },
        key: storing(key),
        decide: decide(yield* secrets.newAttemptId),
        missing: () => noSubscription(ref)
      })
      // Its response is stored with it.
      return ran._tag === "Resumed" ? yield* new KeyReused() : ran
    })
})

const makeCancelPayment = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands
  const secrets = yield* Secrets
  return Effect.fn("SubscriptionChanges.cancelPayment")(
    function* (companyId: CompanyId, id: SvcPayId) {
      const attemptId = yield* secrets.newAttemptId
      const begin = commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(id), attempt: attemptId },
        decide: cancelOne(attemptId),
        // Due work is about what is there.
        missing: companyRestored
      })
      const ran = yield* attempts.perform(attemptId, begin)
      const attempt = ran._tag === "Done" ? ran.value.attempt : undefined
      return attempt?.id === attemptId ? (attempt.result?.outcome ?? "unknown") : undefined
    },
    // What is open may be cancelled: a refusal is a fault of ours.
    Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
  )
})
