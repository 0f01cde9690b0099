/**
 * The name of an attempt.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The name of one try to move money (or to register a boleto or a Pix), given before the provider is asked. It is
 * the provider's idempotency key too.
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
