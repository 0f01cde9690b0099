/**
 * Controls of injected failures of the next requests to the simulated providers.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { ClientId, errors, errorsWithBody } from "../contract/CompanyPath.ts"
import { Instant } from "./Instant.ts"
import { ProviderCall, subject } from "./ProviderCall.ts"

/**
 * The maximum delay of a response, in milliseconds: one hour, far above every timeout.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxDelay = 3_600_000

// One struct per type, so that the error for an unknown type lists all types.
const bare = <const Type extends string>(type: Type, description: string) =>
  Schema.Struct({ type: described(Schema.Literal(type), description) })

/**
 * The failure of a request to a provider.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Fault = Schema.Union([
  Schema.Struct({
    type: described(Schema.Literal("Denied"), "The provider denies it, for good where it registers a boleto or a Pix."),
    code: nonEmptyString(4),
    message: described(Schema.optionalKey(nonEmptyString(255)), "Meaning of the code. Defaults to that of ABECS."),
    merchantAdviceCode: described(
      Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d\d$/u, { expected: "two digits" }))),
      "Mastercard's advice beside a denied charge."
    )
  }),
  bare("Unavailable", "A 5xx; nothing is done."),
  bare("RequestLost", "The request is lost; nothing is done."),
  bare("ResponseLost", "It is done, and the response is lost."),
  bare("Duplicated", "The request arrives twice."),
  Schema.Struct({
    type: described(Schema.Literal("Hang"), "No response ever; the caller times out."),
    isDone: described(Schema.Boolean, "True if the request is carried out all the same.")
  }),
  Schema.Struct({
    type: described(Schema.Literal("Slow"), "It is done, and the response is late."),
    milliseconds: Schema.Int.check(
      Schema.isBetween(
        { minimum: 1, maximum: maxDelay },
        { expected: `a whole number of milliseconds from 1 to ${maxDelay}` }
      )
    )
  })
]).annotate({ identifier: "Fault" })

const times = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 1_000 }, { expected: "a whole number from 1 to 1000" })
)

const span = {
  from: described(
    Schema.optionalKey(Instant),
    "Requests from this time of the company's clock on. A request to the vault names no time, and is within no span."
  ),
  until: described(Schema.optionalKey(Instant), "Requests before this time of the company's clock.")
}

/**
 * Checks that a period ends after it starts.
 *
 * @category checks
 * @since 0.1.0
 */
export const endsAfterItBegins = Schema.makeFilter(
  ({ from, until }: { readonly from?: number; readonly until?: number }) =>
    from === undefined || until === undefined || from < until
      ? undefined
      : { path: ["until"], issue: "must be after from" }
)

/**
 * A failure of the next requests.
 *
 * @category schemas
 * @since 0.1.0
 */
export const NewFault = Schema.Struct({
  call: described(Schema.optionalKey(ProviderCall), "Requests of this kind; of every kind when absent."),
  fault: Fault,
  ...subject,
  cardId: described(
    Schema.optionalKey(SvcPayId),
    "Only charges of this card, by the service's identifier; a company must be named."
  ),
  times: described(
    Schema.optionalKey(times),
    "Number of requests to which it applies. Defaults to 1, or to all of them if from or until is present."
  ),
  ...span
}).check(
  Schema.makeFilter(({ clientId, from, until }) => clientId !== undefined || (from ?? until) === undefined, {
    expected: "a clientId beside from and until, which are times of a company's clock"
  }),
  endsAfterItBegins
)

/**
 * A planned failure.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlannedFault = Schema.Struct({
  call: Schema.optionalKey(ProviderCall),
  fault: Fault,
  companyId: Schema.optionalKey(Schema.Int),
  attemptId: Schema.optionalKey(Schema.String),
  transactionId: Schema.optionalKey(Schema.Int),
  isOfOneCard: described(Schema.Boolean, "Set if it applies only to charges of one card."),
  times: described(
    Schema.optionalKey(Schema.Int),
    "Number of further requests to which it applies; absent if it applies to all in a time range."
  ),
  ...span
})

const PlannedFaults = Schema.Struct({ faults: Schema.Array(PlannedFault) })

const denial = { type: "Denied", code: "51", message: "Not enough balance or limit" }
const planned = { call: "charge", fault: denial, companyId: 1, isOfOneCard: false, times: 2 }

/**
 * @category groups
 * @since 0.1.0
 */
export class FaultsGroup extends HttpApiGroup.make("faults")
  .add(
    HttpApiEndpoint.get("list", "/faults", { success: PlannedFaults, error: errors }).annotateMerge(
      documented({
        operationId: "listFaults",
        summary: "List faults that are to come",
        description:
          "In the order in which they are looked through. One whose span is over stays until it is removed, as a snapshot that is restored may put the clock back.",
        examples: {
          response: { faults: [planned] }
        }
      })
    ),
    HttpApiEndpoint.post("plan", "/faults", {
      payload: NewFault,
      success: PlannedFault,
      error: errorsWithBody
    }).annotateMerge(
      documented({
        operationId: "planFault",
        summary: "Plan a fault",
        description:
          "The next requests of that kind go wrong: times of them, of that company, card, attempt or transaction, or all within a span of the company's time. At most 1000 are planned at once. They are kept with the providers' rows, so that they outlive a restart, and hold for every server of one database.",
        examples: { request: { clientId: "sandbox", call: "charge", fault: denial, times: 2 }, response: planned }
      })
    ),
    HttpApiEndpoint.delete("clear", "/faults", {
      query: Schema.Struct({
        clientId: described(Schema.optionalKey(ClientId), "Those of this company; all when absent.")
      }),
      success: PlannedFaults,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "clearFaults",
        summary: "Remove planned faults",
        description: "Removes them and returns those that are left.",
        examples: {
          response: { faults: [] }
        }
      })
    )
  )
  .annotate(FaultEntity, "Fault")
  .annotateMerge(
    OpenApi.annotations({ title: "Faults of the providers", description: "Failures injected into the next requests." })
  ) {}
