/**
 * Endpoints are rows of their own, deliveries belong to one, and each try is recorded.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const webhookEndpoints = Effect.gen(function* () {
  const { increment, integer, numbered, sql, strict, word } = yield* words

  // next_at: until when it is left alone, which is a wait that began at waits_since.
  yield* sql`
    CREATE TABLE webhook_endpoints (
      id ${numbered} PRIMARY KEY ${increment},
      company_id ${integer} NOT NULL REFERENCES companies (id),
      url TEXT NOT NULL,
      events TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('on', 'off')),
      off_reason TEXT,
      off_at ${integer},
      failures ${integer} NOT NULL,
      failing_since ${integer},
      next_at ${integer},
      waits_since ${integer},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${strict}
  `
  yield* sql`CREATE INDEX webhook_endpoints_company ON webhook_endpoints (company_id, id)`

  const webhooks = (key: string) =>
    word(`data::jsonb #>> '{webhooks,${key}}'`, `json_extract(data, '$.webhooks.${key}')`)
  const createdAt = word(`(data::jsonb ->> 'createdAt')::bigint`, `json_extract(data, '$.createdAt')`)
  yield* sql`
    INSERT INTO webhook_endpoints (company_id, url, events, state, failures, created_at, updated_at)
    SELECT id, ${webhooks("url")}, ${webhooks("events")}, 'on', 0, ${createdAt}, ${createdAt} FROM companies
    WHERE ${webhooks("url")} IS NOT NULL ORDER BY id
  `
  yield* sql`
    UPDATE companies SET data = ${word("(data::jsonb - 'webhooks')::text", "json_remove(data, '$.webhooks')")}
    WHERE ${webhooks("url")} IS NOT NULL
  `

  yield* sql`DROP INDEX deliveries_pending`
  yield* sql`ALTER TABLE deliveries DROP COLUMN claimed_until`
  yield* sql`ALTER TABLE deliveries ADD COLUMN endpoint_id ${integer} REFERENCES webhook_endpoints (id)`
  yield* sql`ALTER TABLE deliveries ADD COLUMN waits_since ${integer}`
  yield* sql`ALTER TABLE deliveries ADD COLUMN lease_owner TEXT`
  yield* sql`ALTER TABLE deliveries ADD COLUMN lease TEXT`
  yield* sql`
    UPDATE deliveries SET endpoint_id = (
      SELECT id FROM webhook_endpoints WHERE webhook_endpoints.company_id = deliveries.company_id
    )
  `
  yield* sql`
    UPDATE deliveries SET state = 'given_up', given_up_at = due_at, last_problem = 'The company has no webhook address'
    WHERE state = 'pending' AND endpoint_id IS NULL
  `

  yield* sql`
    CREATE INDEX deliveries_lane ON deliveries (endpoint_id, due_at, webhook_id, transaction_id) WHERE state = 'pending'
  `
  yield* sql`
    CREATE INDEX deliveries_of_transaction
    ON deliveries (endpoint_id, transaction_id, webhook_id, due_at, tries, lease_owner) WHERE state = 'pending'
  `
  yield* sql`CREATE INDEX deliveries_given_up ON deliveries (company_id, webhook_id) WHERE state = 'given_up'`

  yield* sql`
    CREATE TABLE delivery_tries (
      id ${numbered} PRIMARY KEY ${increment},
      webhook_id ${integer} NOT NULL REFERENCES deliveries (webhook_id),
      started_at ${integer} NOT NULL,
      duration ${integer} NOT NULL,
      status ${integer},
      problem TEXT
    ) ${strict}
  `
  yield* sql`CREATE INDEX delivery_tries_delivery ON delivery_tries (webhook_id, id)`
})
