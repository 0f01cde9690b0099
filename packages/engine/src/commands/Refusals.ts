/**
 * Which refusals a use case has: those of the decisions that it asks, from their types.
 *
 * @since 0.1.0
 */
import type { BillingError } from "@parcela/core/errors/BillingError"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"

/**
 * The refusals that a decision has: a refusal itself, a result or an effect that may be refused, or a function that comes to
 * one of them in the end. Of a union, those of each member.
 *
 * **Details**
 *
 * A use case is declared with the decisions that it asks, not with their refusals: a decision that gains a refusal changes
 * the type of every use case that asks it, and one that is asked without being named does not compile.
 * A decision that is generic in what it refuses says nothing here: name what it is given.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusalsOf<Decision> = Decision extends (...args: never) => infer Made
  ? RefusalsOf<Made>
  : Decision extends BillingError
    ? Decision
    : Decision extends Result.Result<unknown, infer Refusal> | Effect.Effect<unknown, infer Refusal, unknown>
      ? Extract<Refusal, BillingError>
      : never
