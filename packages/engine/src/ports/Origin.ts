/**
 * Who acts, and what made them act: the journal keeps it with everything that is written.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

/**
 * - `Client`: a program with credentials of the company; its id is absent where its token was issued before ids were kept
 * - `Worker`: one that does due work, or makes deliveries
 * - `Service`: the operator of the service, and the service by itself
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
 * - `Request`: a request over HTTP
 * - `DueWork`: a row of due work, by its name
 * - `Delivery`: what an endpoint responded to a delivery
 * - `ProviderOutcome`: a provider's outcome of an attempt, whichever process asked for it
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
  /** Absent where the service acts by itself. */
  readonly cause?: OriginCause
  /** The `X-Request-Id` of the request that it happened in. */
  readonly requestId?: string
}

/**
 * The origin of what this fiber does; the service itself where none is provided.
 *
 * @category references
 * @since 0.1.0
 */
export const Origin = Context.Reference<Origin>("@parcela/engine/ports/Origin", {
  defaultValue: () => ({ actor: { _tag: "Service" } })
})

/**
 * Whether a request waits for it.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRequested = ({ cause }: Origin): boolean => cause?._tag === "Request"
