/**
 * Controls of the simulated providers: injected failures of their next requests, and the ledger of received requests.
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
import { ClientId, errors, errorsWithBody } from "../contract/EntityPath.ts"
import { Instant, ProviderCall, subject, Id, PageSize, transactionMyId } from "./Control.ts"

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

/**
 * A request that a provider received, without card data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerEntry = Schema.Struct({
  id: described(Schema.Int, "Grows with each request."),
  provider: described(Schema.String, "card operator, boleto bank or Pix provider."),
  call: described(ProviderCall, "As a planned fault names it."),
  attemptId: described(Schema.NullOr(Schema.String), "The idempotency key of the request; null for the vault."),
  companyId: Schema.NullOr(Schema.Int),
  transactionId: Schema.NullOr(Schema.Int),
  transactionMyId,
  value: described(Schema.NullOr(Schema.Int), "Cents."),
  outcome: described(Schema.NullOr(Schema.String), "Captured, Denied, Registered ..; null where nothing was decided."),
  code: described(Schema.NullOr(Schema.String), "The code of a denial."),
  reference: described(Schema.NullOr(Schema.String), "The provider's own reference: tid, barcode or txid."),
  effect: described(Schema.String, "Effect at the provider: none, kept, captured, reversed, registered or canceled."),
  isRepeat: described(Schema.Boolean, "The attempt was requested before, and this response is the same one."),
  fault: described(Schema.NullOr(Schema.String), "The fault that was applied, by its type."),
  at: described(Schema.NullOr(Instant), "The company's business time that the request named."),
  receivedAt: Instant
})

/**
 * Filters of the list of entries.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerQuery = Schema.Struct({
  ...subject,
  after: described(Schema.optionalKey(Schema.Natural), "Only entries above this number: next of the page before."),
  limit: described(Schema.optionalKey(PageSize), "100 when absent.")
})

/**
 * @category groups
 * @since 0.1.0
 */
export class LedgerGroup extends HttpApiGroup.make("ledger")
  .add(
    HttpApiEndpoint.get("list", "/ledger", {
      query: LedgerQuery,
      success: Schema.Struct({
        entries: Schema.Array(LedgerEntry),
        next: described(Schema.NullOr(Id), "Value of after for the next page; null on the last page.")
      }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listLedger",
        summary: "List requests that providers received",
        description:
          "Requests that the providers received and their effects, in the order of receipt. Money moved only where effect is captured or reversed.",
        examples: {
          response: {
            entries: [
              {
                id: 2,
                provider: "card operator",
                call: "charge",
                attemptId: "01980f2e-5b9e-7c3a-9d1c-4f2a6b8e0d17",
                companyId: 1,
                transactionId: 4,
                transactionMyId: "payment-1",
                value: 12990,
                outcome: "Denied",
                code: "51",
                reference: "10069930690009F2D29B",
                effect: "none",
                isRepeat: false,
                fault: null,
                at: "2026-11-22T10:00:00.000Z",
                receivedAt: "2026-11-22T10:00:00.000Z"
              }
            ],
            next: null
          }
        }
      })
    )
  )
  .annotate(FaultEntity, "Ledger")
  .annotateMerge(
    OpenApi.annotations({ title: "Ledger of the providers", description: "Requests that the providers received." })
  ) {}
