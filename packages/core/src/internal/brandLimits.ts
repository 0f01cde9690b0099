/**
 * The card brands' retry programmes as a step of a decision about a transaction.
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
 * What a retry of a denied charge is asked with.
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
 * Succeeds when the brand lets the charge be tried again at `at`, by the company's clock.
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
