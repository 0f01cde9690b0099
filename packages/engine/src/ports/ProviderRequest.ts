/**
 * The request fields that the ports of all three payment providers share.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { Cents } from "@parcela/core/money/Cents"
import type { BusinessTime } from "@parcela/core/time/Instant"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * The fields of every request that changes something at a provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderRequest {
  /** Also the idempotency key: a repeated attempt is executed once and has the same outcome. */
  readonly attemptId: AttemptId
  readonly companyId: CompanyId
  /** The transaction, the same for all its attempts. */
  readonly transactionId: SvcPayId
  /** The number of the registration, if an earlier one was withdrawn: 2 is the second. Absent for the first. */
  readonly registration?: number
  /**
   * The company's number of restores in a sandbox, or absent for 0. A simulated provider ignores a late request from
   * before a restore.
   */
  readonly restores?: number
  /** The company's business time in milliseconds since 1970. */
  readonly at: BusinessTime
}

/**
 * Requests the registration of a boleto or Pix.
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
