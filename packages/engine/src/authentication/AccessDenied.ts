/**
 * The errors of authentication and authorization.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The client cannot be authenticated: missing or wrong credentials, or an unknown or expired token. The message does
 * not distinguish these cases.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAuthenticated extends Schema.TaggedError<NotAuthenticated>()("NotAuthenticated", {
  message: Schema.String
}) {}

/**
 * The client is authenticated but may not use this operation.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { message: Schema.String }) {}

/**
 * Too many failed logins. Until `retryAfter` even the right secret is refused.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyFailedLogins extends Schema.TaggedError<TooManyFailedLogins>()("TooManyFailedLogins", {
  retryAfter: Schema.Duration
}) {
  override get message() {
    return "Too many wrong client secrets: wait before you try again"
  }
}
