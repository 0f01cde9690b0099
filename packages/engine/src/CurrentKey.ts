/**
 * The `Idempotency-Key` of the request that is running, if it came with one.
 *
 * @since 0.1.0
 */
import { SvcPayId } from "@parcela/core/Identifier"
import { AttemptId } from "@parcela/core/AttemptId"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/**
 * A key, and what an earlier run under it wrote before a crash kept its answer from going out.
 *
 * @category models
 * @since 0.1.0
 */
export interface RunningKey {
  readonly key: string
  readonly written: Option.Option<string>
}

/**
 * @category references
 * @since 0.1.0
 */
export const CurrentKey = Context.Reference<Option.Option<RunningKey>>("@parcela/engine/CurrentKey", {
  defaultValue: Option.none
})

/**
 * What a request wrote: an entity, and the attempt that the request began or joined, where there was one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Subject {
  readonly id: SvcPayId
  readonly attemptId: AttemptId | undefined
}

/**
 * How what a request wrote is noted under its key.
 *
 * @category conversions
 * @since 0.1.0
 */
export const subjectOf = (kind: "subscription" | "transaction", id: SvcPayId, attemptId?: AttemptId): string =>
  attemptId === undefined ? `${kind}:${id}` : `${kind}:${id}:${attemptId}`

/**
 * What an earlier run under the current key wrote, if there was one: it is shown, not written again.
 *
 * @category getters
 * @since 0.1.0
 */
export const alreadyWritten = (kind: "subscription" | "transaction"): Effect.Effect<Option.Option<Subject>> =>
  Effect.map(CurrentKey, (current) =>
    current.pipe(
      Option.flatMap(({ written }) => written),
      Option.map((subject) => subject.split(":")),
      Option.filter(([written]) => written === kind),
      Option.map(([, id, attemptId]) => ({
        id: SvcPayId.make(Number(id)),
        attemptId: attemptId === undefined ? undefined : AttemptId.make(attemptId)
      }))
    )
  )
