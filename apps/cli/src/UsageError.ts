/**
 * A command line or a setting that cannot be followed. Nothing was sent.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  /** What is wrong. */
  problem: Schema.String,
  /** What to do about it. */
  remedy: Schema.String
}) {
  override get message(): string {
    return `${this.problem}. ${this.remedy}`
  }
}
