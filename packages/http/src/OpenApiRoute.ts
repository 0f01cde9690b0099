/**
 * `GET /openapi.json`: the contract with this server's address and naming profile.
 *
 * @since 0.1.0
 */
import { Settings } from "@parcela/engine/Settings"
import { openApiDocument } from "@parcela/transport/OpenApiDocument"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { DocumentsWithLetters } from "./DocumentsWithLetters.ts"
import { StrictRequests } from "./StrictRequests.ts"

/**
 * The OpenAPI document of this server.
 *
 * @category getters
 * @since 0.1.0
 */
export const document = Effect.map(
  Effect.all([Settings, DocumentsWithLetters, StrictRequests]),
  ([{ naming, publicUrl }, documentsWithLetters, isStrict]) =>
    openApiDocument({ baseUrl: `${publicUrl}/v2`, documentsWithLetters, ignoresUnknownKeys: !isStrict, naming })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    // Serialized at the first request, which makes the server start faster.
    const text = yield* Effect.cached(Effect.map(document, (document) => JSON.stringify(document)))
    yield* router.add(
      "GET",
      "/openapi.json",
      Effect.map(text, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
    )
  })
)
