/**
 * What a payment is loaded by.
 *
 * @since 0.1.0
 */
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"

/**
 * What names a transaction: itself, one of its attempts, or the charge whose payment it is.
 *
 * @category models
 * @since 0.1.0
 */
export type PaymentRef =
  | EntityRef
  | { readonly typeId: "attempt"; readonly id: AttemptId }
  | { readonly typeId: "charge"; readonly charge: EntityRef }

/**
 * @category models
 * @since 0.1.0
 */
export interface PaymentArgs {
  readonly companyId: CompanyId
  readonly transaction: PaymentRef
  /** One of its attempts, which is brought beside the one under way; otherwise the one that names the payment. */
  readonly attempt?: AttemptId | undefined
}
