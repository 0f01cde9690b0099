/**
 * Plans, which subscriptions are made from.
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
export const plans = Effect.gen(function* () {
  const { integer, sql, strict } = yield* words

  yield* sql`
    CREATE TABLE plans (
      id ${integer} NOT NULL,
      company_id ${integer} NOT NULL REFERENCES companies (id),
      my_id TEXT,
      status TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      version ${integer} NOT NULL DEFAULT 1,
      state_version ${integer} NOT NULL DEFAULT 1,
      data TEXT NOT NULL,
      CONSTRAINT "plans.id" PRIMARY KEY (id),
      CONSTRAINT "plans.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "plans.my_id" UNIQUE (company_id, my_id)
    ) ${strict}
  `
  yield* sql`CREATE INDEX plans_status ON plans (company_id, status, id)`
  yield* sql`CREATE INDEX plans_created ON plans (company_id, created_at, id)`
  yield* sql`CREATE INDEX plans_updated ON plans (company_id, updated_at, id)`

  // SQLite's sequences are rows, which the first number of a kind makes.
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.asVoid(sql`CREATE SEQUENCE ${sql(sequenceOf("plan"))} INCREMENT BY ${sql.literal(String(blockSize))}`),
    orElse: () => Effect.void
  })
})
