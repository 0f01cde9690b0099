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
  tries: described(Schema.Int, "Tries since it was made, or replayed."),
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
export const Try = Schema.Struct({
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
    "The state of the deliveries that are sent again: those of the other one are left alone."
  ),
  state: Schema.Literals(["running", "done"]),
  replayed: described(Schema.Int, "Number of deliveries that were made due again so far."),
  createdAt: Instant
})

const range = {
  endpointId: described(Schema.optionalKey(Id), "To this endpoint."),
  event: described(Schema.optionalKey(WebhookEvent), "Of this event."),
  transactionId: described(Schema.optionalKey(Id), "Of this transaction, by the service's identifier."),
  from: described(
    Schema.optionalKey(MachineInstant),
    "Created at this instant or later, such as 2026-11-22T10:00:00Z."
  ),
  to: described(Schema.optionalKey(MachineInstant), "Created before this instant.")
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
  before: described(Schema.optionalKey(Id), "Only numbers below this one: the last of the page before."),
  after: described(
    Schema.optionalKey(Schema.Natural),
    "Only numbers above this one, oldest first: the last of the page before, or 0 to begin. Of several servers of one database, one may add a lower number later."
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
  tries: 6,
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
          "Newest first, at most 100 of a page. With after they come oldest first: ask again with the last number to follow them.",
        examples: {
          response: { deliveries: [delivery] }
        }
      })
    ),
    HttpApiEndpoint.get("tries", `${company}/deliveries/:webhookId/tries`, {
      params,
      success: Schema.Struct({ tries: Schema.Array(Try) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listTries",
        summary: "List the tries of a delivery",
        description: "The last 100, first one first.",
        examples: {
          response: {
            tries: [
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
          "It is sent again under its webhookId, by which a receiver knows it. It must be over (delivered or abandoned), and its endpoint on and subscribed to its event: a 400 says so while no receiver has accepted it.",
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
          "Those that fit the filter: dead letters, or with state delivered those that arrived, and never both. It goes on step by step, also after a crash.",
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
    OpenApi.annotations({ title: "Webhook deliveries", description: "Deliveries, their tries, and replays." })
  ) {}
