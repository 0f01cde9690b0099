/**
 * Controls of jobs that were quarantined after a defect.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { errors, errorsWithBody } from "../contract/EntityPath.ts"
import { Instant } from "./Control.ts"

/**
 * A job that workers skip until an operator releases it. Kind and subject identify the job.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ParkedWork = Schema.Struct({
  kind: described(Schema.String, "Such as send payment or resolve attempt."),
  companyId: described(Schema.optionalKey(Schema.Int), "Absent for work of the service itself."),
  subject: described(Schema.String, "Subject, such as the number of a transaction."),
  parkedAt: Instant,
  tries: Schema.Int,
  problem: Schema.String
})

const parked = {
  kind: "send payment",
  companyId: 1,
  subject: "4",
  parkedAt: "2026-11-22T10:00:00.000Z",
  tries: 1,
  problem: "TypeError: cannot read the state"
}

/**
 * @category groups
 * @since 0.1.0
 */
export class ParkedWorkGroup extends HttpApiGroup.make("parkedWork")
  .add(
    HttpApiEndpoint.get("list", "/parked-work", {
      success: Schema.Struct({ parkedWork: Schema.Array(ParkedWork) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listParkedWork",
        summary: "List parked work",
        description: "Of all companies, first parked first, at most 100.",
        examples: {
          response: { parkedWork: [parked] }
        }
      })
    ),
    HttpApiEndpoint.post("release", "/parked-work/release", {
      payload: Schema.Struct({ kind: nonEmptyString(255), subject: nonEmptyString(255) }),
      success: Schema.Struct({ released: Schema.Literal(true) }),
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "releaseParkedWork",
        summary: "Release parked work",
        description:
          "It is due at once. A 404 means that it is not parked, as in the example on a sandbox where nothing went wrong.",
        examples: {
          request: { kind: "send payment", subject: "4" },
          response: { released: true }
        }
      })
    )
  )
  .annotate(FaultEntity, "ParkedWork")
  .annotateMerge(
    OpenApi.annotations({ title: "Parked work", description: "Due work that waits for an operator after a defect." })
  ) {}
