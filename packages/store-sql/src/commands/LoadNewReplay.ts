/**
 * What a new replay of deliveries rests on: the deliveries that there are, and the replay itself once it was written.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import { replayOf, webhookReplays } from "../tables/WebhookReplays.ts"
import { type Load, loading, orThrow, reading } from "./Load.ts"
import { turnOfCompany } from "./LoadCompany.ts"

const decodeNumber = Schema.decodeUnknownResult(Columns.integer(Schema.Int))

/**
 * @category loads
 * @since 0.1.0
 */
export const newReplay: Load<"newReplay"> = {
  statement: loading(({ bind, dialect }) => ({
    columns: [
      "(SELECT COALESCE(max(webhook_id), 0) FROM deliveries WHERE company_id = company.id) AS latest_delivery",
      `${dialect.jsonRows(
        webhookReplays.fields("same"),
        `(SELECT * FROM webhook_replays
          WHERE company_id = company.id AND id = ${bind(({ replayId }) => replayId)}) AS same`
      )} AS replays`
    ],
    joins: ""
  })),

  turn: turnOfCompany,

  read: reading((row, company) => {
    const [same] = Result.getOrThrow(webhookReplays.decodeJson(row["replays"]))
    const latestDelivery = orThrow(decodeNumber(row["latest_delivery"]), "deliveries")
    return { ...company, replay: same === undefined ? undefined : replayOf(same), latestDelivery }
  })
}
