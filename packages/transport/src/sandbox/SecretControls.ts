/**
 * Controls of the signing secrets of a webhook endpoint.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errors, errorsWithBody, ofCompany } from "../contract/CompanyPath.ts"
import { Id } from "./Control.ts"
import { Instant } from "./Instant.ts"

/**
 * A signing secret with its version.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Secret = Schema.Struct({
  version: Schema.Int,
  createdAt: Instant,
  notAfter: described(Schema.optionalKey(Instant), "From then on nothing is signed with it."),
  secret: described(
    Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
    "whsec_..; absent when it is not valid any more."
  )
})

/**
 * The maximum overlap of a rotation, in seconds: 30 days.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxOverlapSeconds = 2_592_000

const overlap = Schema.Int.check(
  Schema.isBetween(
    { minimum: 0, maximum: maxOverlapSeconds },
    { expected: `seconds from 0 to ${maxOverlapSeconds} (30 days)` }
  )
)

const params = { ...ofCompany, endpointId: Id }
const secretsOf = `${company}/endpoints/:endpointId/secrets` as const
const Secrets = Schema.Struct({ secrets: Schema.Array(Secret) })

const secret = { version: 1, createdAt: "2026-11-22T10:00:00.000Z", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }

/**
 * @category groups
 * @since 0.1.0
 */
export class SecretsGroup extends HttpApiGroup.make("secrets")
  .add(
    HttpApiEndpoint.get("list", `${secretsOf}`, { params, success: Secrets, error: errors }).annotateMerge(
      documented({
        operationId: "listSecrets",
        summary: "List signing secrets",
        description: "Newest first.",
        examples: { response: { secrets: [secret] } }
      })
    ),
    HttpApiEndpoint.post("rotate", `${secretsOf}/rotate`, {
      params,
      payload: Schema.Struct({
        overlapSeconds: described(
          Schema.optionalKey(overlap),
          "Seconds for which the earlier secrets remain valid. Defaults to 24 hours; 0 ends them at once."
        )
      }),
      success: Secrets,
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "rotateSecret",
        summary: "Rotate the signing secret",
        description:
          "Makes a new one. Deliveries are signed with it and, until the overlap ends, with the earlier ones.",
        examples: { request: { overlapSeconds: 7200 }, response: { secrets: [secret] } }
      })
    ),
    HttpApiEndpoint.post("endOverlap", `${secretsOf}/end-overlap`, {
      params,
      success: Secrets,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "endOverlap",
        summary: "End the overlap",
        description: "From now on only the newest secret is valid.",
        examples: {
          response: { secrets: [secret] }
        }
      })
    )
  )
  .annotate(FaultEntity, "Secret")
  .annotateMerge(
    OpenApi.annotations({
      title: "Signing secrets",
      description: "Secrets with which deliveries to an endpoint are signed."
    })
  ) {}
