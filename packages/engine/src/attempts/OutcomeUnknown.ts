/**
 * An attempt was begun and its outcome is not known: money may have moved, or may still move.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/attempts/AttemptId"
import * as Schema from "effect/Schema"

/**
 * **Gotchas**
 *
 * Never a failure: the attempt stays under way and is resolved by asking the provider about it. The same
 * command, given again, joins that attempt, and none is begun beside it.
 *
 * @category errors
 * @since 0.1.0
 */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", { attemptId: AttemptId }) {
  override get message() {
    return `The outcome of attempt ${this.attemptId} is not known yet`
  }
}
