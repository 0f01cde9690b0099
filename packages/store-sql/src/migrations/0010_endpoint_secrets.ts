/**
 * A company may have several webhook endpoints, each with numbered secrets; replays of deliveries are rows.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const endpointSecrets = Effect.gen(function* () {
  const { increment, integer, numbered, sql, strict } = yield* words

  // is_default: the one that PUT /webhooks edits, 1 or 0. secrets: what the secrets are derived from, newest first; what
  // was there until now is the first version, whose secret is the company's own.
  yield* sql`ALTER TABLE webhook_endpoints ADD COLUMN is_default ${integer} NOT NULL DEFAULT 1`
  yield* sql`ALTER TABLE webhook_endpoints ADD COLUMN deleted_at ${integer}`
  yield* sql`ALTER TABLE webhook_endpoints ADD COLUMN secrets TEXT NOT NULL DEFAULT '[]'`
  yield* sql`
    UPDATE webhook_endpoints SET secrets = '[{"version":1,"salt":"","createdAt":' || created_at || '}]'
  `
  yield* sql`DROP INDEX "webhook_endpoints.company_id"`
  yield* sql`CREATE UNIQUE INDEX "webhook_endpoints.company_id" ON webhook_endpoints (company_id) WHERE is_default = 1`
  yield* sql`CREATE INDEX webhook_endpoints_company ON webhook_endpoints (company_id, id)`

  yield* sql`CREATE INDEX deliveries_company ON deliveries (company_id, webhook_id)`
  yield* sql`CREATE INDEX deliveries_dead_of_endpoint ON deliveries (endpoint_id, webhook_id) WHERE state = 'given_up'`

  yield* sql`
    CREATE TABLE webhook_replays (
      id ${numbered} PRIMARY KEY ${increment},
      company_id ${integer} NOT NULL REFERENCES companies (id),
      filter TEXT NOT NULL,
      after_id ${integer} NOT NULL,
      up_to ${integer} NOT NULL,
      replayed ${integer} NOT NULL,
      is_done ${integer} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${strict}
  `
})
