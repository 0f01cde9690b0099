/**
 * Activity of a sandbox to list and to follow: requests, and the events of a company.
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
import { ClientId, company, errors, ofCompany } from "../contract/EntityPath.ts"
import { PageSize, Instant } from "./Control.ts"

/** A request with a response. It contains no headers, query, body or field values. */
const RecentRequest = Schema.Struct({
  id: described(Schema.Int, "Increases with each response; starts again at 1 when the sandbox starts."),
  at: described(Instant, "Time at which the response ended."),
  method: Schema.String,
  path: described(Schema.String, "Without its query, at most 120 characters."),
  status: described(Schema.optionalKey(Schema.Int), "Absent if the client disconnected before the response."),
  milliseconds: Schema.Finite,
  requestId: described(Schema.String, "X-Request-Id of the response."),
  companyId: described(Schema.optionalKey(Schema.Int), "Company of the request, if its client was authenticated."),
  unknownKeys: described(Schema.Array(Schema.String), "Unknown keys of the request, the first ten."),
  faultyFields: described(Schema.Array(Schema.String), "Fields with a problem, as in error.details, the first ten.")
})

/** The effect of one command on one entity of a company, from the journal, without the entity's state. */
const CompanyEvent = Schema.Struct({
  subject: Schema.Struct({ kind: described(Schema.String, "Such as transaction or attempt."), id: Schema.String }),
  at: described(Instant, "By the sandbox's clock."),
  businessAt: described(Instant, "By the company's clock."),
  myId: described(
    Schema.optionalKey(Schema.String),
    "The myId of the transaction if it has one, or of the transaction in the same journal entry."
  ),
  status: described(Schema.optionalKey(Schema.String), "The new status, if the status changed."),
  value: described(Schema.optionalKey(Schema.Int), "Cents; for a transaction, its current value."),
  events: described(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)), "Each with its name as _tag."),
  actor: described(Schema.optionalKey(Schema.String), "Client, Worker or Service."),
  work: described(Schema.optionalKey(Schema.String), "The worker's kind of work, such as send payment."),
  requestId: described(Schema.optionalKey(Schema.String), "X-Request-Id of the request that made the change."),
  changed: described(Schema.Array(Schema.String), "Names of the fields that changed.")
})

const request = {
  id: 12,
  at: "2026-11-22T10:00:00.000Z",
  method: "POST",
  path: "/v2/transactions/contract-1/myId/add",
  status: 200,
  milliseconds: 6.2,
  requestId: "5f0c1a-1c",
  companyId: 1,
  unknownKeys: ["payDay"],
  faultyFields: []
}

/**
 * @category groups
 * @since 0.1.0
 */
export class RequestsGroup extends HttpApiGroup.make("requests")
  .add(
    HttpApiEndpoint.get("list", "/requests", {
      query: Schema.Struct({
        clientId: described(Schema.optionalKey(ClientId), "Only requests of this company; by default of all."),
        status: described(
          Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }, { expected: "an HTTP status" }))
          ),
          "With this status."
        ),
        after: described(
          Schema.optionalKey(Schema.Natural),
          "Only requests with a higher number: next of the previous page. By default the latest requests."
        ),
        limit: described(Schema.optionalKey(PageSize), "100 when absent.")
      }),
      success: Schema.Struct({
        requests: Schema.Array(RecentRequest),
        next: described(
          Schema.Int,
          "Value of after for the next request: unchanged if there is nothing new, or the newest number if that is lower."
        )
      }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listRequests",
        summary: "List requests",
        description:
          "The requests that this process responded to, including requests to the controls: the latest, or those with a number above after. A page is in the order of the responses, oldest first. The process stores the last 1000 requests. To follow them, repeat the request with next as after.",
        examples: { response: { requests: [request], next: 12 } }
      })
    )
  )
  .annotate(FaultEntity, "Request")
  .annotateMerge(OpenApi.annotations({ title: "Requests", description: "Requests received and their responses." })) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class EventsGroup extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("list", `${company}/events`, {
      params: ofCompany,
      query: Schema.Struct({
        after: described(
          Schema.optionalKey(nonEmptyString(50)),
          "Only events after this position: next of the previous page, or eventsAfter of an advance. end is the position after the newest event."
        ),
        limit: described(Schema.optionalKey(PageSize), "100 when absent.")
      }),
      success: Schema.Struct({
        events: Schema.Array(CompanyEvent),
        next: described(
          Schema.optionalKey(Schema.String),
          "Value of after for the next request; absent if the company has no event."
        )
      }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listEvents",
        summary: "List events",
        description:
          "The journal of a company, oldest first. Each entry is listed once, even if several servers write. To follow the journal, repeat the request with next as after.",
        examples: {
          response: {
            events: [
              {
                subject: { kind: "transaction", id: "4" },
                myId: "payment-1",
                status: "captured",
                value: 12990,
                at: "2026-11-22T10:00:00.000Z",
                businessAt: "2027-01-21T03:00:00.000Z",
                events: [{ _tag: "TransactionStatusChanged", transactionId: 4, from: "notSend", to: "captured" }],
                actor: "Worker",
                work: "send payment",
                changed: ["status", "statusDate"]
              }
            ],
            next: "0-119"
          }
        }
      })
    )
  )
  .annotate(FaultEntity, "Event")
  .annotateMerge(
    OpenApi.annotations({
      title: "Journal of a company",
      description: "Changes of a company's entities, and their cause."
    })
  ) {}
