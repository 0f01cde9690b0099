/**
 * The company alone, with its endpoints.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { companyColumns, companyJoins, companyOf, type Load, ofCompany } from "./Load.ts"
import * as Statement from "./Statement.ts"

/**
 * @category loads
 * @since 0.1.0
 */
export const company: Load<"company"> = {
  statement: (dialect, { companyId }, key) =>
    Statement.make(
      dialect,
      (bind) => `SELECT ${companyColumns(dialect)} FROM ${companyJoins(key, bind)} ${ofCompany(companyId, bind)}`
    ),

  lock: (dialect, { companyId }) =>
    Statement.make(dialect, (bind) => `SELECT id FROM companies WHERE id = ${bind(companyId)} ${dialect.locking}`),

  read: (row, { companyId }) => Result.map(companyOf(row, companyId), ({ key, ...found }) => ({ key, found }))
}
