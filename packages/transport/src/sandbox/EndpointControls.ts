/**
 * Controls of a company's webhook endpoints and of their signing secrets.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errors, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Id, Instant } from "./Control.ts"

/**
 * A signing secret with its version.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Secret = Schema.Struct({
  version: Schema.Int,
  createdAt: Instant,
  notAfter: described(Schema.optionalKey(Instant), "From this time the secret signs no delivery."),
  secret: described(
    Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
    "whsec_..; absent after the secret has expired."
  )
})

const Events = Schema.Array(WebhookEvent).check(Schema.isMaxLength(100, { expected: "at most 100 events" }))

/**
 * An endpoint to create.
 *
 * @category schemas
 * @since 0.1.0
 */
export const NewEndpoint = Schema.Struct({ url: WebhookUrl, events: Events })

/**
 * A webhook endpoint.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Endpoint = Schema.Struct({
  endpointId: Schema.Int,
  isDefault: described(Schema.Boolean, "True if PUT /webhooks edits it."),
  url: Schema.String,
  events: Schema.Array(Schema.String),
  state: described(
    Schema.Literals(["on", "failing", "off"]),
    "failing: the last attempts did not reach it, and the next attempt is delayed."
  ),
  offReason: Schema.optionalKey(Schema.String),
  offAt: Schema.optionalKey(Instant),
  failingSince: Schema.optionalKey(Instant),
  nextTryAt: described(Schema.optionalKey(Instant), "Time of the next attempt.")
})

/**
 * An endpoint with counts. Counting stops at 10000.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ListedEndpoint = Schema.Struct({
  ...Endpoint.fields,
  waiting: described(Schema.Int, "Deliveries that are pending."),
  dead: described(Schema.Int, "Dead letters: deliveries that were abandoned."),
  lastProblem: described(Schema.optionalKey(Schema.String), "Reason why a delivery failed or was abandoned.")
})

const params = { ...ofCompany, endpointId: Id }
const endpoint = `${company}/endpoints/:endpointId` as const
const OneEndpoint = Schema.Struct({ endpoint: Endpoint })

const shown = {
  endpointId: 2,
  isDefault: false,
  url: "http://127.0.0.1:8031/",
  events: ["transaction.updateStatus"],
  state: "on"
}
const off = { ...shown, state: "off", offReason: "It returned 410 Gone", offAt: "2026-11-22T10:00:00.000Z" }
const secret = { version: 1, createdAt: "2026-11-22T10:00:00.000Z", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }

/**
 * @category groups
 * @since 0.1.0
 */
export class EndpointsGroup extends HttpApiGroup.make("endpoints")
  .add(
    HttpApiEndpoint.get("list", `${company}/endpoints`, {
      params: ofCompany,
      success: Schema.Struct({ endpoints: Schema.Array(ListedEndpoint) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listEndpoints",
        summary: "List webhook endpoints",
        description: "Returns the endpoints by number, with their pending and abandoned deliveries.",
        examples: {
          response: { endpoints: [{ ...shown, waiting: 0, dead: 0 }] }
        }
      })
    ),
    HttpApiEndpoint.post("create", `${company}/endpoints`, {
      params: ofCompany,
      payload: Schema.Struct({
        ...NewEndpoint.fields,
        isDefault: described(
          Schema.optionalKey(Schema.Literal(true)),
          "True sets the endpoint that PUT /webhooks edits; by default an additional endpoint is created."
        )
      }),
      success: Schema.Struct({ endpoint: Endpoint, secrets: Schema.Array(Secret) }),
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "createEndpoint",
        summary: "Create a webhook endpoint",
        description:
          "Creates an additional endpoint with its own secret. It receives the events that happen from now on.",
        examples: {
          request: { url: shown.url, events: shown.events },
          response: { endpoint: shown, secrets: [secret] }
        }
      })
    ),
    HttpApiEndpoint.patch("edit", endpoint, {
      params,
      payload: Schema.Struct({ url: Schema.optionalKey(WebhookUrl), events: Schema.optionalKey(Events) }),
      success: OneEndpoint,
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "editEndpoint",
        summary: "Edit a webhook endpoint",
        description:
          "Pending deliveries go to the new address; deliveries of an event that is switched off are abandoned.",
        examples: { request: { events: shown.events }, response: { endpoint: shown } }
      })
    ),
    HttpApiEndpoint.delete("remove", endpoint, {
      params,
      success: Schema.Struct({ deleted: Schema.Literal(true) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "deleteEndpoint",
        summary: "Delete a webhook endpoint",
        description: "The default endpoint cannot be removed, only switched off.",
        examples: {
          response: { deleted: true }
        }
      })
    ),
    HttpApiEndpoint.post("switchOn", `${endpoint}/switch-on`, {
      params,
      success: OneEndpoint,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "switchEndpointOn",
        summary: "Switch a webhook endpoint on",
        description: "Pending deliveries are sent at once.",
        examples: {
          response: { endpoint: shown }
        }
      })
    ),
    HttpApiEndpoint.post("switchOff", `${endpoint}/switch-off`, {
      params,
      success: OneEndpoint,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "switchEndpointOff",
        summary: "Switch a webhook endpoint off",
        description: "Its events are stored until it is on again.",
        examples: {
          response: { endpoint: off }
        }
      })
    )
  )
  .annotate(FaultEntity, "Endpoint")
  .annotateMerge(OpenApi.annotations({ title: "Webhook endpoints", description: "URL that receives deliveries." })) {}

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

const secretParams = { ...ofCompany, endpointId: Id }
const secretsOf = `${company}/endpoints/:endpointId/secrets` as const
const Secrets = Schema.Struct({ secrets: Schema.Array(Secret) })

const secretExample = {
  version: 1,
  createdAt: "2026-11-22T10:00:00.000Z",
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
}

/**
 * @category groups
 * @since 0.1.0
 */
export class SecretsGroup extends HttpApiGroup.make("secrets")
  .add(
    HttpApiEndpoint.get("list", `${secretsOf}`, {
      params: secretParams,
      success: Secrets,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listSecrets",
        summary: "List signing secrets",
        description: "Newest first.",
        examples: { response: { secrets: [secretExample] } }
      })
    ),
    HttpApiEndpoint.post("rotate", `${secretsOf}/rotate`, {
      params: secretParams,
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
          "Creates a secret. Deliveries are signed with it and, until the overlap ends, also with the earlier secrets.",
        examples: { request: { overlapSeconds: 7200 }, response: { secrets: [secretExample] } }
      })
    ),
    HttpApiEndpoint.post("endOverlap", `${secretsOf}/end-overlap`, {
      params: secretParams,
      success: Secrets,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "endOverlap",
        summary: "End the overlap",
        description: "From now on only the newest secret is valid.",
        examples: {
          response: { secrets: [secretExample] }
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
