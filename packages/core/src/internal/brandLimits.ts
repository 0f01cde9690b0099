/**
 * The card brands' retry programmes as a step of a decision about a transaction.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type BillingError, refuse } from "../BillingError.ts"
import type { EpochMillis } from "../EpochMillis.ts"
import { fromEpochMillis } from "../WallClock.ts"
import { mayRetry, type RetryInput } from "../RetryPolicy.ts"
import type { TransactionState } from "../TransactionState.ts"

/**
 * The transaction when its brand lets it be tried again now.
 *
 * @category steps
 * @since 0.1.0
 */
export const withinBrandLimits = (
  state: TransactionState,
  history: Pick<RetryInput, "brand" | "attempts" | "merchantAdviceCode">,
  now: EpochMillis
): Result.Result<TransactionState, BillingError> => {
  // Where the last try was not refused, an earlier refusal says nothing.
  if (state.status !== "denied") return Result.succeed(state)
  const decision = mayRetry({ ...history, code: state.refusal?.code ?? "", value: state.value, now })
  switch (decision._tag) {
    case "Allowed":
      return Result.succeed(state)
    case "NotBefore":
      return Result.fail(
        refuse({ _tag: "RetryTooEarly", notBefore: fromEpochMillis(decision.at), reason: decision.reason })
      )
    case "Never":
      return Result.fail(refuse({ _tag: "RetryNever", reason: decision.reason }))
  }
}
