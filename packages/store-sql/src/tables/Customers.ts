/**
 * The table of customers, and what they owe.
 *
 * The column `contracts` counts the live subscriptions and charges of a customer: on PostgreSQL by triggers, on SQLite by a statement of
 * the command that starts or ends a contract. The column `standing` is computed from it.
 *
 * @since 0.1.0
 */
import { type CustomerStanding, CustomerState, owedStatuses } from "@parcela/core/customers/CustomerState"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import type { Row } from "../sql/Statement.ts"
import { toStoreError } from "../sql/StoreErrors.ts"
import * as Entities from "./Entities.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const customers = Entities.entityTable({
  table: "customers",
  schema: CustomerState,
  columns: {
    document: ({ document }) => document,
    is_active: ({ status }) => (status === "inactive" ? 0 : 1),
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})

/**
 * The condition that a payment is owed. Two partial indexes by customer and payday have exactly this condition. For `IN`,
 * SQLite would build a temporary table for each index whenever a payment is written.
 *
 * @category columns
 * @since 0.1.0
 */
export const owed = (table: string): string =>
  `(${owedStatuses.map((status) => `${table}.status = '${status}'`).join(" OR ")})`

/**
 * The earliest payday that a customer owes. `company` and `customer` are expressions of their identifiers.
 *
 * @category columns
 * @since 0.1.0
 */
export const owedFrom = (company: string, customer: string): string =>
  `(SELECT min(payday) FROM transactions WHERE company_id = ${company} AND customer_id = ${customer} AND ${owed("transactions")})`

const decodeStanding = Schema.decodeUnknownResult(
  Schema.Struct({ contracts: Columns.integer(Schema.Int), owed_from: Schema.NullOr(LocalDate) })
)

/**
 * Decodes the columns `contracts` and `owed_from`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const standingOf = (row: Row): Result.Result<CustomerStanding, StoreError> =>
  Result.mapBoth(decodeStanding(row), {
    onSuccess: ({ contracts, owed_from: owedFrom }) => ({
      hasContract: contracts > 0,
      owedFrom: owedFrom ?? undefined
    }),
    onFailure: toStoreError("customers")
  })

/**
 * An e-mail address as in the lookup table: in lower case.
 *
 * @category conversions
 * @since 0.1.0
 */
export const lookupEmail = (email: string): string => email.toLowerCase()

/**
 * A subscription without its customer. The foreign key prevents it.
 *
 * @category errors
 * @since 0.1.0
 */
export const withoutCustomer = new StoreError({
  reason: new Corrupt({ table: "subscriptions", cause: new Error("A subscription has no customer") })
})
