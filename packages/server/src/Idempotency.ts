/**
 * The `Idempotency-Key` of a write (IETF draft-ietf-httpapi-idempotency-key-header): the same key with the same
 * request gets the same answer, also after a restart; with another request it is a 422; while it runs, a 409.
 *
 * **Details**
 *
 * What a write wrote is noted in the transaction that wrote it, so that a repeat after a crash shows it instead of
 * writing it again. An answer that refuses wrote nothing: its key is free again.
 *
 * @since 0.1.0
 */
import { nonEmptyString } from "@parcela/core/Text"
import type { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { CurrentKey } from "@parcela/engine/CurrentKey"
import { IdempotencyKeys } from "@parcela/engine/IdempotencyKeys"
import { Secrets } from "@parcela/engine/Secrets"
import { Settings } from "@parcela/engine/Settings"
import { BadRequest, Conflict, Unprocessable } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { IdempotentWrite } from "@parcela/transport/Security"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

// The one secret that an answer to a write holds is derived again, not kept. JSON never holds a bare control character.
const hashPlace = "\u001fconfirmHash\u001f"

const isKey = Schema.is(nonEmptyString(255))

const textOf = (response: HttpServerResponse.HttpServerResponse): string =>
  response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<IdempotentWrite, never, IdempotencyKeys | Secrets> = Layer.effect(
  IdempotentWrite,
  Effect.gen(function* () {
    const keys = yield* IdempotencyKeys
    const secrets = yield* Secrets
    const { claim } = yield* Settings

    const confirmHash = (companyId: CompanyId) => Effect.map(secrets.confirmHash(companyId), Redacted.value)

    const run = Effect.fnUntraced(function* (
      httpEffect: Parameters<IdempotentWrite["Service"]>[0],
      key: string,
      request: HttpServerRequest.HttpServerRequest
    ) {
      const { companyId } = yield* Caller
      // A body that cannot be read fails again, and is answered, where the operation reads it.
      const body = yield* Effect.orElseSucceed(request.text, () => "")
      // `originalUrl` would add the Host: a repeat may come by another name of this service, or to another port.
      const fingerprint = yield* secrets.hash("request", `${request.method} ${request.url}\n${body}`)
      const now = yield* Clock.currentTimeMillis
      const claimedUntil = EpochMillis.make(now + Duration.toMillis(claim))
      const known = yield* Effect.orDie(
        keys.claim({ companyId, key, fingerprint }, EpochMillis.make(now), claimedUntil)
      )
      switch (known._tag) {
        case "Answered":
          return HttpServerResponse.text(known.answer.body.replaceAll(hashPlace, yield* confirmHash(companyId)), {
            status: known.answer.status,
            contentType: "application/json"
          })
        case "Running":
          return yield* new Conflict({ message: "A request with this Idempotency-Key is still running" })
        case "OtherRequest":
          return yield* new Unprocessable({ message: "This Idempotency-Key was used with another request" })
        case "Fresh":
        case "Written": {
          const written = known._tag === "Written" ? Option.some(known.subject) : Option.none()
          return yield* httpEffect.pipe(
            Effect.provideService(CurrentKey, Option.some({ key, written })),
            Effect.tap((response) =>
              Effect.gen(function* () {
                const body = textOf(response).replaceAll(yield* confirmHash(companyId), hashPlace)
                yield* Effect.orDie(keys.answer(companyId, key, { status: response.status, body }))
              })
            ),
            Effect.onError(() => Effect.ignore(keys.release(companyId, key)))
          )
        }
      }
    })

    return IdempotentWrite.of((httpEffect) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = request.headers["idempotency-key"]
        if (key === undefined) return yield* httpEffect
        if (!isKey(key)) {
          return yield* new BadRequest({
            message: "The Idempotency-Key has a fault",
            details: { "Request.Idempotency-Key": ["must be 1 to 255 characters"] }
          })
        }
        return yield* run(httpEffect, key, request)
      })
    )
  })
)
