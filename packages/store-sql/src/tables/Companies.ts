/**
 * The table of companies.
 *
 * @since 0.1.0
 */
import { CompanyState } from "@parcela/core/companies/CompanyState"
import * as Struct from "effect/Struct"
import * as VersionedState from "../internal/VersionedState.ts"

/**
 * How a company is written and read. The database numbers companies, so the number is in its column alone.
 *
 * @category tables
 * @since 0.1.0
 */
export const companyStates = VersionedState.make({
  table: "companies",
  schema: CompanyState.mapFields(Struct.omit(["id"]))
})
