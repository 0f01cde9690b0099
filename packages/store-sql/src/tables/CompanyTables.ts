/**
 * The tables with rows of companies, for snapshots and restores.
 *
 * @since 0.1.0
 */
import type { CompanyTable } from "../CompanyRows.ts"

const noLease = { lease_owner: "NULL", lease: "NULL" }

/** A leased row is due from the time of its lease on. */
const released = (was: (column: string) => string) => ({
  ...noLease,
  due_at: `CASE WHEN ${was("lease_owner")} IS NULL THEN ${was("due_at")} ELSE ${was("waits_since")} END`
})

/**
 * The tables that a snapshot copies and a restore replaces, referenced tables first. A test fails if a table is missing here and in
 * `staying`.
 *
 * @category tables
 * @since 0.1.0
 */
export const companyTables: ReadonlyArray<CompanyTable> = [
  // PostgreSQL's triggers count the restored contracts, as they count new ones.
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
  { name: "delivery_attempts", below: { table: "deliveries", column: "webhook_id" } },
  { name: "webhook_replays" },
  { name: "due_work", changed: released },
  { name: "incoming_payments" },
  { name: "clock_advances", changed: () => noLease },
  { name: "last_advances" },
  { name: "named_advances" }
]

/**
 * The tables that a restore does not change, each with the reason.
 *
 * @category tables
 * @since 0.1.0
 */
export const staying: Readonly<Record<string, string>> = {
  companies: "the company itself; its clock is put back",
  credentials: "a restore does not change who may use the API",
  access_tokens: "tokens stay valid, so that a test suite needs no new token after each reset",
  company_snapshots: "the snapshots themselves",
  snapshot_rows: "the snapshots themselves",
  company_restores: "the running restores",
  sequences: "numbers are never assigned again",
  master_key_tag: "of the database",
  database_identity: "of the database",
  parcela_migrations: "of the database"
}
