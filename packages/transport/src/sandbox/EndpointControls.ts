/**
 * Controls of a company's webhook endpoints.
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
import { company, errors, errorsWithBody, ofCompany } from "../contract/CompanyPath.ts"
import { Id } from "./Control.ts"
import { Instant } from "./Instant.ts"
import { Secret } from "./SecretControls.ts"

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
    "failing: it could not be reached lately and is left alone in between."
  ),
  offReason: Schema.optionalKey(Schema.String),
  offAt: Schema.optionalKey(Instant),
  failingSince: Schema.optionalKey(Instant),
  nextTryAt: described(Schema.optionalKey(Instant), "Until then it is left alone.")
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
  dead: described(Schema.Int, "Dead letters: deliveries that were given up."),
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
        description: "By number, with what is pending and what was given up.",
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
          "Sets the endpoint that PUT /webhooks edits, in place of an additional one."
        )
      }),
      success: Schema.Struct({ endpoint: Endpoint, secrets: Schema.Array(Secret) }),
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "createEndpoint",
        summary: "Create a webhook endpoint",
        description: "An additional endpoint with a secret of its own. It gets the events that happen from now on.",
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
        description: "The default one can only be switched off.",
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
        description: "Its events are kept until it is on again.",
        examples: {
          response: { endpoint: off }
        }
      })
    )
  )
  .annotate(FaultEntity, "Endpoint")
  .annotateMerge(OpenApi.annotations({ title: "Webhook endpoints", description: "URL that receives deliveries." })) {}
