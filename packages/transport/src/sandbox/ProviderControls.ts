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
    type: described(
      Schema.Literal("Denied"),
      "The provider denies the request; for the registration of a boleto or a Pix the denial is final."
    ),
    code: nonEmptyString(4),
    message: described(
      Schema.optionalKey(nonEmptyString(255)),
      "Meaning of the code; default: the meaning in the ABECS table."
    ),
    merchantAdviceCode: described(
      Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\d\d$/u, { expected: "two digits" }))),
      "Mastercard's advice for a denied charge."
    )
  }),
  bare("Unavailable", "A 5xx; nothing is done."),
  bare("RequestLost", "The request is lost and has no effect."),
  bare("ResponseLost", "The request has its effect, and the response is lost."),
  bare("Duplicated", "The request arrives twice."),
  Schema.Struct({
    type: described(Schema.Literal("Hang"), "The provider sends no response, and the caller times out."),
    isDone: described(Schema.Boolean, "True if the request still has its effect.")
  }),
  Schema.Struct({
    type: described(Schema.Literal("Slow"), "The request has its effect, and the response is late."),
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
    "Requests from this time of the company's clock. A request to the vault has no time and never matches."
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
  call: described(Schema.optionalKey(ProviderCall), "Requests of this kind; by default of every kind."),
  fault: Fault,
  ...subject,
  cardId: described(
    Schema.optionalKey(SvcPayId),
    "Only charges of this card, by the service's identifier; requires clientId."
  ),
  times: described(
    Schema.optionalKey(times),
    "Number of requests to which it applies. Defaults to 1, or to all of them if from or until is present."
  ),
  ...span
}).check(
  Schema.makeFilter(({ clientId, from, until }) => clientId !== undefined || (from ?? until) === undefined, {
    expected: "a clientId together with from and until, which are times of a company's clock"
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
        summary: "List planned failures",
        description:
          "Returns the failures in the order in which they are matched. A failure whose time range is over remains until it is removed, because a restored snapshot can set the clock back.",
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
          "Makes the next requests of a kind fail: a number of them, of a company, card, attempt or transaction, or all within a time range of the company's clock. At most 1000 failures can be planned. They are stored in the database, so they remain after a restart and apply to all servers of the database.",
        examples: { request: { clientId: "sandbox", call: "charge", fault: denial, times: 2 }, response: planned }
      })
    ),
    HttpApiEndpoint.delete("clear", "/faults", {
      query: Schema.Struct({
        clientId: described(Schema.optionalKey(ClientId), "Only failures of this company; by default all.")
      }),
      success: PlannedFaults,
      error: errors
    }).annotateMerge(
      documented({
        operationId: "clearFaults",
        summary: "Remove planned faults",
        description: "Removes failures and returns the remaining ones.",
        examples: {
          response: { faults: [] }
        }
      })
    )
  )
  .annotate(FaultEntity, "Fault")
  .annotateMerge(
    OpenApi.annotations({
      title: "Failures of the providers",
      description: "Failures injected into the next requests."
    })
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
  call: described(ProviderCall, "The kind of request, as in planned failures."),
  attemptId: described(Schema.NullOr(Schema.String), "The idempotency key of the request; null for the vault."),
  companyId: Schema.NullOr(Schema.Int),
  transactionId: Schema.NullOr(Schema.Int),
  transactionMyId,
  value: described(Schema.NullOr(Schema.Int), "Cents."),
  outcome: described(Schema.NullOr(Schema.String), "Captured, Denied, Registered ..; null without a decision."),
  code: described(Schema.NullOr(Schema.String), "The code of a denial."),
  reference: described(Schema.NullOr(Schema.String), "The provider's own reference: tid, barcode or txid."),
  effect: described(Schema.String, "Effect at the provider: none, kept, captured, reversed, registered or canceled."),
  isRepeat: described(Schema.Boolean, "True if the attempt was requested before and got the same response."),
  fault: described(Schema.NullOr(Schema.String), "The type of the applied failure."),
  at: described(Schema.NullOr(Instant), "The company's business time in the request."),
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
  after: described(Schema.optionalKey(Schema.Natural), "Only entries with a higher number: next of the previous page."),
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
        summary: "List requests to providers",
        description:
          "Returns the requests that the providers received, with their effects, in the order of receipt. Money moved only if effect is captured or reversed.",
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
