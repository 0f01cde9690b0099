/**
 * What the operations of an operator and of a sandbox's controls have in common, which name the company in their path.
 *
 * @since 0.1.0
 */
import { nonEmptyString } from "@parcela/core/values/Text"
import { wire } from "../ApiError.ts"

/**
 * The errors of an operation, beside those of who may call it.
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
