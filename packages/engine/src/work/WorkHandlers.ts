/**
 * The handler of each kind of job.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import { machineNow } from "../ports/WriteContext.ts"
import type { Commands } from "../command/Command.ts"
import { Deliveries } from "../webhooks/Replays.ts"
import type { Outbox } from "../ports/Outbox.ts"
import { atOnce, type DueWork, type LeasedWork, type WorkKind } from "../ports/DueWork.ts"
import { OldRecords } from "../ports/OldRecords.ts"
import { recordKinds, Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { Tokens } from "../authentication/Tokens.ts"
import type { ExpirePayment } from "../payments/ExpirePayment.ts"
import type { FetchChargebacks, FetchPayments } from "../payments/FetchReports.ts"
import type { ReceivePayments } from "../payments/IncomingPayments.ts"
import type { Payments } from "../payments/Payments.ts"
import type { PeriodicSubscriptions } from "../subscriptions/PeriodicSubscriptions.ts"
import type { SubscriptionChanges } from "../subscriptions/SubscriptionEditing.ts"
import * as ApplyTerms from "../payments/ApplyTerms.ts"
import * as FollowSubscription from "../subscriptions/FollowSubscription.ts"
import * as PaymentHandlers from "./PaymentHandlers.ts"
import * as UnwantedDeliveries from "../webhooks/UnwantedDeliveries.ts"
import { done, type WorkResult } from "./WorkOutcome.ts"
import * as Spans from "../Spans.ts"

/** Maximum number of rows that a housekeeping job deletes at once, and its interval when fewer rows were found. */
const maxDeleted = 500
const housekeepingInterval = Duration.minutes(1)

/** Returns the next run of a housekeeping job: at once if more rows may remain. */
const nextRunAfter = (deleted: number) =>
  Effect.map(machineNow, (now): WorkResult => {
    const delay = deleted === maxDeleted ? 0 : Duration.toMillis(housekeepingInterval)
    return { _tag: "DueLater", due: { ...atOnce(now), dueAt: MachineTime.make(now + delay) } }
  })

/**
 * @category services
 * @since 0.1.0
 */
export class WorkHandlers extends Context.Service<
  WorkHandlers,
  { readonly [K in WorkKind]: (work: LeasedWork) => Effect.Effect<WorkResult, StoreError> }
>()("@parcela/engine/work/WorkHandlers") {
  static readonly layer: Layer.Layer<
    WorkHandlers,
    never,
    | Commands
    | Deliveries
    | DueWork
    | ExpirePayment
    | FetchChargebacks
    | FetchPayments
    | OldRecords
    | Outbox
    | PaymentAttempts
    | Payments
    | PeriodicSubscriptions
    | ReceivePayments
    | SubscriptionChanges
    | Secrets
    | Tokens
  > = Layer.effect(
    WorkHandlers,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const records = yield* OldRecords
      const tokens = yield* Tokens
      const { retention } = yield* Settings
      const apply = yield* ApplyTerms.makeApply
      const follow = yield* FollowSubscription.makeFollow
      const abandonUnwanted = yield* UnwantedDeliveries.make
      const ofIncoming = yield* PaymentHandlers.makeIncoming
      const ofPayments = yield* PaymentHandlers.make

      const replayDeliveries = Spans.fn("WorkHandlers.replayDeliveries")(function* ({ subject }: LeasedWork) {
        if (yield* deliveries.stepReplay(Number(subject))) return done
        return { _tag: "DueLater", due: atOnce(yield* machineNow) } as const
      })

      const deleteExpiredTokens = Spans.fn("WorkHandlers.deleteExpiredTokens")(function* () {
        return yield* nextRunAfter(yield* tokens.deleteExpired(maxDeleted))
      })

      const deleteOldRecords = Spans.fn("WorkHandlers.deleteOldRecords")(function* ({ subject }: LeasedWork) {
        // The row may be from another version, or the kind may have unlimited retention since.
        const kind = recordKinds.find((kind) => kind === subject)
        const retained = kind === undefined ? undefined : retention[kind]
        if (kind === undefined || retained === undefined) return done
        const before = MachineTime.make(Math.max(0, (yield* machineNow) - Duration.toMillis(retained)))
        return yield* nextRunAfter(yield* records.delete(kind, before, maxDeleted))
      })

      return WorkHandlers.of({
        ...ofPayments,
        ...ofIncoming,
        // Every job of a subscription has a company.
        "follow subscription": (work) => Effect.as(follow(work, work.companyId!), done),
        // Every job of a subscription has a company.
        "apply terms": (work) => Effect.as(apply(work, work.companyId!), done),
        // Every job of a delivery has a company.
        "abandon deliveries": (work) => Effect.as(abandonUnwanted(work, work.companyId!), done),
        "replay deliveries": replayDeliveries,
        "delete expired tokens": deleteExpiredTokens,
        "delete old records": deleteOldRecords
      })
    })
  )
}
