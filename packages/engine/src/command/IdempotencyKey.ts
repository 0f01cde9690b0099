/**
 * The `Idempotency-Key` of a command: how a transaction stores it, and the row under it.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"

/**
 * An `Idempotency-Key` of a company, with the fingerprint of the request that carried it.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyName {
  readonly companyId: CompanyId
  readonly key: string
  readonly fingerprint: string
}

/**
 * A response as sent, without secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/**
 * The row stored under a key: the subject of the command, and its response if the command finished.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyRow {
  readonly fingerprint: string
  readonly subject: string
  readonly response: StoredResponse | undefined
}

/**
 * The refusal of a key that is already used by a different request.
 *
 * @category errors
 * @since 0.1.0
 */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {
  override get message() {
    return (
      "This Idempotency-Key was used with another request: use a new key for a new request, " +
      "or repeat the same body under the same key"
    )
  }
}

/**
 * The key of a request, and the function that makes the response stored for repeats. The response contains no secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyUse<A> {
  readonly name: KeyName
  readonly respond: (value: A) => StoredResponse
}

/**
 * The part that one database transaction plays in storing a key.
 *
 * - `Store`: reads the key first, then inserts it with the other writes. The response is added if `respond` returns
 *   one.
 * - `Complete`: an earlier transaction stored the key. This transaction adds the response if `respond` returns one.
 *
 * @category models
 * @since 0.1.0
 */
export type KeyPart<A> =
  | { readonly _tag: "Store"; readonly name: KeyName; readonly respond: (value: A) => StoredResponse | undefined }
  | { readonly _tag: "Complete"; readonly name: KeyName; readonly respond: (value: A) => StoredResponse | undefined }

/**
 * Returns the key part of a database transaction that inserts the key.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storing = <A>(
  key: Omit<Extract<KeyPart<A>, { readonly _tag: "Store" }>, "_tag"> | undefined
): KeyPart<A> | undefined => (key === undefined ? undefined : { _tag: "Store", name: key.name, respond: key.respond })

/**
 * Like {@link storing}, for a key whose response is rendered from `view(value)`. Without a view no response is stored.
 *
 * @category conversions
 * @since 0.1.0
 */
export const storingView = <A, View>(
  key: KeyUse<View> | undefined,
  view: (value: A) => View | undefined
): KeyPart<A> | undefined =>
  storing(
    key && {
      name: key.name,
      respond: (value: A) => {
        const known = view(value)
        return known === undefined ? undefined : key.respond(known)
      }
    }
  )

/**
 * Returns a key part that reads the key without storing it, for the check before the first write.
 *
 * @category conversions
 * @since 0.1.0
 */
export const readingKey = (key: Pick<KeyUse<never>, "name"> | undefined): KeyPart<unknown> | undefined =>
  storing(key && { name: key.name, respond: () => undefined })

/**
 * The entity that a command wrote, with the attempt that the command started or joined.
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
 * Formats a {@link KeySubject} as `kind:id` or `kind:id:attemptId`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const subjectOf = (
  kind: "card" | "charge" | "customer" | "plan" | "subscription" | "transaction",
  id: SvcPayId,
  attemptId?: AttemptId
): string => (attemptId === undefined ? `${kind}:${id}` : `${kind}:${id}:${attemptId}`)

/**
 * Parses the text that `subjectOf` returns.
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
