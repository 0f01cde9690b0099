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
import { nonEmptyString } from "@parcela/core/values/Text"
import type { StoredResponse } from "@parcela/engine/command/IdempotencyKey"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import { picked } from "@parcela/test-world/Picked"
import { BadRequest } from "@parcela/transport/ApiError"
import { AuthenticatedClient, IdempotentWrite } from "@parcela/transport/Security"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { canonicalText, type DecodedRequest, Replayed, type UnderKey } from "@parcela/http/Idempotency"

// The only secret in responses to writes is derived again, not stored. JSON never contains a bare control character.
const hashPlaceholder = "\u001fconfirmHash\u001f"

const isKey = Schema.is(nonEmptyString(255))

/** The key of the request that is running, if it came with one. */
const RequestKey = Context.Reference<Option.Option<string>>("@parcela/http/Idempotency/RequestKey", {
  defaultValue: Option.none
})

/**
 * Runs a write under the request's `Idempotency-Key`, if it has one: at most once for this request, else the response
 * of the first run. `schema` describes the body of a response.
 *
 * @category combinators
 * @since 0.1.0
 */
export const underKey = (
  request: DecodedRequest,
  schema: Schema.Top
): Effect.Effect<UnderKey, never, AuthenticatedClient | Secrets> =>
  Effect.gen(function* () {
    const { companyId } = yield* AuthenticatedClient
    const requestKey = yield* RequestKey
    const key = Option.isNone(requestKey)
      ? undefined
      : { companyId, key: requestKey.value, fingerprint: yield* fingerprintOf(request) }
    // No response of a contract needs a service.
    const encode = Schema.encodeUnknownSync(Schema.toCodecJson(schema as Schema.Codec<unknown>))
    const confirmHash = key === undefined ? "" : yield* confirmHashOf(companyId)
    return Effect.fnUntraced(function* (view, write) {
      const respond = (value: Parameters<typeof view>[0]): StoredResponse => {
        const body = JSON.stringify(encode(picked(schema, view(value) as {})))
        return { status: 200, body: confirmHash === "" ? body : body.replaceAll(confirmHash, hashPlaceholder) }
      }
      const completed = yield* write(key === undefined ? undefined : { name: key, respond })
      if (completed._tag === "Done") return view(completed.value)
      const { body, status } = completed.response
      return new Replayed(status, body.replaceAll(hashPlaceholder, confirmHash))
    })
  })

const fingerprintOf = (request: DecodedRequest) =>
  Effect.flatMap(Secrets, (secrets) => secrets.hash("command", canonicalText(request)))

const confirmHashOf = (companyId: Parameters<Secrets["Service"]["confirmHash"]>[0]) =>
  Secrets.use((secrets) => Effect.map(secrets.confirmHash(companyId), Redacted.value))

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<IdempotentWrite> = Layer.succeed(
  IdempotentWrite,
  IdempotentWrite.of((httpEffect) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const key = request.headers["idempotency-key"]
      if (key === undefined) return yield* httpEffect
      if (!isKey(key)) {
        return yield* new BadRequest({
          message: "The Idempotency-Key is invalid",
          details: { "Request.Idempotency-Key": ["must have 1 to 255 characters"] }
        })
      }
      return yield* Effect.provideService(httpEffect, RequestKey, Option.some(key))
    })
  )
)
