/**
 * Why a caller is not authenticated, or not allowed.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The caller is not known: wrong or missing credentials, an unknown or expired token. It never says which.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAuthenticated extends Schema.TaggedError<NotAuthenticated>()("NotAuthenticated", {
  message: Schema.String
}) {}

/**
 * The caller is known, and may not do this.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { message: Schema.String }) {}

/**
 * Too many wrong secrets were tried: for a while not even the right one is accepted.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyFailedLogins extends Schema.TaggedError<TooManyFailedLogins>()("TooManyFailedLogins", {
  retryAfter: Schema.Duration
}) {
  override get message() {
    return "Too many wrong secrets were tried: wait before you try again"
  }
}
