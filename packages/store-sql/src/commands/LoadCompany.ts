/**
 * The company alone, with its endpoints, and its default one as it stands.
 *
 * @since 0.1.0
 */
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import { toStoreError } from "../internal/StoreErrors.ts"
import { companyColumns, companyJoins, companyOf, type Load, ofCompany } from "./Load.ts"
import * as Statement from "./Statement.ts"

const decodeDefault = Schema.decodeUnknownResult(
  Schema.Struct({
    default_url: Schema.String,
    default_events: Schema.fromJsonString(Schema.Array(WebhookEvent)),
    default_state: Schema.String,
    default_failures: Columns.integer(Schema.Int)
  })
)

const defaultOf = (row: Statement.Row) =>
  row["default_url"] === null
    ? Result.succeed(undefined)
    : Result.map(
        Result.mapError(decodeDefault(row), toStoreError("webhook_endpoints")),
        ({ default_events, default_failures, default_state, default_url }) => ({
          url: default_url,
          events: default_events,
          isOn: default_state === "on",
          failures: default_failures
        })
      )

/**
 * @category loads
 * @since 0.1.0
 */
export const company: Load<"company"> = {
  statement: (dialect, { companyId }, key) =>
    Statement.make(
      dialect,
      (bind) => `SELECT ${companyColumns(dialect)}, own.url AS default_url, own.events AS default_events,
          own.state AS default_state, own.failures AS default_failures
        FROM ${companyJoins(key, bind)}
          LEFT JOIN webhook_endpoints AS own
            ON own.company_id = company.id AND own.is_default = 1 AND own.deleted_at IS NULL
        ${ofCompany(companyId, bind)}`
    ),

  lock: (dialect, { companyId }) =>
    Statement.make(dialect, (bind) => `SELECT id FROM companies WHERE id = ${bind(companyId)} ${dialect.locking}`),

  read: (row, { companyId }) =>
    Result.gen(function* () {
      const { key, ...company } = yield* companyOf(row, companyId)
      return { key, found: { ...company, defaultEndpoint: yield* defaultOf(row) } }
    })
}
