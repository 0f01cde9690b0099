/**
 * What the ports of the three payment providers have in common.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * What every request that a provider acts on says of itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderRequest {
  /** The provider's idempotency key too: the same attempt asked twice is done once, and answered as it was. */
  readonly attemptId: AttemptId
  readonly companyId: CompanyId
  /** The transaction that it is about: the same for its every attempt. */
  readonly transactionId: SvcPayId
  /** The company's business time, milliseconds since 1970. */
  readonly at: BusinessTime
}
