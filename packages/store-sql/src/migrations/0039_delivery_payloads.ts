/**
 * A delivery's payload is a row of its own, written once, and its lease stands in columns that no index has: what is leased and
 * recorded is a short row, and no index changes with a lease.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const deliveryPayloads = Effect.gen(function* () {
  const { integer, sql, strict } = yield* words
  yield* sql`
    CREATE TABLE delivery_payloads (
      webhook_id ${integer} NOT NULL PRIMARY KEY REFERENCES deliveries (webhook_id),
      payload TEXT NOT NULL
    ) ${strict}
  `
  yield* sql`
    INSERT INTO delivery_payloads (webhook_id, payload) SELECT webhook_id, payload FROM deliveries ORDER BY webhook_id
  `
  yield* sql`ALTER TABLE deliveries DROP COLUMN payload`
  yield* sql`ALTER TABLE deliveries ADD COLUMN leased_at ${integer}`
  yield* sql`ALTER TABLE deliveries ADD COLUMN leased_until ${integer}`
  // Until now a lease was a wait.
  yield* sql`
    UPDATE deliveries SET leased_at = waits_since, leased_until = due_at, due_at = waits_since WHERE lease_owner IS NOT NULL
  `
  yield* sql`DROP INDEX deliveries_of_transaction`
  yield* sql`
    CREATE INDEX deliveries_of_transaction ON deliveries (endpoint_id, transaction_id, webhook_id) WHERE state = 'pending'
  `
  // A lease changes no indexed column: with room for it on its page PostgreSQL leaves the indexes alone.
  yield* sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`ALTER TABLE deliveries SET (fillfactor = 70)`),
    orElse: () => Effect.void
  })
})
