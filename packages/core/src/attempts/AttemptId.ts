/**
 * The identifier of an attempt.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The identifier of one attempt to move money, or to register a boleto or a Pix. The service assigns it before it calls
 * the provider, and sends it as the idempotency key.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AttemptId = Schema.NonEmptyString.pipe(Schema.brand("AttemptId"))

/**
 * @category models
 * @since 0.1.0
 */
export type AttemptId = typeof AttemptId.Type
