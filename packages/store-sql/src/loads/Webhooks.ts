/**
 * The loads of webhook endpoints, deliveries and replays. Their root is the company.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import { isReplayable } from "../tables/Deliveries.ts"
import { endpointOf, replayOf, webhookEndpoints, webhookReplays } from "../tables/Webhooks.ts"
import { decodeLoad, type Load, loadStatement, lockCompany, orThrow } from "./Load.ts"

const fields = {
  endpointId: "found.endpoint_id",
  isPending: "CASE WHEN found.state = 'pending' THEN 1 ELSE 0 END",
  isReplayable: "found.is_replayable",
  waitsSince: "found.waits_since"
}

const decodeFound = Schema.decodeUnknownResult(
  Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        endpointId: Columns.integer(Schema.Int),
        isPending: Schema.Literals([0, 1]),
        isReplayable: Schema.Literals([0, 1]),
        waitsSince: Schema.NullOr(Columns.integer(MachineTime))
      })
    )
  )
)

/**
 * @category loads
 * @since 0.1.0
 */
export const delivery: Load<"delivery"> = {
  statement: loadStatement(({ bind, dialect }) => ({
    columns: [
      `${dialect.jsonRows(
        fields,
        `(SELECT deliveries.*, CASE WHEN ${isReplayable} THEN 1 ELSE 0 END AS is_replayable FROM deliveries
          WHERE company_id = company.id AND webhook_id = ${bind(({ webhookId }) => webhookId)}) AS found`
      )} AS delivery`
    ],
    joins: ""
  })),

  lock: lockCompany,

  decode: decodeLoad((row, company, guard) => {
    const [found] = orThrow(decodeFound(row["delivery"]), "deliveries")
    return {
      ...company,
      guard,
      delivery:
        found === undefined
          ? undefined
          : {
              endpointId: found.endpointId,
              mayBeReplayed: found.isPending === 0 && found.isReplayable === 1,
              pendingSince: found.isPending === 1 ? (found.waitsSince ?? undefined) : undefined
            }
    }
  })
}

const decodeNumber = Schema.decodeUnknownResult(Columns.integer(Schema.Int))

/**
 * @category loads
 * @since 0.1.0
 */
export const endpoints: Load<"endpoints"> = {
  statement: loadStatement(({ bind, dialect }) => ({
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

  lock: lockCompany,

  decode: decodeLoad((row, company, guard) => {
    const known = Result.getOrThrow(webhookEndpoints.decodeJson(row["known_endpoints"]))
    const nextId = orThrow(decodeNumber(row["next_id"]), "webhook_endpoints")
    return { ...company, guard, known: known.map(endpointOf), nextId }
  })
}

/**
 * @category loads
 * @since 0.1.0
 */
export const newReplay: Load<"newReplay"> = {
  statement: loadStatement(({ bind, dialect }) => ({
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

  lock: lockCompany,

  decode: decodeLoad((row, company) => {
    const [same] = Result.getOrThrow(webhookReplays.decodeJson(row["replays"]))
    const latestDelivery = orThrow(decodeNumber(row["latest_delivery"]), "deliveries")
    return { ...company, replay: same === undefined ? undefined : replayOf(same), latestDelivery }
  })
}
