/**
 * Strictness about requests that deviate from the contract.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * True if the server refuses unknown keys, numbers as text and other deviations that it could tolerate. False by
 * default.
 *
 * @category settings
 * @since 0.1.0
 */
export const StrictRequests = Context.Reference<boolean>("@parcela/http/StrictRequests", { defaultValue: () => false })
