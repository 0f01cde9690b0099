/**
 * What a payment is loaded by.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { PaymentRef } from "./CommandStore.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PaymentArgs {
  readonly companyId: CompanyId
  readonly transaction: PaymentRef
  /** One of its attempts, brought however long ago it began; otherwise the one that names the payment. */
  readonly attempt?: AttemptId | undefined
}
