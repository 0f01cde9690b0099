/**
 * The contract of the controls of a company's webhook endpoints and deliveries: for whoever operates the service. The
 * sandbox serves it under `/sandbox`, to programs on its own machine.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Described"
import { WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { nonEmptyString } from "@parcela/core/values/Text"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "./ApiError.ts"
import { FaultsAsErrorNode } from "./Security.ts"

const isInstant = (text: string): boolean => Schema.is(EpochMillis)(Date.parse(text))

/** An instant as ISO 8601 writes it, with its zone: `2026-11-22T10:00:00Z`. */
const Instant = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/u, {
    expected: "a date and time with a zone, such as 2026-11-22T10:00:00Z"
  }),
  Schema.makeFilter(isInstant, { expected: "a date and time that there is" })
).pipe(
  Schema.decodeTo(
    EpochMillis,
    SchemaTransformation.transform({
      decode: (text: string) => Date.parse(text),
      encode: (millis: number) => new Date(millis).toISOString()
    })
  )
)

const Number = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { expected: "a whole number from 1 up" }))
const Events = Schema.Array(WebhookEvent).check(Schema.isMaxLength(100, { expected: "at most 100 events" }))

/**
 * An endpoint as the controls show it.
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
 * An endpoint with how much there is of it; a count of 10000 says that there are as many or more.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ListedEndpoint = Schema.Struct({
  ...Endpoint.fields,
  waiting: described(Schema.Int, "Deliveries that wait or are on their way."),
  dead: described(Schema.Int, "Deliveries that were given up."),
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
    Schema.optionalKey(Schema.RedactedFromValue(Schema.String, { label: "webhook secret" })),
    "whsec_..; absent when it is not valid any more."
  )
})

/**
 * A delivery without its body.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Delivery = Schema.Struct({
  webhookId: Schema.Int,
  endpointId: Schema.optionalKey(Schema.Int),
  event: Schema.String,
  transactionId: Schema.Int,
  state: Schema.Literals(["pending", "delivered", "given_up"]),
  tries: described(Schema.Int, "Tries since it was made, or replayed."),
  createdAt: Instant,
  at: described(Instant, "When it is tried next, while it is pending; else when it ended."),
  problem: Schema.optionalKey(Schema.String)
})

/** One try; `status` is absent when there was no response. */
const Try = Schema.Struct({
  startedAt: Instant,
  duration: described(Schema.Int, "Milliseconds."),
  status: Schema.optionalKey(Schema.Int),
  problem: Schema.optionalKey(Schema.String)
})

/**
 * A replay and how far it has come.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Replay = Schema.Struct({
  replayId: Schema.Int,
  state: Schema.Literals(["running", "done"]),
  replayed: described(Schema.Int, "How many deliveries were made due again so far."),
  createdAt: Instant
})

const range = {
  endpointId: Schema.optionalKey(Number),
  event: Schema.optionalKey(WebhookEvent),
  transactionId: Schema.optionalKey(Number),
  from: described(Schema.optionalKey(Instant), "Made at this instant or after it."),
  to: described(Schema.optionalKey(Instant), "Made before this instant.")
}

/**
 * Which deliveries are listed.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DeliveryQuery = Schema.Struct({
  ...range,
  state: Schema.optionalKey(Delivery.fields.state),
  before: described(Schema.optionalKey(Number), "Only numbers below this one: the last of the page before.")
})

/**
 * Which deliveries are replayed: those that were given up, unless it says `delivered`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReplayFilter = Schema.Struct({
  ...range,
  state: Schema.optionalKey(Schema.Literals(["given_up", "delivered"]))
})

/**
 * The longest overlap of a rotation, in seconds: 30 days.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestOverlapSeconds = 2_592_000

/**
 * Lets programs on the server's own machine in, and nobody else.
 *
 * @category middleware
 * @since 0.1.0
 */
export class LocalCaller extends HttpApiMiddleware.Service<LocalCaller>()("@parcela/transport/LocalCaller", {
  error: wire.Forbidden
}) {}

