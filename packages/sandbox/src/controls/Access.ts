/**
 * Who may use the sandbox's controls: programs on this machine, or, where a token is set, those that have it.
 *
 * @since 0.1.0
 */
import type { Guard } from "@parcela/http/ContractRoutes"
import { Forbidden, Unauthorized } from "@parcela/transport/ApiError"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { isFromThisMachine } from "@parcela/service/LocalOnly"

/**
 * A controls token: 24 to 255 visible ASCII characters, as it travels in a header and nobody limits how often it is
 * guessed.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ControlsToken = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{24,255}$/u, { expected: "24 to 255 visible ASCII characters" })
)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The token of an `Authorization: Bearer` header. */
const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1]

const onlyFromHere = (request: HttpServerRequest.HttpServerRequest) =>
  isFromThisMachine(request)
    ? Effect.void
    : Effect.fail(
        new Forbidden({
          message:
            "The sandbox's controls are for programs on this machine that call it directly, not through a proxy: for others set PARCELA_CONTROLS_TOKEN"
        })
      )

const onlyWith = (token: Redacted.Redacted) => {
  const expected = bytesOf(Redacted.value(token))
  return ({ headers }: HttpServerRequest.HttpServerRequest) => {
    const given = bearerOf(headers["authorization"])
    if (given !== undefined && Mac.timingSafeEqual(expected, bytesOf(given))) return Effect.void
    return Effect.fail(
      new Unauthorized({
        message:
          given === undefined
            ? "Send Authorization: Bearer with the controls token of this sandbox (PARCELA_CONTROLS_TOKEN)"
            : "The controls token is not that of this sandbox (PARCELA_CONTROLS_TOKEN)"
      })
    )
  }
}

/** Responses hold secrets: nothing on the way keeps them. */
const noStore: HttpEffect.PreResponseHandler = (_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "cache-control", "no-store"))

/**
 * Without a token only programs on this machine are let in. With one every request needs it, wherever it comes from. One
 * that is too short to be safe is an error.
 *
 * @category guards
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  token: Redacted.Redacted | undefined
): Effect.fn.Return<Guard, Schema.SchemaError> {
  if (token !== undefined) yield* Schema.decodeEffect(ControlsToken)(Redacted.value(token))
  const check: Guard = token === undefined ? onlyFromHere : onlyWith(token)
  return (request) => HttpEffect.withPreResponseHandler(check(request), noStore)
})
