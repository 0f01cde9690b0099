/**
 * The leases of attempts without an outcome: the process that resolves one holds the lease of its due work.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { machineNow } from "../commands/Times.ts"
import { DueWork, type LeasedWork } from "../ports/DueWork.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { LeaseOwner } from "../workers/LeaseOwner.ts"

/** How long an attempt without an outcome rests before a worker asks about it: again, longer each time. */
const firstBackoff = Duration.seconds(1)
const longestBackoff = Duration.minutes(10)

/** What stands with the work of an attempt without an outcome. */
export const noOutcome = "No outcome could be had yet"

/**
 * @category models
 * @since 0.1.0
 */
export interface AttemptLeases {
  /** Leases the attempt for this process, which may hold it already; none when another does, or when it has ended. */
  readonly take: (id: AttemptId) => Effect.Effect<Option.Option<LeasedWork>, StoreError>
  /** Ends a lease without an outcome: a worker asks about the attempt soon. */
  readonly giveBack: (lease: LeasedWork) => Effect.Effect<void, StoreError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AttemptLeases, never, DueWork | LeaseOwner> = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const owner = yield* LeaseOwner
  const { lease: leaseTime } = yield* Settings
  return {
    take: Effect.fnUntraced(function* (id) {
      const now = yield* machineNow
      const until = MachineTime.make(now + Duration.toMillis(leaseTime))
      return yield* dueWork.take({ kind: "resolve attempt", subject: id, owner, now, until })
    }),
    giveBack: Effect.fnUntraced(function* (lease) {
      const now = yield* machineNow
      const wait = yield* randomBackoff(lease.tries, firstBackoff, longestBackoff)
      const dueAt = MachineTime.make(now + Duration.toMillis(wait))
      yield* dueWork.postpone(lease, { clock: "machine", dueAt, waitsSince: now, problem: noOutcome })
    })
  }
})
