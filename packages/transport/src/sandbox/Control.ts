/**
 * Shared parts of the sandbox's controls: parameters, errors and access.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { wire } from "../ApiError.ts"

/**
 * Allows a request from the server's own machine, or with the controls token if one is set.
 *
 * @category middleware
 * @since 0.1.0
 */
export class ControlsAccess extends HttpApiMiddleware.Service<ControlsAccess>()("@parcela/transport/ControlsAccess", {
  error: [wire.BadRequest, wire.Unauthorized, wire.Forbidden, wire.TooManyRequests]
}) {}

/**
 * A number that the service assigned to a company, an endpoint, a delivery or a transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Id = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { expected: "a whole number from 1 up" }))

/**
 * The `myId` next to the number of a transaction.
 *
 * @category schemas
 * @since 0.1.0
 */
export const transactionMyId = described(
  Schema.optionalKey(Schema.String),
  "The transaction's identifier in the client system; absent where the transaction is not there."
)

/**
 * The maximum number of entries in a page.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestPage = 100

/**
 * The schema of a page size.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PageSize = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: longestPage }, { expected: `a whole number from 1 to ${longestPage}` })
)
