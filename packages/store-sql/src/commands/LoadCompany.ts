/**
 * The company alone, with its endpoints.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type Load, loading, reading } from "./Load.ts"
import * as Statement from "./Statement.ts"
import { turnOf } from "./Dialect.ts"

/**
 * Waits for the company's turn.
 *
 * @category statements
 * @since 0.1.0
 */
export const turnOfCompany = Statement.prepared<{ readonly companyId: CompanyId }>(
  ({ bind }) => `SELECT ${turnOf("companies", "id")} FROM companies WHERE id = ${bind(({ companyId }) => companyId)}`
)

/**
 * @category loads
 * @since 0.1.0
 */
export const company: Load<"company"> = {
  statement: loading(() => ({ columns: [], joins: "" })),
  turn: turnOfCompany,
  read: reading((_, company) => company)
}
