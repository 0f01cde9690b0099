/**
 * The company alone, with its endpoints.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Dialect } from "./Dialect.ts"
import { type Load, loading, reading } from "./Load.ts"
import * as Statement from "./Statement.ts"

/**
 * Waits for the company's turn.
 *
 * @category statements
 * @since 0.1.0
 */
export const turnOfCompany = (
  dialect: Dialect,
  { companyId }: { readonly companyId: CompanyId }
): Statement.Statement =>
  Statement.make(
    dialect,
    (bind) => `SELECT ${dialect.turnOf("companies", "id")} FROM companies WHERE id = ${bind(companyId)}`
  )

/**
 * @category loads
 * @since 0.1.0
 */
export const company: Load<"company"> = {
  statement: (dialect, { companyId }, key) => loading(dialect, companyId, key, () => ({ columns: [], joins: "" })),
  turn: turnOfCompany,
  read: reading((_, company) => Result.succeed(company))
}
