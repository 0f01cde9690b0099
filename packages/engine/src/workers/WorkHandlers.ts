/**
 * What is done for each kind of due work.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { noOutcome } from "../attempts/AttemptLeases.ts"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { machineNow } from "../commands/Times.ts"
import type { Commands } from "../commands/Command.ts"
import { Deliveries } from "../usecases/Deliveries.ts"
import type { Outbox } from "../ports/Outbox.ts"
import { atOnce, type DueTime, type DueWork, type LeasedWork, type WorkKind } from "../ports/DueWork.ts"
import { OldRecords, recordKinds } from "../ports/OldRecords.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Tokens } from "../authentication/Tokens.ts"
import { Payments } from "../usecases/Payments.ts"
import { PeriodicSubscriptions } from "../usecases/PeriodicSubscriptions.ts"
import { SubscriptionChanges } from "../usecases/SubscriptionChanges.ts"
import * as EditedPayments from "../usecases/EditedPayments.ts"
import * as FollowSubscription from "./FollowSubscription.ts"
import * as UnwantedDeliveries from "./UnwantedDeliveries.ts"

/**
 * How work ended: it is over (`outcome` says how, for reports), due again at a time, or failed and to be tried again after
 * a backoff. An error that the store can recover from is a failure too; a defect, or a row that cannot be read, parks the
 * work.
 *
 * @category models
 * @since 0.1.0
 */
export type WorkResult =
  | { readonly _tag: "Done"; readonly outcome?: string }
  | { readonly _tag: "DueLater"; readonly due: DueTime }
  | { readonly _tag: "Failed"; readonly problem: string }

const done: WorkResult = { _tag: "Done" }

/** How many rows one housekeeping step deletes, and how long it rests when there were fewer. */
const deletedAtOnce = 500
const housekeepingRest = Duration.minutes(1)

/** Housekeeping goes on at once while there is more. */
const restAfter = (deleted: number) =>
  Effect.map(machineNow, (now): WorkResult => {
    const rest = deleted === deletedAtOnce ? 0 : Duration.toMillis(housekeepingRest)
    return { _tag: "DueLater", due: { ...atOnce(now), dueAt: MachineTime.make(now + rest) } }
  })

/**
 * @category services
 * @since 0.1.0
 */
export class WorkHandlers extends Context.Service<
  WorkHandlers,
  { readonly [K in WorkKind]: (work: LeasedWork) => Effect.Effect<WorkResult, StoreError> }
>()("@parcela/engine/workers/WorkHandlers") {
  static readonly layer: Layer.Layer<
    WorkHandlers,
    never,
    | Commands
    | Deliveries
    | DueWork
    | OldRecords
    | Outbox
    | PaymentAttempts
    | Payments
    | PeriodicSubscriptions
    | SubscriptionChanges
    | Tokens
  > = Layer.effect(
    WorkHandlers,
    Effect.gen(function* () {
      const attempts = yield* PaymentAttempts
      const deliveries = yield* Deliveries
      const changes = yield* SubscriptionChanges
      const payments = yield* Payments
      const periodic = yield* PeriodicSubscriptions
      const records = yield* OldRecords
      const tokens = yield* Tokens
      const { retention } = yield* Settings
      const apply = yield* EditedPayments.makeApply
      const follow = yield* FollowSubscription.makeFollow
      const giveUpUnwanted = yield* UnwantedDeliveries.make

      const sendPayment = Effect.fn("WorkHandlers.sendPayment")(function* ({ companyId, subject }: LeasedWork) {
        // Work about a payment has a company.
        const { dueAt, outcome } = yield* payments.sendDue(companyId!, SvcPayId.make(Number(subject)))
        if (dueAt === undefined) return { _tag: "Done", outcome } as const
        return { _tag: "DueLater", due: { clock: "business", dueAt } } as const
      })

      const makeInstalments = Effect.fn("WorkHandlers.makeInstalments")(function* ({ companyId, subject }: LeasedWork) {
        // Work about a subscription has a company.
        const dueAt = yield* periodic.makeDue(companyId!, SvcPayId.make(Number(subject)))
        return dueAt === undefined ? done : ({ _tag: "DueLater", due: { clock: "business", dueAt } } as const)
      })

      const cancelPayment = Effect.fn("WorkHandlers.cancelPayment")(function* ({ companyId, subject }: LeasedWork) {
        // Work about a payment has a company.
        const outcome = yield* changes.cancelPayment(companyId!, SvcPayId.make(Number(subject)))
        return outcome === undefined ? done : ({ _tag: "Done", outcome } as const)
      })

      const resolveAttempt = Effect.fn("WorkHandlers.resolveAttempt")(function* ({ companyId, subject }: LeasedWork) {
        // Work about an attempt has a company.
        const outcome = yield* attempts.resolve(companyId!, AttemptId.make(subject))
        return outcome === undefined
          ? ({ _tag: "Failed", problem: noOutcome } as const)
          : ({ _tag: "Done", outcome } as const)
      })

      const replayDeliveries = Effect.fn("WorkHandlers.replayDeliveries")(function* ({ subject }: LeasedWork) {
        if (yield* deliveries.stepReplay(Number(subject))) return done
        return { _tag: "DueLater", due: atOnce(yield* machineNow) } as const
      })

      const deleteExpiredTokens = Effect.fn("WorkHandlers.deleteExpiredTokens")(function* () {
        return yield* restAfter(yield* tokens.deleteExpired(deletedAtOnce))
      })

      const deleteOldRecords = Effect.fn("WorkHandlers.deleteOldRecords")(function* ({ subject }: LeasedWork) {
        // What another version wrote, or a kind that is kept for good since.
        const kind = recordKinds.find((kind) => kind === subject)
        const kept = kind === undefined ? undefined : retention[kind]
        if (kind === undefined || kept === undefined) return done
        const before = MachineTime.make(Math.max(0, (yield* machineNow) - Duration.toMillis(kept)))
        return yield* restAfter(yield* records.delete(kind, before, deletedAtOnce))
      })

      return WorkHandlers.of({
        "send payment": sendPayment,
        "make instalments": makeInstalments,
        "resolve attempt": resolveAttempt,
        // Work about a subscription has a company.
        "follow subscription": (work) => Effect.as(follow(work, work.companyId!), done),
        "cancel payment": cancelPayment,
        // Work about a subscription has a company.
        "apply terms": (work) => Effect.as(apply(work, work.companyId!), done),
        // Work about deliveries has a company.
        "give up deliveries": (work) => Effect.as(giveUpUnwanted(work, work.companyId!), done),
        "replay deliveries": replayDeliveries,
        "delete expired tokens": deleteExpiredTokens,
        "delete old records": deleteOldRecords
      })
    })
  )
}
