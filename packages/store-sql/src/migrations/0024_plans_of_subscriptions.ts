/**
 * The plan that a subscription was made of, so that lists find it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const plansOfSubscriptions = Effect.gen(function* () {
  const { integer, sql } = yield* words

  // Not a foreign key: a state says which plan, and a plan is never deleted.
  yield* sql`ALTER TABLE subscriptions ADD COLUMN plan_id ${integer}`
  yield* sql`CREATE INDEX subscriptions_plan ON subscriptions (company_id, plan_id, id)`
})
