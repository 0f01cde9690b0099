/**
 * `GET /health`: 200 once the server accepts requests.
 *
 * @since 0.1.0
 */
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

const response = HttpServerResponse.jsonUnsafe({ status: "ok" })

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.add("GET", "/health", response)
