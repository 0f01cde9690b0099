/**
 * Shared parts of operations with a company in their path: those of the administration and of the sandbox's controls.
 *
 * @since 0.1.0
 */
import { nonEmptyString } from "@parcela/core/values/Text"
import { wire } from "../ApiError.ts"

/**
 * The errors of an operation, in addition to those of its access middleware.
 *
 * @category schemas
 * @since 0.1.0
 */
export const errors = [wire.BadRequest, wire.NotFound, wire.Internal, wire.Unavailable] as const

/**
 * The errors of an operation with a body.
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
