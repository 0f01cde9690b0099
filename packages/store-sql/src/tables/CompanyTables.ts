/**
 * The tables with rows of companies, and what a restore does with each.
 *
 * @since 0.1.0
 */
import type { CompanyTable } from "../CompanyRows.ts"

const noLease = { lease_owner: "NULL", lease: "NULL" }

/** What was leased is due, since when it was leased. */
const released = (was: (column: string) => string) => ({
  ...noLease,
  due_at: `CASE WHEN ${was("lease_owner")} IS NULL THEN ${was("due_at")} ELSE ${was("waits_since")} END`
})

/**
 * Kept by a snapshot and put back, what others refer to first. A table that is missing here or in `staying` fails a test.
 *
 * @category tables
 * @since 0.1.0
 */
export const companyTables: ReadonlyArray<CompanyTable> = [
  // PostgreSQL's triggers count contracts as they are put back, as when they are made.
  { name: "customers", changed: (_, isPostgres) => (isPostgres ? { contracts: "0" } : {}) },
  { name: "customer_emails" },
  { name: "cards" },
  { name: "plans" },
  { name: "charges" },
  { name: "charge_tags" },
  { name: "subscriptions" },
  { name: "transactions" },
  { name: "attempts" },
  { name: "external_references" },
  { name: "idempotency_keys" },
  { name: "journal" },
  { name: "webhook_endpoints" },
  { name: "deliveries", changed: () => ({ ...noLease, leased_at: "NULL", leased_until: "NULL" }) },
  { name: "delivery_payloads", below: { table: "deliveries", column: "webhook_id" } },
  { name: "delivery_tries", below: { table: "deliveries", column: "webhook_id" } },
  { name: "webhook_replays" },
  { name: "due_work", changed: released },
  { name: "incoming_payments" },
  { name: "clock_advances", changed: () => noLease },
  { name: "last_advances" },
  { name: "named_advances" }
]

/**
 * Tables that a restore leaves alone, and why.
 *
 * @category tables
 * @since 0.1.0
 */
export const staying: Readonly<Record<string, string>> = {
  companies: "the company itself; its clock is put back",
  credentials: "who may speak for the company is not what it did",
  access_tokens: "tokens stay valid, so that a suite need not ask for one after each reset",
  company_snapshots: "the snapshots themselves",
  snapshot_rows: "the snapshots themselves",
  company_restores: "restores that are under way",
  sequences: "numbers are never given out again",
  master_key_tag: "of the database",
  database_identity: "of the database",
  parcela_migrations: "of the database"
}
