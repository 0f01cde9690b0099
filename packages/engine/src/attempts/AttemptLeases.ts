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
import { DueWork, type LeasedWork, type TakeRequest } from "../ports/DueWork.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { LeaseOwner } from "../workers/LeaseOwner.ts"
import { supervised } from "../workers/Supervised.ts"

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
  /** Renews the lease that this process has of the attempt, again and again until it is interrupted. */
  readonly renewing: (id: AttemptId) => Effect.Effect<never>
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
  const { attemptLease } = yield* Settings
  const requestFor = (id: AttemptId) =>
    Effect.map(machineNow, (now): TakeRequest => {
      const until = MachineTime.make(now + Duration.toMillis(attemptLease))
      return { kind: "resolve attempt", subject: id, owner, now, until }
    })
  const interval = Duration.times(attemptLease, 1 / 3)
  const renew = (id: AttemptId) => Effect.andThen(Effect.sleep(interval), Effect.flatMap(requestFor(id), dueWork.renew))
  return {
    take: (id) => Effect.flatMap(requestFor(id), dueWork.take),
    renewing: (id) => supervised(`renewal of the lease of attempt ${id}`, renew(id), () => Effect.void),
    giveBack: Effect.fnUntraced(function* (lease) {
      const now = yield* machineNow
      const wait = yield* randomBackoff(lease.tries, firstBackoff, longestBackoff)
      const dueAt = MachineTime.make(now + Duration.toMillis(wait))
      yield* dueWork.postpone(lease, { clock: "machine", dueAt, waitsSince: now, problem: noOutcome })
    })
  }
})
