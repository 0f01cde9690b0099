/**
 * Use case: create the next instalments of a subscription, or close the subscription after its last instalment.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import {
  type NewInstalment,
  createPeriodic,
  type MadeInstalments,
  makeInstalments,
  step
} from "@parcela/core/subscriptions/PeriodicSubscription"
import { subscriptionDue } from "@parcela/core/subscriptions/SubscriptionDecider"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands, withoutKey } from "../command/Command.ts"
import { type RefusalsOf, type Change, type Decided, nothingToWrite } from "../command/Decided.ts"
import { Sequences } from "../ports/Sequences.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import * as Spans from "../Spans.ts"
import type { withinInstallmentLimit } from "@parcela/core/cards/CardBrand"
import type { Attempt, AttemptId } from "@parcela/core/attempts/Attempt"
import type { CreateSubscription } from "@parcela/core/subscriptions/Subscription"
import { toBeMade } from "@parcela/core/subscriptions/SubscriptionSchedule"
import { type SubscriptionState, openPaymentsOfSubscription } from "@parcela/core/subscriptions/SubscriptionState"
import { type BusinessTime, businessStartOf, dateAt } from "@parcela/core/time/Instant"
import { mustSend } from "@parcela/core/transactions/TransactionDeadlines"
import { send } from "@parcela/core/transactions/TransactionAttempts"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { Times } from "../ports/WriteContext.ts"
import type { CompanyContext } from "../command/LoadedCompany.ts"
import type { NewSubscriptionContext, PaymentContext, InstalmentsContext } from "../command/LoadedPayments.ts"
import { createdPayment } from "./PaymentDecisions.ts"
import type { payerOf } from "../customers/Payer.ts"
import { snapshotIn } from "./ShowPayment.ts"
import { createBy, type NewSubscription, type NewSubscriptionOptions } from "./SubscriptionDecisions.ts"

/**
 * Runs the step of a subscription that is due: see `StepResult`.
 *
 * @category models
 * @since 0.1.0
 */
export type MakeInstalments = (companyId: CompanyId, subscriptionId: SvcPayId) => Effect.Effect<StepResult, StoreError>

/**
 * Returns the generated identifiers of one instalment.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeName: Effect.Effect<Effect.Effect<NewInstalment, StoreError>, never, Secrets | Sequences> = Effect.gen(
  function* () {
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    return Effect.zipWith(sequences.next("transaction"), secrets.newMyId, (id, myId) => ({ id, myId }))
  }
)

/**
 * Returns the generated identifiers of `count` instalments.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNames: Effect.Effect<
  (count: number) => Effect.Effect<ReadonlyArray<NewInstalment>, StoreError>,
  never,
  Secrets | Sequences
> = Effect.map(makeName, (name) => (count: number) => Effect.forEach(Array.from({ length: count }), () => name))

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<MakeInstalments, never, Commands | Secrets | Sequences> = Effect.gen(function* () {
  const commands = yield* Commands
  const names = yield* makeNames
  const { zone } = yield* Settings

  const step = Effect.fnUntraced(function* (
    companyId: CompanyId,
    subscriptionId: SvcPayId,
    needs: { readonly ids: number; readonly myIds: ReadonlyArray<MyId> }
  ) {
    const ids = yield* names(Math.max(1, needs.ids))
    // The list contains at least one element.
    const instalments = { firstId: ids[0]!.id, myIds: needs.myIds }
    return yield* withoutKey(
      commands.run({
        load: "instalments",
        args: { companyId, subscriptionId, instalments },
        decide: takeStep(ids, needs.myIds, zone),
        // Entities are never deleted individually, so only a restore explains a missing subscription.
        missing: companyRestored
      })
    )
  })

  return Spans.fn("PeriodicSubscriptions.makeDue")(
    function* (companyId, subscriptionId): Effect.fn.Return<StepResult, RefusalsOf<typeof step> | StoreError> {
      let taken = yield* step(companyId, subscriptionId, { ids: 1, myIds: [] })
      while (taken.lacks !== undefined) taken = yield* step(companyId, subscriptionId, taken.lacks)
      return taken
    },
    // The job was scheduled by the same rules, so a refusal is a defect of this program.
    Effect.catchTag("BillingError", Effect.die)
  )
})

/**
 * Maximum number of instalments created in one database transaction. Jobs create the rest.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxInstalmentsPerWrite = 24

/**
 * A periodic subscription with its first instalments.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewPeriodic extends NewSubscription {
  readonly instalments: ReadonlyArray<TransactionState>
  /** The first instalment. Undefined while the subscription waits for a card. */
  readonly payment: PaymentContext | undefined
  /** The attempt of the first instalment, if one started. */
  readonly attempt: Attempt | undefined
}

