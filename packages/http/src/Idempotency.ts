/**
 * The `Idempotency-Key` of a write (IETF draft-ietf-httpapi-idempotency-key-header): the same key with the same
 * request gets the same response, also after a restart; with another request it is a 422.
 *
 * **Details**
 *
 * What is compared are decoded requests and not bytes, and a request that cannot be decoded writes nothing and needs no
 * key. The use case looks at the key in the unit that decides, and stores it in the commit of what it writes: a refusal
 * leaves the key free, and a repeat that comes while the first is under way joins it. The response is stored in the unit
 * that knows it. An outcome that is unknown (504) has none: a repeat joins what is under way.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { nonEmptyString } from "@parcela/core/values/Text"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import type { KeyUse, CommandOutcome } from "@parcela/engine/command/Command"
import type { StoredResponse } from "@parcela/engine/command/LoadedCompany"
import { BadRequest } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { canonical, type DecodedRequest } from "./CanonicalRequest.ts"

/**
 * Runs a write under the key of its request, if it has one: at most once for this request. `view` is what the response
 * shows; its parameter says what the write comes to.
 *
 * @category models
 * @since 0.1.0
 */
export type UnderKey = <A, View, E, R>(
  view: (value: A) => View,
  write: (key: KeyUse<A> | undefined) => Effect.Effect<CommandOutcome<A>, E, R>
) => Effect.Effect<View | Rendered | Replayed, E, R>

/**
 * A response whose body was written to be stored under the key: it goes out as it is.
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
 * Writes a view as the body of a response, in UTF-8.
 *
 * @category models
 * @since 0.1.0
 */
export type Render = (view: unknown) => Uint8Array

// The one secret that a response to a write holds is derived again, not kept. JSON never holds a bare control character.
const hashPlace = "\u001fconfirmHash\u001f"

const isKey = Schema.is(nonEmptyString(255))

/**
 * What is wrong with the key of a request.
 *
 * @category getters
 * @since 0.1.0
 */
export const faultOfKey = (key: string | undefined): BadRequest | undefined =>
  key === undefined || isKey(key)
    ? undefined
    : new BadRequest({
        message: "The Idempotency-Key has a fault",
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
 * Makes `UnderKey` of a company's request.
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
    Effect.flatMap(secrets.confirmHash(companyId), (redacted) => {
      const confirmHash = Redacted.value(redacted)
      // The label is part of every stored fingerprint.
      const fingerprint = secrets.hash("command", canonical(request))
      /** What was written last, and of what: a unit may run again, and then it is written of another value. */
      let written: { readonly value: Parameters<typeof view>[0]; readonly body: Uint8Array } | undefined
      const respond = (value: Parameters<typeof view>[0]): StoredResponse => {
        const body = render(view(value))
        written = { value, body }
        return { status: 200, body: new TextDecoder().decode(body).replaceAll(confirmHash, hashPlace) }
      }
      return Effect.map(write({ name: { companyId, key: requestKey, fingerprint }, respond }), (completed) => {
        if (completed._tag === "Done") {
          return written?.value === completed.value ? new Rendered(written.body) : view(completed.value)
        }
        const { body, status } = completed.response
        return new Replayed(status, body.replaceAll(hashPlace, confirmHash))
      })
    })
)
