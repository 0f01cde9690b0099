/**
 * How a command that may have an idempotency key ends for its caller.
 *
 * @since 0.1.0
 */
import type { StoredResponse } from "../loads/IdempotencyKey.ts"

/**
 * Its value, or the response that was stored under the key.
 *
 * @category models
 * @since 0.1.0
 */
export type CommandOutcome<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Replayed"; readonly response: StoredResponse }

/**
 * Ended with a value.
 *
 * @category constructors
 * @since 0.1.0
 */
export const done = <A>(value: A): Extract<CommandOutcome<A>, { readonly _tag: "Done" }> => ({ _tag: "Done", value })
