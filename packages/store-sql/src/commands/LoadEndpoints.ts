/**
 * All endpoints of a company, whose root it is.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import { endpointOf, webhookEndpoints } from "../tables/WebhookEndpoints.ts"
import { type Load, loading, orThrow, reading } from "./Load.ts"
import { turnOfCompany } from "./LoadCompany.ts"

const decodeNumber = Schema.decodeUnknownResult(Columns.integer(Schema.Int))

/**
 * @category loads
 * @since 0.1.0
 */
export const endpoints: Load<"endpoints"> = {
  statement: loading(({ bind, dialect }) => ({
    columns: [
      `${dialect.nextNumber("webhook_endpoints")} AS next_id`,
      `${dialect.jsonRows(
        webhookEndpoints.fields("known"),
        `(SELECT * FROM webhook_endpoints
          WHERE company_id = company.id AND (deleted_at IS NULL OR id = ${bind(({ endpointId }) => endpointId ?? null)})
          ORDER BY id) AS known`
      )} AS known_endpoints`
    ],
    joins: ""
  })),

  turn: turnOfCompany,

  read: reading((row, company, guard) => {
    const known = Result.getOrThrow(webhookEndpoints.decodeJson(row["known_endpoints"]))
    const nextId = orThrow(decodeNumber(row["next_id"]), "webhook_endpoints")
    return { ...company, guard, known: known.map(endpointOf), nextId }
  })
}
