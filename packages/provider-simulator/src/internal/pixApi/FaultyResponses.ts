/**
 * Makes responses of what the simulator says, and of the faults that were planned for it.
 *
 * @since 0.1.0
 */
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { PlannedFaultError } from "../../SimulatorFaults.ts"
import { problem, responseOf, type Said } from "./Problems.ts"

/**
 * Responds with what is said. A request or a response that was to be lost has its connection cut; whatever fails besides is a 500.
 *
 * @category combinators
 * @since 0.1.0
 */
export const responding =
  (cut: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void>) =>
  <E, R>(
    serve: Effect.Effect<Said, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
    serve.pipe(
      Effect.catch((error) => {
        const fault =
          error instanceof ProviderError && error.cause instanceof PlannedFaultError ? error.cause.fault : undefined
        if (fault === "RequestLost" || fault === "ResponseLost") {
          return Effect.as(Effect.flatMap(HttpServerRequest.HttpServerRequest, cut), unavailable)
        }
        // A denial of what knows none is as unavailable.
        if (fault !== undefined) return Effect.succeed(unavailable)
        return Effect.as(Effect.logError("The simulator of API Pix failed", error), failed)
      }),
      Effect.map(responseOf)
    )

const unavailable = problem(503, "ServicoIndisponivel", "Uma falha planejada")
const failed = problem(500, "ErroInternoDoServidor", "O simulador falhou")
