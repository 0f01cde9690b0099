/**
 * What the ports of the three payment providers have in common.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { Cents } from "@parcela/core/money/Cents"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * The fields of every request that a provider acts on.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderRequest {
  /** The provider's idempotency key too: the same attempt asked twice is done once, and has the same outcome. */
  readonly attemptId: AttemptId
  readonly companyId: CompanyId
  /** The transaction that it is about: the same for its every attempt. */
  readonly transactionId: SvcPayId
  /**
   * Which registration of the transaction it is about, where an earlier one was withdrawn to be made anew: 2 is the second.
   * Absent for the first.
   */
  readonly registration?: number
  /**
   * How often a sandbox has restored the company; absent for never. A request of before a restore, which comes after it, is
   * to do nothing: only what can be restored itself knows such a thing.
   */
  readonly restores?: number
  /** The company's business time, milliseconds since 1970. */
  readonly at: BusinessTime
}

/**
 * Asks a bank or a Pix provider for a slip or a code.
 *
 * @category models
 * @since 0.1.0
 */
export interface RegistrationRequest<Terms> extends ProviderRequest {
  readonly value: Cents
  readonly dueDate: LocalDate
  readonly payer: CustomerState
  readonly terms: Terms
}
