/**
 * Where the list of customers finds what it is narrowed and ordered by.
 *
 * @since 0.1.0
 */
import { type CustomerList, customerList } from "@parcela/core/lists/CustomerList"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { foundEmail, owed } from "../tables/Customers.ts"
import {
  type Computed,
  computed,
  either,
  id,
  identifiers,
  integer,
  type ListColumns,
  listed,
  text,
  unique,
  within
} from "./ListColumns.ts"

const createdAt = integer("created_at")
const updatedAt = integer("updated_at")
const standing = text("standing")

/**
 * The columns of a list of today: a payment is overdue from the day after its payday.
 *
 * @category tables
 * @since 0.1.0
 */
export const customerColumns = (today: LocalDate): ListColumns<CustomerList> => ({
  definition: customerList,
  filters: {
    ...identifiers,
    documents: unique(text("document")),
    emails: listed({ table: "customer_emails", refers: "customer_id", column: "email", found: foundEmail }),
    status: computed([standing, id], status(today)),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
})

/** The standings of customers that are not delayed. */
const standings: { readonly [status: string]: string } = {
  active: "contract",
  inactive: "inactive",
  withoutSubscriptionOrCharge: "none"
}

/**
 * An index has the customers by standing. Those who are delayed are found by what is overdue, and who else is overdue is
 * looked up for each row, unless those who are delayed are wanted too.
 */
const status =
  (today: LocalDate): Computed =>
  (write, { companyId, sql, values }) => {
    const wanted = values.flatMap((value) => standings[value] ?? [])
    const isStanding = wanted.length === 0 ? undefined : sql`${write(standing)} IN ${sql.in(wanted)}`
    const overdue = sql`SELECT customer_id FROM transactions
      WHERE company_id = ${companyId} AND ${sql.literal(owed)} AND payday < ${today}`
    const isDelayed = sql`${write(id)} IN (${overdue}) AND ${write(standing)} <> 'inactive'`
    // Its columns have names of their own: `id` is that of the row that is listed, whatever that is called there.
    const isOverdue = sql`EXISTS (
      SELECT 1 FROM (
        SELECT company_id AS owed_to, customer_id AS owed_by, payday AS owed_on FROM transactions
        WHERE ${sql.literal(owed)}
      ) AS owed WHERE owed_to = ${companyId} AND owed_by = id AND owed_on < ${today}
    )`
    if (values.includes("delayed")) return isStanding === undefined ? isDelayed : sql.or([isStanding, isDelayed])
    if (isStanding === undefined) return sql`1 = 0`
    return sql.and([isStanding, sql.or([sql`standing = 'inactive'`, sql`NOT ${isOverdue}`])])
  }
