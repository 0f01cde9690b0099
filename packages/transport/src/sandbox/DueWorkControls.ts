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
export const QuarantinedWork = Schema.Struct({
  kind: described(Schema.String, "Such as send payment or resolve attempt."),
  companyId: described(Schema.optionalKey(Schema.Int), "Absent for work of the service itself."),
  subject: described(Schema.String, "Subject, such as the number of a transaction."),
  quarantinedAt: Instant,
  failures: Schema.Int,
  problem: Schema.String
})

const quarantined = {
  kind: "send payment",
  companyId: 1,
  subject: "4",
  quarantinedAt: "2026-11-22T10:00:00.000Z",
  failures: 1,
  problem: "TypeError: cannot read the state"
}

/**
 * @category groups
 * @since 0.1.0
 */
export class QuarantinedWorkGroup extends HttpApiGroup.make("quarantinedWork")
  .add(
    HttpApiEndpoint.get("list", "/quarantined-work", {
      success: Schema.Struct({ quarantinedWork: Schema.Array(QuarantinedWork) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listQuarantinedWork",
        summary: "List quarantined work",
        description: "Returns the jobs of all companies, at most 100, in the order of their quarantine.",
        examples: {
          response: { quarantinedWork: [quarantined] }
        }
      })
    ),
    HttpApiEndpoint.post("release", "/quarantined-work/release", {
      payload: Schema.Struct({ kind: nonEmptyString(255), subject: nonEmptyString(255) }),
      success: Schema.Struct({ released: Schema.Literal(true) }),
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "releaseQuarantinedWork",
        summary: "Release quarantined work",
        description:
          "Makes the job due at once. A 404 means that the job is not quarantined, as in the example on a sandbox without defects.",
        examples: {
          request: { kind: "send payment", subject: "4" },
          response: { released: true }
        }
      })
    )
  )
  .annotate(FaultEntity, "QuarantinedWork")
  .annotateMerge(
    OpenApi.annotations({
      title: "Quarantined work",
      description: "Jobs that wait for an operator after a defect."
    })
  ) {}