/**
 * The inputs of a new periodic subscription, generated before the database transaction.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewPeriodicOptions extends NewSubscriptionOptions {
  readonly attemptId: AttemptId
  readonly ids: ReadonlyArray<NewInstalment>
  readonly zone: DateTime.TimeZone
}

/** Returns a payment of a subscription that is written in the same database transaction. */
const newPayment = (
  found: CompanyContext,
  { card, customer, subscription }: NewSubscription,
  transaction: TransactionState,
  attempts: ReadonlyArray<Attempt>
): PaymentContext =>
  createdPayment(found, { _tag: "Subscription", subscription, card }, { customer, transaction, attempts })

const madeChanges = (made: ReadonlyArray<TransactionState>, { customerId }: SubscriptionState): ReadonlyArray<Change> =>
  made.map((next) => ({ table: "transactions", next, customerId }))

/**
 * Creates a periodic subscription with its first instalments. Starts the attempt of the first instalment if it is due.
 *
 * @category decisions
 * @since 0.1.0
 */
export const create =
  (command: CreateSubscription, { attemptId, ids, zone, ...options }: NewPeriodicOptions) =>
  (
    found: NewSubscriptionContext,
    at: Times
  ): Result.Result<
    Decided<NewPeriodic>,
    RefusalsOf<
      typeof payerOf | typeof withinInstallmentLimit | typeof createPeriodic | typeof makeInstalments | typeof send
    >
  > =>
    Result.gen(function* () {
      const { first: written, takenMyIds } = found.instalments
      const now = at.business
      const today = dateAt(now, zone)
      const created = yield* createBy(command.Customer, options, (context) =>
        createPeriodic(command, { ...context, today, takenMyIds, plans: found.plans })
      )(found, at)
      // An earlier run wrote the subscription, and the reply to its COMMIT was lost.
      if (created.changes.length === 0) {
        const instalments = written === undefined ? [] : [written]
        const payment = written && newPayment(found, created.value, written, [])
        return { ...created, value: { ...created.value, instalments, payment, attempt: undefined } }
      }
      const { events, made, next } = yield* makeInstalments(created.value.subscription, { ids, takenMyIds, today, now })
      const [first, ...others] = made
      const started =
        first !== undefined && mustSend(first, today, openPaymentsOfSubscription[next.status])
          ? yield* send(first, { attemptId, startedAt: at.machine }, now)
          : undefined
      const instalments = started === undefined ? made : [started.next, ...others]
      const value: NewSubscription = { ...created.value, subscription: next }
      const attempts = started === undefined ? [] : [started.attempt]
      const snapshots = instalments.map((each, index) => newPayment(found, value, each, index === 0 ? attempts : []))
      return {
        ...created,
        value: { ...value, instalments, payment: snapshots[0], attempt: started?.attempt },
        changes: [
          ...created.changes.map((change) => (change.table === "subscriptions" ? { ...change, next } : change)),
          ...madeChanges(instalments, next)
        ],
        started: attempts,
        events: [...created.events, ...events, ...(started?.events ?? [])],
        snapshots
      }
    })

