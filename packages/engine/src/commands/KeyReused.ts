/**
 * An `Idempotency-Key` that came with another command before.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * @category errors
 * @since 0.1.0
 */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {
  override get message() {
    return (
      "This Idempotency-Key was used with another request: use a new key for a new request, " +
      "or repeat the same body under the same key"
    )
  }
}
