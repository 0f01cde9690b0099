/**
 * Rows of entities carry a version, which rises with each change, and the version of the shape of their state; on
 * PostgreSQL identifiers come from sequences, which no transaction waits for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"
import { blockSize, sequenceOf } from "../internal/Sequence.ts"

const entities = ["companies", "customers", "cards", "subscriptions", "transactions"] as const

const kinds = ["customer", "card", "subscription", "transaction"] as const

/**
 * @category migrations
 * @since 0.1.0
 */
export const versions = Effect.gen(function* () {
  const { integer, sql } = yield* words
  for (const table of entities) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN version ${integer} NOT NULL DEFAULT 1`
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN state_version ${integer} NOT NULL DEFAULT 1`
  }
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        for (const kind of kinds) {
          const [last] = yield* sql<{ value: number }>`SELECT value FROM sequences WHERE name = ${kind}`
          yield* sql`
            CREATE SEQUENCE ${sql(sequenceOf(kind))} START WITH ${sql.literal(String(Number(last?.value ?? 0) + 1))}
            INCREMENT BY ${sql.literal(String(blockSize))}
          `
        }
        yield* sql`DROP TABLE sequences`
      }),
    orElse: () => Effect.void
  })
})
