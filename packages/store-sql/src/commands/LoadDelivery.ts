/**
 * A delivery as a replay of it looks at it. Its root is the company, as its endpoint's is.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import { isReplayable } from "../outbox/Fragments.ts"
import { type Load, loading, orThrow, reading } from "./Load.ts"
import { turnOfCompany } from "./LoadCompany.ts"

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
  statement: loading(({ bind, dialect }) => ({
    columns: [
      `${dialect.jsonRows(
        fields,
        `(SELECT deliveries.*, CASE WHEN ${isReplayable} THEN 1 ELSE 0 END AS is_replayable FROM deliveries
          WHERE company_id = company.id AND webhook_id = ${bind(({ webhookId }) => webhookId)}) AS found`
      )} AS delivery`
    ],
    joins: ""
  })),

  turn: turnOfCompany,

  read: reading((row, company, guard) => {
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
