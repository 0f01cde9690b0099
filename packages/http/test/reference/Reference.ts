/**
 * The contract's routes as `HttpApiBuilder` makes them: what the routes of our own are held to.
 *
 * @since 0.1.0
 */
import { textOf, withJson } from "@parcela/http/ReceivedRequest"
import { serverMiddleware } from "@parcela/http/server/ServerMiddleware"
import { tooLarge, toResponse, unreadable, unsupportedMediaType } from "@parcela/http/ErrorResponse"
import { unrouted } from "@parcela/http/server/KnownPaths"
import { Contract } from "@parcela/transport/Contract"
import { routerConfig } from "@parcela/transport/contract/EntityPath"
import { Internal } from "@parcela/transport/ApiError"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Authentication from "./Authentication.ts"
import * as FaultsLayer from "./FaultsLayer.ts"
import * as Handlers from "./Handlers.ts"
import * as Idempotency from "./Idempotency.ts"

const routesOf = (operations: Handlers.Operations) =>
  HttpApiBuilder.layer(Contract).pipe(
    Layer.provide(Handlers.layer(operations)),
    Layer.provide([
      Authentication.layerClientCredentials,
      Authentication.layerBearerToken,
      FaultsLayer.layer,
      Idempotency.layer
    ])
  )

const unknown = unrouted([])

/** Responses that `HttpApiBuilder` gives in plain text or without a body, as error nodes. */
const explained = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const isNode = response.body._tag !== "Empty" && response.body.contentType === "application/json"
  if (response.status < 400 || isNode) return response
  switch (response.status) {
    case 404:
      return unknown(request)
    case 413:
      return tooLarge
    case 415:
      return unsupportedMediaType(request.headers["content-type"])
    default:
      return response.status < 500 ? unreadable : toResponse(new Internal({ message: "fault" }))
  }
}

/** A reversal that comes without a body is one with an empty object. */
const withOptionalBody = <A, E, R>(httpApp: Effect.Effect<A, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (request.method !== "PUT" || !/\/reverse\/?(?:\?|$)/u.test(request.url)) return httpApp
    return Effect.flatMap(textOf(request), (text) =>
      Effect.provideService(
        httpApp,
        HttpServerRequest.HttpServerRequest,
        text === "" ? withJson(request, "{}") : request
      )
    )
  })

/** The reference as an HTTP application over these operations. */
export const app = (operations: Handlers.Operations) =>
  HttpRouter.toHttpEffect(routesOf(operations)).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.map((httpApp) =>
      serverMiddleware(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.map(withOptionalBody(httpApp), (response) => explained(response, request))
        ),
        [],
        unknown
      )
    )
  )
