/**
 * Responses of the simulated API Pix: problems (RFC 7807) and injected failures.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { problemTypes } from "@parcela/pix-api/messages/Problem"
import type { ChargeKind } from "@parcela/pix-api/messages/Charge"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Schema from "effect/Schema"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { InjectedFailureError } from "../../InjectedFailures.ts"

/** A response before it is written. */
export interface PixResponse {
  readonly status: number
  readonly body: unknown
}

const titles = {
  400: "Requisição inválida",
  401: "Não autenticado",
  403: "Acesso negado",
  404: "Não encontrado",
  500: "Erro interno do servidor",
  503: "Serviço indisponível"
} as const

/** A property and its problem. */
interface Violation {
  readonly propriedade: string
  readonly razao: string
}

/**
 * Returns a problem of a type of API Pix.
 *
 * @category constructors
 * @since 0.1.0
 */
export const problem = (
  status: keyof typeof titles,
  type: string,
  detail: string,
  violacoes?: ReadonlyArray<Violation>
): PixResponse => ({
  status,
  body: {
    type: `${problemTypes}${type}`,
    title: titles[status],
    status,
    detail,
    ...(violacoes === undefined ? {} : { violacoes })
  }
})

const operationTypes: Readonly<Record<ChargeKind, string>> = {
  cob: "CobOperacaoInvalida",
  cobv: "CobVOperacaoInvalida"
}

/**
 * The problem of a request that the charge, in its current status or in general, does not allow.
 *
 * @category constructors
 * @since 0.1.0
 */
export const invalidOperation = (kind: ChargeKind, detail: string, violacoes?: ReadonlyArray<Violation>): PixResponse =>
  problem(400, operationTypes[kind], detail, violacoes)

/**
 * The problem of a body that does not fit the schema, with every violation by its property.
 *
 * @category constructors
 * @since 0.1.0
 */
export const invalidBody = (kind: ChargeKind, { issue }: Schema.SchemaError): PixResponse =>
  invalidOperation(
    kind,
    "O corpo não respeita o schema",
    Object.entries(detailsOf(issue, kind)).flatMap(([propriedade, reasons]) =>
      reasons.map((razao) => ({ propriedade, razao }))
    )
  )

/**
 * @category constructors
 * @since 0.1.0
 */
export const chargeNotFound = (kind: ChargeKind): PixResponse =>
  problem(404, kind === "cob" ? "CobNaoEncontrado" : "CobVNaoEncontrada", "Não há cobrança com este txid")

const responseOf = ({ body, status }: PixResponse): HttpServerResponse.HttpServerResponse =>
  body === undefined
    ? HttpServerResponse.empty({ status })
    : HttpServerResponse.jsonUnsafe(body, {
        status,
        ...(status >= 400 ? { contentType: "application/problem+json" } : {})
      })

/**
 * Converts a response to HTTP. An injected loss of the request or the response cuts the connection. Any other failure is a 500.
 *
 * @category combinators
 * @since 0.1.0
 */
export const responding =
  (cut: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void>) =>
  <E, R>(
    serve: Effect.Effect<PixResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | HttpServerRequest.HttpServerRequest> =>
    serve.pipe(
      Effect.catch((error) => {
        const fault =
          error instanceof ProviderError && error.cause instanceof InjectedFailureError ? error.cause.fault : undefined
        if (fault === "RequestLost" || fault === "ResponseLost") {
          return Effect.as(Effect.flatMap(HttpServerRequest.HttpServerRequest, cut), unavailable)
        }
        // A denial of an operation without denials behaves as unavailable.
        if (fault !== undefined) return Effect.succeed(unavailable)
        return Effect.as(Effect.logError("The simulator of API Pix failed", error), failed)
      }),
      Effect.map(responseOf)
    )

const unavailable = problem(503, "ServicoIndisponivel", "Uma falha planejada")
const failed = problem(500, "ErroInternoDoServidor", "O simulador falhou")
