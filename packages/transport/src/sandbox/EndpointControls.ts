/**
 * Controls of a company's webhook endpoints and their signing secrets.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/Described"
import { WebhookUrl } from "@parcela/core/EditWebhooks"
import { WebhookEvent } from "@parcela/core/WebhookEvent"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { company, documented, errors, errorsWithBody, Id, ofCompany } from "./Control.ts"
import { Instant } from "./Instant.ts"

const Events = Schema.Array(WebhookEvent).check(Schema.isMaxLength(100, { expected: "at most 100 events" }))

/**
 * A webhook endpoint.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Endpoint = Schema.Struct({
  endpointId: Schema.Int,
  isDefault: described(Schema.Boolean, "Whether PUT /webhooks edits it."),
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
 * An endpoint with counts; a count of 10000 stands for as many or more.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ListedEndpoint = Schema.Struct({
  ...Endpoint.fields,
  waiting: described(Schema.Int, "Deliveries that are pending."),
  dead: described(Schema.Int, "Dead letters: deliveries that were given up."),
  lastProblem: described(Schema.optionalKey(Schema.String), "Why a delivery failed or was given up.")
})

/**
 * A signing secret by its version.
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
 * The longest overlap of a rotation, in seconds: 30 days.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestOverlapSeconds = 2_592_000

const overlap = Schema.Int.check(
  Schema.isBetween(
    { minimum: 0, maximum: longestOverlapSeconds },
    { expected: `seconds from 0 to ${longestOverlapSeconds} (30 days)` }
  )
)

const params = { ...ofCompany, endpointId: Id }
const endpoint = `${company}/endpoints/:endpointId` as const
const OneEndpoint = Schema.Struct({ endpoint: Endpoint })
const Secrets = Schema.Struct({ secrets: Schema.Array(Secret) })

const shown = {
  endpointId: 2,
  isDefault: false,
  url: "http://127.0.0.1:8031/",
  events: ["transaction.updateStatus"],
  state: "on"
}
const off = { ...shown, state: "off", offReason: "It returned 410 Gone", offAt: "2026-11-22T10:00:00.000Z" }
const secret = { version: 1, createdAt: "2026-11-22T10:00:00.000Z", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }

const settings = HttpApiGroup.make("endpoints").add(
  HttpApiEndpoint.get("list", `${company}/endpoints`, {
    params: ofCompany,
    success: Schema.Struct({ endpoints: Schema.Array(ListedEndpoint) }),
    error: errors
  }).annotateMerge(
    documented("listEndpoints", "List webhook endpoints", "By number, with what is pending and what was given up.", {
      response: { endpoints: [{ ...shown, waiting: 0, dead: 0 }] }
    })
  ),
  HttpApiEndpoint.post("create", `${company}/endpoints`, {
    params: ofCompany,
    payload: Schema.Struct({ url: WebhookUrl, events: Events }),
    success: Schema.Struct({ endpoint: Endpoint, secrets: Schema.Array(Secret) }),
    error: errorsWithBody
  }).annotateMerge(
    documented(
      "createEndpoint",
      "Create a webhook endpoint",
      "One more beside those there are, with a secret of its own. It gets the events that happen from now on.",
      { request: { url: shown.url, events: shown.events }, response: { endpoint: shown, secrets: [secret] } }
    )
  ),
  HttpApiEndpoint.patch("edit", endpoint, {
    params,
    payload: Schema.Struct({ url: Schema.optionalKey(WebhookUrl), events: Schema.optionalKey(Events) }),
    success: OneEndpoint,
    error: errorsWithBody
  }).annotateMerge(
    documented(
      "editEndpoint",
      "Edit a webhook endpoint",
      "What is pending goes to the new address; deliveries of an event that is switched off are given up.",
      { request: { events: shown.events }, response: { endpoint: shown } }
    )
  ),
  HttpApiEndpoint.delete("remove", endpoint, {
    params,
    success: Schema.Struct({ deleted: Schema.Literal(true) }),
    error: errors
  }).annotateMerge(
    documented("deleteEndpoint", "Delete a webhook endpoint", "The default one can only be switched off.", {
      response: { deleted: true }
    })
  ),
  HttpApiEndpoint.post("switchOn", `${endpoint}/switch-on`, {
    params,
    success: OneEndpoint,
    error: errors
  }).annotateMerge(
    documented("switchEndpointOn", "Switch a webhook endpoint on", "What was pending is sent at once.", {
      response: { endpoint: shown }
    })
  ),
  HttpApiEndpoint.post("switchOff", `${endpoint}/switch-off`, {
    params,
    success: OneEndpoint,
    error: errors
  }).annotateMerge(
    documented("switchEndpointOff", "Switch a webhook endpoint off", "Its events are kept until it is on again.", {
      response: { endpoint: off }
    })
  )
)

/**
 * @category groups
 * @since 0.1.0
 */
export class EndpointsGroup extends settings
  .add(
    HttpApiEndpoint.get("secrets", `${endpoint}/secrets`, { params, success: Secrets, error: errors }).annotateMerge(
      documented("listSecrets", "List signing secrets", "Newest first.", { response: { secrets: [secret] } })
    ),
    HttpApiEndpoint.post("rotate", `${endpoint}/secrets/rotate`, {
      params,
      payload: Schema.Struct({
        overlapSeconds: described(
          Schema.optionalKey(overlap),
          "How long the earlier secrets stay valid: 24 hours when absent, 0 ends them at once."
        )
      }),
      success: Secrets,
      error: errorsWithBody
    }).annotateMerge(
      documented(
        "rotateSecret",
        "Rotate the signing secret",
        "Makes a new one. Deliveries are signed with it and, until the overlap ends, with the earlier ones.",
        { request: { overlapSeconds: 7200 }, response: { secrets: [secret] } }
      )
    ),
    HttpApiEndpoint.post("endOverlap", `${endpoint}/secrets/end-overlap`, {
      params,
      success: Secrets,
      error: errors
    }).annotateMerge(
      documented("endOverlap", "End the overlap", "From now on only the newest secret is valid.", {
        response: { secrets: [secret] }
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Webhook endpoints", description: "Where deliveries go, and what signs them." })
  ) {}