/**
 * The result of a step: the identifiers that it lacked, the time of a step that is not due yet, or `isTaken`. A
 * completed step also replaced its own job by the next one.
 *
 * @category models
 * @since 0.1.0
 */
export interface StepResult {
  readonly lacks?: { readonly ids: number; readonly myIds: ReadonlyArray<MyId> }
  readonly dueAt?: BusinessTime
  readonly isTaken?: true
}

/** Returns the identifiers that the next instalments need. */
const needsOf = ({ schedule, status }: SubscriptionState, today: ReturnType<typeof dateAt>) => {
  if (schedule === undefined || status !== "active") return { ids: 0, myIds: [] }
  const numbers = toBeMade(schedule, today, maxInstalmentsPerWrite)
  const changes = schedule.changes?.filter(({ installment }) => numbers.includes(installment)) ?? []
  return { ids: numbers.length, myIds: changes.flatMap(({ myId }) => myId ?? []) }
}

const dueOf = (state: SubscriptionState, now: BusinessTime, zone: DateTime.TimeZone): StepResult => {
  const due = subscriptionDue(state)
  const dueAt = due._tag === "OnDay" ? businessStartOf(due.day, zone) : undefined
  return dueAt === undefined || dueAt <= now ? {} : { dueAt }
}

/**
 * Runs the due step: creates the next instalments, or closes the subscription after the last one. `loadedMyIds` are the
 * identifiers that the load checked.
 *
 * @category decisions
 * @since 0.1.0
 */
const takeStep =
  (ids: ReadonlyArray<NewInstalment>, loadedMyIds: ReadonlyArray<MyId>, zone: DateTime.TimeZone) =>
  (
    found: InstalmentsContext,
    { business: now }: Times
  ): Result.Result<Decided<StepResult>, RefusalsOf<typeof step>> => {
    const { guard, instalments, subscription } = found
    // An earlier run wrote the instalments, and the reply to its COMMIT was lost.
    if (instalments.first !== undefined) return Result.succeed(nothingToWrite(dueOf(subscription, now, zone)))
    const today = dateAt(now, zone)
    const needs = needsOf(subscription, today)
    if (needs.ids > ids.length || needs.myIds.some((myId) => !loadedMyIds.includes(myId))) {
      return Result.succeed(nothingToWrite({ lacks: needs }))
    }
    const taken = step(subscription, { ids, takenMyIds: instalments.takenMyIds, today, now })
    return Result.map(taken, ({ events, made, next }: MadeInstalments) =>
      next === subscription
        ? nothingToWrite(dueOf(subscription, now, zone))
        : {
            // The change of the subscription schedules the next step, or cancels the last one.
            value: { isTaken: true },
            guards: [guard],
            changes: [{ table: "subscriptions", before: subscription, next }, ...madeChanges(made, next)],
            events,
            snapshots: made.map(snapshotIn({ ...found, subscription: next }))
          }
    )
  }

/**
 * Returns the next instalment, for a transaction that writes another payment of the same subscription. Returns
 * undefined if no instalment is due or the step needs more than one instalment.
 *
 * @category decisions
 * @since 0.1.0
 */
export const nextInstalment = (
  subscription: SubscriptionState,
  name: NewInstalment,
  now: BusinessTime,
  zone: DateTime.TimeZone
): (Pick<Decided<unknown>, "changes" | "events"> & Pick<MadeInstalments, "made" | "next">) | undefined => {
  const today = dateAt(now, zone)
  const { ids, myIds } = needsOf(subscription, today)
  if (ids !== 1 || myIds.length > 0) return undefined
  const taken = step(subscription, { ids: [name], takenMyIds: new Set(), today, now })
  if (Result.isFailure(taken) || taken.success.made.length === 0) return undefined
  const { events, made, next } = taken.success
  const changes = [{ table: "subscriptions", before: subscription, next } as const, ...madeChanges(made, next)]
  return { changes, events, made, next }
}
