/**
 * What guards the rows below a root.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * The entity whose version guards what is written below it. A write set whose guard has moved is not written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Guard {
  readonly table: "charges" | "companies" | "customers" | "plans" | "subscriptions"
  readonly id: CompanyId | SvcPayId
  readonly version: number
}
