/**
 * Routes that only programs on this machine may use.
 *
 * @since 0.1.0
 */
import { toResponse } from "@parcela/http/Edge"
import { Forbidden, MethodNotAllowed } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { isFromThisMachine } from "@parcela/service/LocalOnly"

/**
 * What everybody else is told.
 *
 * @category errors
 * @since 0.1.0
 */
export const notFromHere = new Forbidden({
  message: "The sandbox's controls are for programs on this machine that call it directly, not through a proxy"
})

/**
 * The handler, for requests from this machine; a 403 for all others.
 *
 * @category guards
 * @since 0.1.0
 */
export const onlyFromHere = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    isFromThisMachine(request) ? handler : Effect.succeed(toResponse(notFromHere))
  )

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

const methods: ReadonlyArray<Method> = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/**
 * A 405 that names what is allowed.
 *
 * @category responses
 * @since 0.1.0
 */
export const notAllowed = (allowed: string) =>
  HttpServerResponse.setHeader(
    toResponse(new MethodNotAllowed({ message: `This address takes only ${allowed}` })),
    "allow",
    allowed
  )

/**
 * Every method that a route refuses.
 *
 * @category constants
 * @since 0.1.0
 */
export const methodsBut = (...allowed: ReadonlyArray<Method>): ReadonlyArray<Method> =>
  methods.filter((method) => !allowed.includes(method))
