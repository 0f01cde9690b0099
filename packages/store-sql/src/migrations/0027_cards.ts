/**
 * Cards are listed, removed, and one of each customer may be the backup card.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const cards = Effect.gen(function* () {
  const { integer, sql, word } = yield* words
  yield* sql`ALTER TABLE cards ADD COLUMN status TEXT NOT NULL DEFAULT 'active'`
  yield* sql`ALTER TABLE cards ADD COLUMN is_backup ${integer} NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE cards ADD COLUMN created_at ${integer} NOT NULL DEFAULT 0`
  yield* sql`
    UPDATE cards SET created_at =
      COALESCE(${word("(data::jsonb ->> 'createdAt')::bigint", "json_extract(data, '$.createdAt')")}, 0)
  `
  yield* sql`CREATE UNIQUE INDEX "cards.id_in_company" ON cards (company_id, id)`
  yield* sql`CREATE INDEX cards_customer ON cards (company_id, customer_id, id)`
  yield* sql`CREATE INDEX cards_status ON cards (company_id, status, id)`
  yield* sql`CREATE INDEX cards_created ON cards (company_id, created_at, id)`
})
