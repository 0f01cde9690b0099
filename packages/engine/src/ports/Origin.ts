/**
 * The actor and cause of a write, stored in the journal.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Context from "effect/Context"
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
