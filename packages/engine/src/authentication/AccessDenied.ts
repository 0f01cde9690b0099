/**
 * Who may not come in, and why.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Who is asking is not known: wrong or missing credentials, an unknown or expired token. It never says which.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAuthenticated extends Schema.TaggedError<NotAuthenticated>()("NotAuthenticated", {
  message: Schema.String
}) {}

/**
 * Who is asking is known, and may not do this.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotAllowed extends Schema.TaggedError<NotAllowed>()("NotAllowed", { message: Schema.String }) {}

/**
 * Too many wrong secrets were tried: not even the right one is looked at for a while.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManyGuesses extends Schema.TaggedError<TooManyGuesses>()("TooManyGuesses", {
  retryAfter: Schema.Duration
}) {
  override get message() {
    return "Too many wrong secrets were tried for this client id: wait before you try again"
  }
}
