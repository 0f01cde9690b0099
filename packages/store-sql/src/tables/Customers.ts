/**
 * The table of customers. Its column `contracts` counts the live subscriptions and charges of each: on PostgreSQL by triggers
 * (migration 26), on SQLite by the statement that follows each that begins or ends (`RowWrites`). `standing` is computed of it.
 * Their e-mail addresses are rows beside, in small letters.
 *
 * @since 0.1.0
 */
import { CustomerState, type CustomerStanding, owedStatuses } from "@parcela/core/customers/CustomerState"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Row } from "../sql/Statement.ts"
import * as Columns from "../sql/Columns.ts"
import { toStoreError } from "../sql/StoreErrors.ts"
import * as EntityTable from "./Entities.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const customers = EntityTable.entityTable({
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
 * Counts contracts of a customer on SQLite: one statement that writes one row. With a trigger SQLite takes the insert of a contract for
 * several writes, and keeps each page that it changes as it was, in a file.
 *
 * @category statements
 * @since 0.1.0
 */
export const countContracts = "UPDATE customers SET contracts = contracts + ?1 WHERE id = ?2"

/** As migration 26 has it. */
const liveStatuses: ReadonlySet<SubscriptionState["status"]> = new Set(["active", "waitingPayment", "stopped"])

/**
 * For how many live contracts a subscription or a charge counts.
 *
 * @category conversions
 * @since 0.1.0
 */
export const contractsOf = (state: { readonly status: SubscriptionState["status"] } | undefined): number =>
  state !== undefined && liveStatuses.has(state.status) ? 1 : 0

/**
 * What a customer owes, as a part of SQL: payments by customer and payday, which two indexes have. The condition is theirs, word for
 * word: of a list (`IN`) SQLite makes a table for each index whenever a payment is written (migration 45).
 *
 * @category columns
 * @since 0.1.0
 */
export const owed = (table: string): string =>
  `(${owedStatuses.map((status) => `${table}.status = '${status}'`).join(" OR ")})`

/**
 * The payday of what a customer owes longest; `customer` is the place of its identifier.
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
 * Reads the columns `contracts` and `owed_from` of a row.
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
 * An e-mail address as it is found.
 *
 * @category conversions
 * @since 0.1.0
 */
export const foundEmail = (email: string): string => email.toLowerCase()

/**
 * A foreign key forbids it.
 *
 * @category errors
 * @since 0.1.0
 */
export const withoutCustomer = new StoreError({
  reason: new Corrupt({ table: "subscriptions", cause: new Error("A subscription has no customer") })
})
