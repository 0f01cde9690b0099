/**
 * What a command wrote, as text stored with its idempotency key, so that a repeat finds it again.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * What a command wrote: an entity, and the attempt that it began or joined, where there was one.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeySubject {
  readonly kind: string
  readonly id: SvcPayId
  readonly attemptId: AttemptId | undefined
}

/**
 * @category conversions
 * @since 0.1.0
 */
export const subjectOf = (
  kind: "card" | "charge" | "customer" | "plan" | "subscription" | "transaction",
  id: SvcPayId,
  attemptId?: AttemptId
): string => (attemptId === undefined ? `${kind}:${id}` : `${kind}:${id}:${attemptId}`)

/**
 * Reads a text of `subjectOf`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const readSubject = (subject: string): KeySubject => {
  const [kind = "", id, attemptId] = subject.split(":")
  return {
    kind,
    id: SvcPayId.make(Number(id)),
    attemptId: attemptId === undefined ? undefined : AttemptId.make(attemptId)
  }
}