const error = [wire.BadRequest, wire.NotFound, wire.Internal, wire.Unavailable] as const
const ofCompany = { clientId: nonEmptyString(255) }
const ofEndpoint = { ...ofCompany, endpointId: Number }
const ofDelivery = { ...ofCompany, webhookId: Number }
const company = "/companies/:clientId" as const
const endpoint = `${company}/endpoints/:endpointId` as const
const shown = Schema.Struct({ endpoint: Endpoint })
const secrets = Schema.Struct({ secrets: Schema.Array(Secret) })

/**
 * @category groups
 * @since 0.1.0
 */
export class EndpointsGroup extends HttpApiGroup.make("endpoints").add(
  HttpApiEndpoint.get("list", `${company}/endpoints`, {
    params: ofCompany,
    success: Schema.Struct({ endpoints: Schema.Array(ListedEndpoint) }),
    error
  }),
  HttpApiEndpoint.post("create", `${company}/endpoints`, {
    params: ofCompany,
    payload: Schema.Struct({ url: WebhookUrl, events: Events }),
    success: Schema.Struct({ endpoint: Endpoint, secrets: Schema.Array(Secret) }),
    error
  }),
  HttpApiEndpoint.patch("edit", endpoint, {
    params: ofEndpoint,
    payload: Schema.Struct({ url: Schema.optionalKey(WebhookUrl), events: Schema.optionalKey(Events) }),
    success: shown,
    error
  }),
  HttpApiEndpoint.delete("remove", endpoint, {
    params: ofEndpoint,
    success: Schema.Struct({ deleted: Schema.Literal(true) }),
    error
  }),
  HttpApiEndpoint.post("switchOn", `${endpoint}/switch-on`, { params: ofEndpoint, success: shown, error }),
  HttpApiEndpoint.post("switchOff", `${endpoint}/switch-off`, { params: ofEndpoint, success: shown, error }),
  HttpApiEndpoint.get("secrets", `${endpoint}/secrets`, { params: ofEndpoint, success: secrets, error }),
  HttpApiEndpoint.post("rotate", `${endpoint}/secrets/rotate`, {
    params: ofEndpoint,
    payload: Schema.Struct({
      overlapSeconds: described(
        Schema.optionalKey(
          Schema.Int.check(
            Schema.isBetween(
              { minimum: 0, maximum: longestOverlapSeconds },
              { expected: `seconds from 0 to ${longestOverlapSeconds} (30 days)` }
            )
          )
        ),
        "How long the earlier secrets stay valid: 24 hours when absent, 0 ends them at once."
      )
    }),
    success: secrets,
    error
  }),
  HttpApiEndpoint.post("endOverlap", `${endpoint}/secrets/end-overlap`, { params: ofEndpoint, success: secrets, error })
) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class DeliveriesGroup extends HttpApiGroup.make("deliveries").add(
  HttpApiEndpoint.get("list", `${company}/deliveries`, {
    params: ofCompany,
    query: DeliveryQuery,
    success: Schema.Struct({ deliveries: Schema.Array(Delivery) }),
    error
  }),
  HttpApiEndpoint.get("tries", `${company}/deliveries/:webhookId/tries`, {
    params: ofDelivery,
    success: Schema.Struct({ tries: Schema.Array(Try) }),
    error
  }),
  HttpApiEndpoint.post("replay", `${company}/deliveries/:webhookId/replay`, {
    params: ofDelivery,
    success: Schema.Struct({ replayed: Schema.Literal(true) }),
    error
  }),
  HttpApiEndpoint.post("replayAll", `${company}/replays`, {
    params: ofCompany,
    payload: ReplayFilter,
    success: Schema.Struct({ replay: Replay }),
    error
  }),
  HttpApiEndpoint.get("findReplay", `${company}/replays/:replayId`, {
    params: { ...ofCompany, replayId: Number },
    success: Schema.Struct({ replay: Replay }),
    error
  })
) {}

/**
 * The operations under a base address: what a client is derived from.
 *
 * @category apis
 * @since 0.1.0
 */
export const WebhookOperations = HttpApi.make("webhookControls")
  .add(EndpointsGroup, DeliveriesGroup)
  .middleware(FaultsAsErrorNode)
  .middleware(LocalCaller)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(OpenApi.annotations({ title: "Webhook controls", version: "1" }))

/**
 * The operations under `/sandbox`: what a sandbox serves.
 *
 * @category apis
 * @since 0.1.0
 */
export const WebhookControls = WebhookOperations.prefix("/sandbox")
