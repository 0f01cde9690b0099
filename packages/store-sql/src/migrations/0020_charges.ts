/**
 * Charges: their card, their numbers, and the indexes of their list.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"
import { blockSize, sequenceOf } from "../internal/Sequence.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const charges = Effect.gen(function* () {
  const { integer, sql } = yield* words
  // Not a foreign key: a state says which card, and its reader copes with one that is gone.
  yield* sql`ALTER TABLE charges ADD COLUMN card_id ${integer}`
  yield* sql`CREATE INDEX charges_status ON charges (company_id, status, id)`
  yield* sql`CREATE INDEX charges_customer ON charges (company_id, customer_id, id)`
  yield* sql`CREATE INDEX charges_created ON charges (company_id, created_at, id)`
  yield* sql`CREATE INDEX charges_updated ON charges (company_id, updated_at, id)`
  yield* sql.onDialectOrElse({
    // The numbers are given out in blocks, as those of the others.
    pg: () => sql`CREATE SEQUENCE ${sql(sequenceOf("charge"))} INCREMENT BY ${sql.literal(String(blockSize))}`,
    orElse: () => Effect.void
  })
})
