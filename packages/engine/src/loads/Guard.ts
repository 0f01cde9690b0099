/**
 * What guards the rows below a root.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * The entity whose version guards what is written below it: a write set is written only while the row has this version,
 * and raises it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Guard {
  readonly table: "charges" | "companies" | "customers" | "plans" | "subscriptions"
  readonly id: CompanyId | SvcPayId
  /** The `version` column of the row that was loaded. */
  readonly version: number
}
