/**
 * The interface under another service's name: requests are renamed before they are read, responses before they leave.
 *
 * @since 0.1.0
 */
import { oversized } from "@parcela/core/json/JsonBounds"
import { ErrorNode } from "@parcela/core/errors/ErrorNode"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { translated } from "@parcela/core/language/Translation"
import type { SettingsShape } from "@parcela/engine/Settings"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { base, isInterface } from "./Paths.ts"
import { kindOf, textOf, withJson } from "./RequestBody.ts"
import { unknownKeysName } from "./UnknownKeys.ts"

type Speech = Pick<SettingsShape, "language" | "naming">

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** JSON text with its keys renamed; text that is no JSON as it is: the reader refuses it. */
const renamed = (text: string, rename: (json: unknown) => unknown): string =>
  Option.match(parse(text), { onNone: () => text, onSome: (json) => JSON.stringify(rename(json)) })

const inward = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, profile: NamingProfile) {
  const url = isInterface(request.url) ? `${base}${profile.fromWirePath(request.url.slice(base.length))}` : request.url
  if (request.method === "GET" || request.method === "HEAD") return request.modify({ url })
  const text = yield* textOf(request)
  // What was read once is not read again. Fields of a form have one name under every profile.
  return kindOf(request.headers["content-type"], text) === "json"
    ? // The reader refuses an oversized body: renaming it takes too long.
      withJson(request, oversized(text, "Request") === undefined ? renamed(text, profile.fromWire) : text, url)
    : request
})

/** Sentences of an error node, which our own words are in, follow language and names; every other value is the client's. */
const toWire =
  ({ language, naming }: Speech) =>
  (json: unknown): unknown => {
    const renamed = naming.toWire(json)
    const said = (sentence: string) => naming.toWireSentence(translated(sentence, language))
    return isErrorNode(renamed) ? { error: inSentences(renamed.error, said) } : renamed
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

const outward = (response: HttpServerResponse.HttpServerResponse, speech: Speech) =>
  withNamedKeys(outwardBody(response, speech), speech)

const withNamedKeys = (response: HttpServerResponse.HttpServerResponse, { naming }: Speech) => {
  const unknownKeys = response.headers[unknownKeysName]
  return unknownKeys === undefined
    ? response
    : HttpServerResponse.setHeader(response, unknownKeysName, naming.toWireSentence(unknownKeys))
}

const outwardBody = (response: HttpServerResponse.HttpServerResponse, speech: Speech) =>
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
 * Middleware that speaks a deployment's names and language in all that it stands around; the interface's own names in
 * English need none.
 *
 * @category middleware
 * @since 0.1.0
 */
export const spoken =
  (speech: Speech) =>
  <E, R>(httpApp: HttpApp<E, R>): HttpApp<E, R | HttpServerRequest.HttpServerRequest> => {
    const { language, naming } = speech
    const isOwnName = naming.name === svcPay.name
    if (isOwnName && language === "en") return httpApp
    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const renamedRequest = isOwnName ? request : yield* inward(request, naming)
      const response = yield* Effect.provideService(httpApp, HttpServerRequest.HttpServerRequest, renamedRequest)
      // Of what succeeded only the names are another's.
      return isOwnName && response.status < 400 ? response : outward(response, speech)
    })
  }

/**
 * The same under `/v2` alone. Groups of other contracts whose bodies are the interface's are annotated with
 * `InterfaceNames`.
 *
 * @category middleware
 * @since 0.1.0
 */
export const spokenInterface =
  (speech: Speech) =>
  <E, R>(httpApp: HttpApp<E, R>): HttpApp<E, R | HttpServerRequest.HttpServerRequest> => {
    const own = spoken(speech)(httpApp)
    if (own === httpApp) return httpApp
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (isInterface(url) ? own : httpApp))
  }
