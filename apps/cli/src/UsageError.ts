/**
 * An invalid command line or setting. Nothing was sent.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** The problem, as a sentence without full stop. */
  problem: Schema.String,
  /** The remedy, as a sentence without full stop. */
  remedy: Schema.String
}) {
  override get message(): string {
    return `${this.problem}. ${this.remedy}`
  }
}
