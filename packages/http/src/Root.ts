/**
 * `GET /` and `GET /favicon.ico`: the responses to a browser that opens the server's address.
 *
 * @since 0.1.0
 */
import { NotFound } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { toResponse } from "./ErrorResponse.ts"

const lost = new NotFound({
  message: "The operations are under /v2; /docs describes them for people and /openapi.json for programs"
})

const root = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  HttpServerResponse.setHeader(
    headers["accept"]?.includes("text/html") === true ? HttpServerResponse.redirect("/docs") : toResponse(lost),
    "vary",
    "accept"
  )
)

/** Browsers request the icon with each page. Without this route each visit would log a 404. */
const icon = HttpServerResponse.empty({ status: 204, headers: { "cache-control": "max-age=86400" } })

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = Layer.mergeAll(HttpRouter.add("GET", "/", root), HttpRouter.add("GET", "/favicon.ico", icon))
