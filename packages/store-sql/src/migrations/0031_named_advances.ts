/**
 * The last advance of a company's clock that its caller named, so that the same one again goes on to the same time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const namedAdvances = Effect.gen(function* () {
  const { integer, sql, strict } = yield* words
  // target: business time.
  yield* sql`
    CREATE TABLE named_advances (
      company_id ${integer} NOT NULL REFERENCES companies (id),
      name TEXT NOT NULL,
      target ${integer} NOT NULL,
      CONSTRAINT "named_advances.company" PRIMARY KEY (company_id)
    ) ${strict}
  `
})
