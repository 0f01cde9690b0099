/**
 * The interface under another service's names: requests are renamed before decoding, responses before sending.
 *
 * @since 0.1.0
 */
import { exceededLimit } from "@parcela/core/json/JsonChecks"
import { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { translated } from "@parcela/core/language/Translation"
import type { SettingsShape } from "@parcela/engine/Settings"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { base, isInterface } from "./Paths.ts"
import { kindOf, textOf, withJson } from "./ReceivedRequest.ts"
import { unknownKeysName } from "./InvalidRequest.ts"

type NamingSettings = Pick<SettingsShape, "language" | "naming">

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Returns JSON text with renamed keys. Invalid JSON is returned unchanged; the decoder refuses it. */
const renamed = (text: string, rename: (json: unknown) => unknown): string =>
  Option.match(parse(text), { onNone: () => text, onSome: (json) => JSON.stringify(rename(json)) })

const inward = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, profile: NamingProfile) {
  const url = isInterface(request.url) ? `${base}${profile.fromWirePath(request.url.slice(base.length))}` : request.url
  if (request.method === "GET" || request.method === "HEAD") return request.modify({ url })
  const text = yield* textOf(request)
  // The decoder must not read the stream a second time. Form fields have the same names in every profile.
  return kindOf(request.headers["content-type"], text) === "json"
    ? // A body over the limits is not renamed, because that takes too long. The decoder refuses it.
      withJson(request, exceededLimit(text, "Request") === undefined ? renamed(text, profile.fromWire) : text, url)
    : request
})

/** Translates the sentences of error nodes, which contain our own words. All other values belong to the client. */
const toWire =
  ({ language, naming }: NamingSettings) =>
  (json: unknown): unknown => {
    const renamed = naming.toWire(json)
    const translate = (sentence: string) => naming.toWireSentence(translated(sentence, language))
    return isErrorNode(renamed) ? { error: inSentences(renamed.error, translate) } : renamed
  }

const isErrorNode = Schema.is(ErrorNode)

const inSentences = (
  { details, message }: ErrorNode["error"],
  rename: (text: string) => string
): ErrorNode["error"] => ({
  message: rename(message),
  ...(details === undefined
    ? {}
    : { details: Object.fromEntries(Object.entries(details).map(([key, words]) => [key, words.map(rename)])) })
})

const outward = (response: HttpServerResponse.HttpServerResponse, speech: NamingSettings) =>
  withNamedKeys(outwardBody(response, speech), speech)

const withNamedKeys = (response: HttpServerResponse.HttpServerResponse, { naming }: NamingSettings) => {
  const unknownKeys = response.headers[unknownKeysName]
  return unknownKeys === undefined
    ? response
    : HttpServerResponse.setHeader(response, unknownKeysName, naming.toWireSentence(unknownKeys))
}

const outwardBody = (response: HttpServerResponse.HttpServerResponse, speech: NamingSettings) =>
  response.body._tag === "Uint8Array" && response.body.contentType === "application/json"
    ? HttpServerResponse.setBody(
        response,
        HttpServerResponse.text(renamed(new TextDecoder().decode(response.body.body), toWire(speech)), {
          contentType: "application/json"
        }).body
      )
    : response

type HttpApp<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Middleware that applies a deployment's naming profile and language to requests and responses. The default names in
 * English need no work.
 *
 * @category middleware
 * @since 0.1.0
 */
export const withNaming =
  (speech: NamingSettings) =>
  <E, R>(httpApp: HttpApp<E, R>): HttpApp<E, R | HttpServerRequest.HttpServerRequest> => {
    const { language, naming } = speech
    const isOwnName = naming.name === svcPay.name
    if (isOwnName && language === "en") return httpApp
    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const renamedRequest = isOwnName ? request : yield* inward(request, naming)
      const response = yield* Effect.provideService(httpApp, HttpServerRequest.HttpServerRequest, renamedRequest)
      // Successful responses contain names but no sentences.
      return isOwnName && response.status < 400 ? response : outward(response, speech)
    })
  }

/**
 * The same middleware for requests under `/v2` only. Other contracts mark such groups with
 * `InterfaceNames`.
 *
 * @category middleware
 * @since 0.1.0
 */
export const withInterfaceNaming =
  (speech: NamingSettings) =>
  <E, R>(httpApp: HttpApp<E, R>): HttpApp<E, R | HttpServerRequest.HttpServerRequest> => {
    const own = withNaming(speech)(httpApp)
    if (own === httpApp) return httpApp
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (isInterface(url) ? own : httpApp))
  }
