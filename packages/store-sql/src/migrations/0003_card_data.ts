/**
 * Erases what derives from card data, and makes a card findable by the key that the vault has for it.
 *
 * **Details**
 *
 * Fingerprints of idempotency keys used to be keyed hashes of whole request bodies, card number and CVV included. The
 * table is written anew without them, and the old one is dropped with its pages overwritten, so that nothing of them is
 * left in pages that were split or freed. Which request an old key came with is not known any more: what it wrote is
 * shown to the first request that comes with it, whose fingerprint it takes. A key that wrote nothing is free.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const cardData = Effect.gen(function* () {
  const { integer, sql, strict, word } = yield* words
  const overwriteFreedPages = (isOn: boolean) =>
    sql.onDialectOrElse({
      pg: () => Effect.void,
      orElse: () => Effect.asVoid(sql`PRAGMA secure_delete = ${sql.literal(isOn ? "ON" : "OFF")}`)
    })

  yield* overwriteFreedPages(true)
  yield* sql`
    CREATE TABLE kept_keys AS
    SELECT company_id, idempotency_key, claimed_until, subject, answer_status, answer_body, created_at
    FROM idempotency_keys WHERE subject IS NOT NULL OR answer_status IS NOT NULL
  `
  yield* sql`DROP TABLE idempotency_keys`
  yield* sql`
    CREATE TABLE idempotency_keys (
      company_id ${integer} NOT NULL REFERENCES companies (id),
      idempotency_key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      claimed_until ${integer} NOT NULL,
      subject TEXT,
      answer_status ${integer},
      answer_body TEXT,
      created_at ${integer} NOT NULL,
      CONSTRAINT "idempotency_keys.idempotency_key" PRIMARY KEY (company_id, idempotency_key)
    ) ${strict}
  `
  yield* sql`
    INSERT INTO idempotency_keys (company_id, idempotency_key, fingerprint, claimed_until, subject, answer_status,
      answer_body, created_at)
    SELECT company_id, idempotency_key, '', claimed_until, subject, answer_status, answer_body, created_at
    FROM kept_keys
  `
  yield* sql`DROP TABLE kept_keys`
  yield* overwriteFreedPages(false)

  yield* sql`ALTER TABLE cards ADD COLUMN vault_token TEXT`
  const tokenOf = word("data::json ->> 'vaultToken'", "json_extract(data, '$.vaultToken')")
  yield* sql`UPDATE cards SET vault_token = ${tokenOf}`
  // The name that SQLite makes of the columns, so that a conflict has one name on every database.
  yield* sql`
    CREATE UNIQUE INDEX "cards.customer_id, cards.vault_token" ON cards (company_id, customer_id, vault_token)
  `
})
