/**
 * Controls of a company's webhook deliveries: attempts, dead letters and replays.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errors, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Id, PageSize, transactionMyId, Instant, MachineInstant } from "./Control.ts"

/**
 * A delivery without its body.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Delivery = Schema.Struct({
  webhookId: Schema.Int,
  endpointId: Schema.Int,
  event: Schema.String,
  transactionId: Schema.Int,
  transactionMyId,
  state: Schema.Literals(["pending", "delivered", "abandoned"]),
  attempts: described(Schema.Int, "Number of attempts since it was created or replayed."),
  createdAt: Instant,
  at: described(Instant, "Time of the next attempt while it is pending; otherwise the time at which it ended."),
  problem: Schema.optionalKey(Schema.String)
})

/**
 * A delivery attempt; `status` is absent if there was no response.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DeliveryAttempt = Schema.Struct({
  startedAt: Instant,
  duration: described(Schema.Int, "Milliseconds."),
  status: Schema.optionalKey(Schema.Int),
  problem: Schema.optionalKey(Schema.String)
})

/**
 * A replay of many deliveries, with its progress.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Replay = Schema.Struct({
  replayId: Schema.Int,
  of: described(
    Schema.Literals(["abandoned", "delivered"]),
    "State of the deliveries to replay. Deliveries in the other state do not change."
  ),
  state: Schema.Literals(["running", "done"]),
  replayed: described(Schema.Int, "Number of deliveries that are due again so far."),
  createdAt: Instant
})

const range = {
  endpointId: described(Schema.optionalKey(Id), "To this endpoint."),
  event: described(Schema.optionalKey(WebhookEvent), "Of this event."),
  transactionId: described(Schema.optionalKey(Id), "Only of this transaction, by the service's identifier."),
  from: described(
    Schema.optionalKey(MachineInstant),
    "Only deliveries created at this instant or later, such as 2026-11-22T10:00:00Z."
  ),
  to: described(Schema.optionalKey(MachineInstant), "Only deliveries created before this instant.")
}

/**
 * Filters of the list of deliveries.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DeliveryQuery = Schema.Struct({
  ...range,
  state: described(Schema.optionalKey(Delivery.fields.state), "In this state."),
  before: described(Schema.optionalKey(Id), "Only lower numbers: the last number of the previous page."),
  after: described(
    Schema.optionalKey(Schema.Natural),
    "Only higher numbers, oldest first: the last number of the previous page, or 0 for the first page. If several servers share a database, a lower number can appear later."
  ),
  limit: described(Schema.optionalKey(PageSize), "100 when absent.")
}).check(
  Schema.makeFilter(({ after, before }) => after === undefined || before === undefined, {
    expected: "before or after, not both"
  })
)

/**
 * The filter of a replay: dead letters by default, or `delivered`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReplayFilter = Schema.Struct({
  ...range,
  state: Schema.optionalKey(Schema.Literals(["abandoned", "delivered"]))
})

const OneReplay = Schema.Struct({ replay: Replay })

const params = { ...ofCompany, webhookId: Id }

const delivery = {
  webhookId: 7,
  endpointId: 1,
  event: "transaction.updateStatus",
  transactionId: 4,
  transactionMyId: "payment-1",
  state: "abandoned",
  attempts: 6,
  createdAt: "2026-11-20T10:00:00.000Z",
  at: "2026-11-22T10:00:00.000Z",
  problem: "The receiver responded with 500"
}
const replay = { replayId: 3, of: "abandoned", state: "running", replayed: 0, createdAt: "2026-11-22T10:00:00.000Z" }

/**
 * @category groups
 * @since 0.1.0
 */
export class DeliveriesGroup extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", `${company}/deliveries`, {
      params: ofCompany,
      query: DeliveryQuery,
      success: Schema.Struct({ deliveries: Schema.Array(Delivery) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listDeliveries",
        summary: "List deliveries",
        description:
          "Returns deliveries, newest first, at most 100 per page. With after they are in ascending order: to follow them, repeat the request with the last number.",
        examples: {
          response: { deliveries: [delivery] }
        }
      })
    ),
    HttpApiEndpoint.get("attempts", `${company}/deliveries/:webhookId/attempts`, {
      params,
      success: Schema.Struct({ attempts: Schema.Array(DeliveryAttempt) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listDeliveryAttempts",
        summary: "List the attempts of a delivery",
        description: "Returns the last 100 attempts, oldest first.",
        examples: {
          response: {
            attempts: [
              {
                startedAt: "2026-11-22T10:00:00.000Z",
                duration: 12,
                status: 500,
                problem: "The receiver responded with 500"
              }
            ]
          }
        }
      })
    ),
    HttpApiEndpoint.post("replay", `${company}/deliveries/:webhookId/replay`, {
      params,
      success: Schema.Struct({ replayed: Schema.Literal(true) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "replayDelivery",
        summary: "Replay one delivery",
        description:
          "Sends the delivery again with its webhookId, by which a receiver recognizes it. The delivery must have ended (delivered or abandoned), and its endpoint must be on and subscribed to its event; otherwise the response is a 400.",
        examples: { response: { replayed: true } }
      })
    ),
    HttpApiEndpoint.post("replayAll", `${company}/replays`, {
      params: ofCompany,
      payload: ReplayFilter,
      success: OneReplay,
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "replayDeliveries",
        summary: "Replay many deliveries",
        description:
          "Sends the deliveries that match the filter again: dead letters or, with state delivered, delivered ones, but never both. The replay runs in steps and continues after a crash.",
        examples: { request: { from: "2026-11-22T10:00:00Z" }, response: { replay } }
      })
    ),
    HttpApiEndpoint.get("findReplay", `${company}/replays/:replayId`, {
      params: { ...ofCompany, replayId: Id },
      success: OneReplay,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "findReplay",
        summary: "Show a replay",
        description: "How far it has come.",
        examples: {
          response: { replay: { ...replay, state: "done", replayed: 12 } }
        }
      })
    )
  )
  .annotate(FaultEntity, "Delivery")
  .annotateMerge(
    OpenApi.annotations({ title: "Webhook deliveries", description: "Deliveries, their attempts, and replays." })
  ) {}
