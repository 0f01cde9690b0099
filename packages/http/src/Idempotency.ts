/**
 * The `Idempotency-Key` of a write (IETF draft-ietf-httpapi-idempotency-key-header). The same key with the same request
 * returns the same response, also after a restart. The same key with another request is a 422.
 *
 * **Details**
 *
 * The server compares decoded requests, not bytes. A request that fails to decode writes nothing and needs no key. The
 * use case reads the key in the transaction that decides, and stores it with the write. A refusal therefore leaves the
 * key free, and a concurrent repeat joins the first request. The transaction that determines the result also stores the
 * response. An unknown outcome (504) stores no response: a repeat joins the pending operation.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { nonEmptyString } from "@parcela/core/values/Text"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import type { KeyUse, StoredResponse } from "@parcela/engine/command/IdempotencyKey"
import type { CommandOutcome } from "@parcela/engine/command/Command"
import { BadRequest } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type CardNumber, cardNumberLabel, mask } from "@parcela/core/cards/CardNumber"

/**
 * Runs a write at most once under the key of its request, if there is a key. `view` turns the result of the write into
 * the response.
 *
 * @category models
 * @since 0.1.0
 */
export type UnderKey = <A, View, E, R>(
  view: (value: A) => View,
  write: (key: KeyUse<A> | undefined) => Effect.Effect<CommandOutcome<A>, E, R>
) => Effect.Effect<View | Rendered | Replayed, E, R>

/**
 * A response body that was serialized to be stored under the key. The server sends these bytes.
 *
 * @category models
 * @since 0.1.0
 */
export class Rendered {
  readonly body: Uint8Array
  constructor(body: Uint8Array) {
    this.body = body
  }
}

/**
 * A response that was stored under the key, as JSON.
 *
 * @category models
 * @since 0.1.0
 */
export class Replayed {
  readonly status: number
  readonly text: string
  constructor(status: number, text: string) {
    this.status = status
    this.text = text
  }
}

/**
 * Serializes a view as a response body in UTF-8.
 *
 * @category models
 * @since 0.1.0
 */
export type Render = (view: unknown) => Uint8Array

// Placeholder for the only secret in responses to writes, which is derived again instead of stored. JSON text never
// contains a bare control character.
const hashPlaceholder = "\u001fconfirmHash\u001f"

const isKey = Schema.is(nonEmptyString(255))

/**
 * Returns the error for an invalid key.
 *
 * @category getters
 * @since 0.1.0
 */
export const faultOfKey = (key: string | undefined): BadRequest | undefined =>
  key === undefined || isKey(key)
    ? undefined
    : new BadRequest({
        message: "The Idempotency-Key is invalid",
        details: { "Request.Idempotency-Key": ["must have 1 to 255 characters"] }
      })

/**
 * The use of no key.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withoutKey: UnderKey = (view, write) =>
  Effect.map(write(undefined), (completed) =>
    completed._tag === "Done" ? view(completed.value) : new Replayed(completed.response.status, completed.response.body)
  )

/**
 * Returns `UnderKey` for a request of a company.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<
  (companyId: CompanyId, key: string, request: DecodedRequest, render: Render) => UnderKey,
  never,
  Secrets
> = Effect.map(
  Secrets,
  (secrets) => (companyId, requestKey, request, render) => (view, write) =>
    Effect.gen(function* () {
      const confirmHash = Redacted.value(yield* secrets.confirmHash(companyId))
      // The label is part of every stored fingerprint.
      const fingerprint = yield* secrets.hash("command", canonicalText(request))
      /** The last serialized body and its value. A transaction may run again and then serialize another value. */
      let written: { readonly value: Parameters<typeof view>[0]; readonly body: Uint8Array } | undefined
      const respond = (value: Parameters<typeof view>[0]): StoredResponse => {
        const body = render(view(value))
        written = { value, body }
        return { status: 200, body: new TextDecoder().decode(body).replaceAll(confirmHash, hashPlaceholder) }
      }
      const completed = yield* write({ name: { companyId, key: requestKey, fingerprint }, respond })
      if (completed._tag === "Done") {
        return written?.value === completed.value ? new Rendered(written.body) : view(completed.value)
      }
      const { body, status } = completed.response
      return new Replayed(status, body.replaceAll(hashPlaceholder, confirmHash))
    })
)

/**
 * The parts of a request that identify the work: operation, path and body.
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodedRequest {
  readonly operation: string
  readonly params?: unknown
  readonly payload?: unknown
}

/**
 * Returns the request as JSON with sorted keys. A card number is replaced by its mask; any other redacted value (the
 * CVV) is left out. Fingerprints made of this text therefore do not depend on secrets.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonicalText = (request: DecodedRequest): string => JSON.stringify(sorted(request))

const sorted = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Redacted.isRedacted(value)) {
    // Only `CardNumber` is redacted under this label.
    return value.label === cardNumberLabel ? mask(Redacted.value(value) as CardNumber) : undefined
  }
  if (Array.isArray(value)) return value.map(sorted)
  // The value is a plain object: only its own keys are read.
  const fields = value as Readonly<Record<string, unknown>>
  // Schemas define these names, and none of them is `__proto__`.
  const inOrder: Record<string, unknown> = {}
  for (const key of Object.keys(fields).sort()) inOrder[key] = sorted(fields[key])
  return inOrder
}
