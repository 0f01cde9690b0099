/**
 * The tables of the providers' store with rows of companies, for those that keep them and put them back.
 *
 * @since 0.1.0
 */

/**
 * Kept by a snapshot of a company and put back; each has `company_id`. A table that is missing here or in `staying` fails a
 * test.
 *
 * @category tables
 * @since 0.1.0
 */
export const companyTables: ReadonlyArray<{ readonly name: string }> = [
  { name: "attempts" },
  { name: "boletos" },
  { name: "pix_charges" },
  { name: "payments" },
  { name: "ledger" },
  { name: "faults" },
  { name: "pix_api_charges" },
  { name: "pix_api_payments" }
]

/**
 * Tables that a restore leaves alone, and why.
 *
 * @category tables
 * @since 0.1.0
 */
export const staying: Readonly<Record<string, string>> = {
  cards: "a vault forgets no card: a key that it gave out means a card for good",
  test_cards: "the same test card gets the same key",
  pix_api_webhooks: "of an account's key",
  snapshot_rows: "the snapshots themselves",
  company_restores: "how often companies were restored",
  served_database: "of the database",
  simulator_migrations: "of the database"
}
