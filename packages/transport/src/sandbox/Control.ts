/**
 * What every operation of the sandbox's controls is made of: its parameters, its errors, who may call it, and its
 * documentation with an example.
 *
 * @since 0.1.0
 */
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"

/**
 * Lets a request in that is from the server's own machine, or has the controls token where one is set.
 *
 * @category middleware
 * @since 0.1.0
 */
export class ControlsAccess extends HttpApiMiddleware.Service<ControlsAccess>()("@parcela/transport/ControlsAccess", {
  error: [wire.BadRequest, wire.Unauthorized, wire.Forbidden]
}) {}

/**
 * An example of an operation: the JSON of its request, where it has a body, and of its response.
 *
 * @category models
 * @since 0.1.0
 */
export interface OperationExamples {
  readonly request?: unknown
  readonly response: unknown
}

/**
 * Annotation of an endpoint: its examples, which the OpenAPI document shows.
 *
 * @category annotations
 * @since 0.1.0
 */
export class Examples extends Context.Service<Examples, OperationExamples>()("@parcela/transport/sandbox/Examples") {}

/**
 * The annotations of an operation.
 *
 * @category annotations
 * @since 0.1.0
 */
export const documented = (said: {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly examples: OperationExamples
}): Context.Context<Examples> =>
  Context.add(
    OpenApi.annotations({ identifier: said.operationId, summary: said.summary, description: said.description }),
    Examples,
    said.examples
  )

/**
 * The errors of an operation, beside those of `ControlsAccess`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const errors = [wire.BadRequest, wire.NotFound, wire.Internal, wire.Unavailable] as const

/**
 * The errors of an operation that takes a body.
 *
 * @category schemas
 * @since 0.1.0
 */
export const errorsWithBody = [...errors, wire.PayloadTooLarge, wire.UnsupportedMediaType] as const

/**
 * The client id of a company.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ClientId = nonEmptyString(255)

/**
 * A number that the service gave: of a company, an endpoint, a delivery, a transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Id = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { expected: "a whole number from 1 up" }))

/**
 * Parameters of a path below one company.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ofCompany = { clientId: ClientId }

/**
 * The path of one company.
 *
 * @category constants
 * @since 0.1.0
 */
export const company = "/companies/:clientId" as const

/**
 * The most entries of one page.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestPage = 100

/**
 * How many entries a page may have.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PageSize = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: longestPage }, { expected: `a whole number from 1 to ${longestPage}` })
)
