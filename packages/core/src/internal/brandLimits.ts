/**
 * The retry limits of the card brands as a step of transaction decisions.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Attempt } from "../attempts/Attempt.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { CardBrandId } from "../cards/CardBrand.ts"
import type { CardDenied } from "../transactions/CardTransaction.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { historyOf, mayRetry } from "../attempts/CardRetryLimits.ts"
import { fromEpochMillis } from "../time/WallClock.ts"

/**
 * The card's brand and attempts, from which its retry limits follow.
 *
 * @category models
 * @since 0.1.0
 */
export interface BrandHistory {
  readonly brand: CardBrandId
  /** All attempts with this card (number and expiry) at this merchant, in any order. */
  readonly attempts: ReadonlyArray<Attempt>
}

/**
 * Succeeds if the brand allows a retry of the denied charge at `at`, in business time.
 *
 * @category steps
 * @since 0.1.0
 */
export const withinBrandLimits = (
  { denial, value }: typeof CardDenied.Type,
  { attempts, brand }: BrandHistory,
  at: BusinessTime
): Result.Result<void, RefusedBy<"RetryTooEarly" | "RetryNever">> => {
  const decision = mayRetry({ brand, ...historyOf(attempts), code: denial.code, value, now: at })
  switch (decision._tag) {
    case "Allowed":
      return Result.void
    case "NotBefore":
      return Result.fail(
        refuse({ _tag: "RetryTooEarly", notBefore: fromEpochMillis(decision.at), reason: decision.reason })
      )
    case "Never":
      return Result.fail(refuse({ _tag: "RetryNever", reason: decision.reason }))
  }
}
