/**
 * The context of a write: its actor and cause, which the journal stores, and its time on both clocks.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * The actor of a write.
 *
 * - `Client`: a program with credentials of the company
 * - `Worker`: a worker that runs jobs or sends deliveries
 * - `Service`: the operator of the service, or the service itself
 *
 * @category schemas
 * @since 0.1.0
 */
export const Actor = Schema.TaggedUnion({
  Client: { clientId: Schema.String },
  Worker: { kind: Schema.String },
  Service: {}
})

/**
 * @category models
 * @since 0.1.0
 */
export type Actor = typeof Actor.Type

/**
 * The cause of a write.
 *
 * - `Request`: an HTTP request
 * - `DueWork`: a job, by its name
 * - `Delivery`: the response of an endpoint to a delivery
 * - `ProviderOutcome`: a provider's outcome of an attempt, whichever process sent the request
 *
 * @category schemas
 * @since 0.1.0
 */
export const OriginCause = Schema.TaggedUnion({
  Request: {},
  DueWork: { kind: Schema.String, subject: Schema.String },
  Delivery: { webhookId: Schema.Int },
  ProviderOutcome: { attemptId: AttemptId }
})

/**
 * @category models
 * @since 0.1.0
 */
export type OriginCause = typeof OriginCause.Type

/**
 * @category models
 * @since 0.1.0
 */
export interface Origin {
  readonly actor: Actor
  /** Absent for actions of the service itself. */
  readonly cause?: OriginCause
  /** The `X-Request-Id` of the HTTP request. */
  readonly requestId?: string
}

/**
 * The origin of writes of the current fiber. Default: the service itself.
 *
 * @category references
 * @since 0.1.0
 */
export const Origin = Context.Reference<Origin>("@parcela/engine/ports/Origin", {
  defaultValue: () => ({ actor: { _tag: "Service" } })
})

/**
 * True if an HTTP request waits for the write.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRequested = ({ cause }: Origin): boolean => cause?._tag === "Request"

/**
 * The same instant on both clocks.
 *
 * - `business`: the company's time, for entities, paydays and the current day
 * - `machine`: the time for attempts, leases, keys and deliveries
 *
 * @category models
 * @since 0.1.0
 */
export interface Times {
  readonly business: BusinessTime
  readonly machine: MachineTime
}

/**
 * The current machine time.
 *
 * @category getters
 * @since 0.1.0
 */
export const machineNow: Effect.Effect<MachineTime> = Effect.clockWith((clock) => Effect.succeed(machineTimeOf(clock)))

/**
 * Returns the machine time of a clock.
 *
 * @category getters
 * @since 0.1.0
 */
export const machineTimeOf = (clock: Clock.Clock): MachineTime =>
  // The value is always a valid time, and every request reads it several times.
  clock.currentTimeMillisUnsafe() as MachineTime
