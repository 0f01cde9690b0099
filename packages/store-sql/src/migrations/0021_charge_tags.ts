/**
 * The company's own fields of charges, so that a list finds charges by them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const chargeTags = Effect.gen(function* () {
  const { integer, sql, strict, word } = yield* words
  yield* sql`
    CREATE TABLE charge_tags (
      company_id ${integer} NOT NULL,
      tag TEXT NOT NULL,
      charge_id ${integer} NOT NULL,
      CONSTRAINT "charge_tags.tag" PRIMARY KEY (company_id, tag, charge_id),
      FOREIGN KEY (company_id, charge_id) REFERENCES charges (company_id, id)
    ) ${strict} ${word("", ", WITHOUT ROWID")}
  `
})
