/**
 * Controls of the simulated payment providers: what was requested of them, and what goes wrong next.
 *
 * @since 0.1.0
 */
import { AttemptId } from "@parcela/core/AttemptId"
import { described } from "@parcela/core/Described"
import { SvcPayId } from "@parcela/core/Identifier"
import { nonEmptyString } from "@parcela/core/Text"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ClientId, documented, errors, errorsWithBody, Id, PageSize } from "./Control.ts"
import { Instant } from "./Instant.ts"

/**
 * A request to a provider. Card vault: keep. Card operator: charge, capture, reverse. Boleto bank: register. Pix
 * provider: open. All of them: lookup, cancel.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ProviderCall = Schema.Literals([
  "keep",
  "charge",
  "capture",
  "reverse",
  "lookup",
  "register",
  "open",
  "cancel"
])

/**
 * One request that a provider received. No part of a card is in it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LedgerEntry = Schema.Struct({
  id: described(Schema.Int, "Grows with each request."),
  provider: described(Schema.String, "card operator, boleto bank or Pix provider."),
  kind: ProviderCall,
  attemptId: described(Schema.NullOr(Schema.String), "The idempotency key of the request; null for the vault."),
  companyId: Schema.NullOr(Schema.Int),
  transactionId: Schema.NullOr(Schema.Int),
  value: described(Schema.NullOr(Schema.Int), "Cents."),
  outcome: described(Schema.NullOr(Schema.String), "Captured, Denied, Registered ..; null where nothing was decided."),
  code: described(Schema.NullOr(Schema.String), "The code of a denial."),
  reference: described(Schema.NullOr(Schema.String), "The provider's own reference: tid, barcode or txid."),
  effect: described(
    Schema.String,
    "What it changed at the provider: none, kept, captured, reversed, registered or canceled."
  ),
  isRepeat: described(Schema.Boolean, "The attempt was requested before, and this response is the same one."),
  fault: described(Schema.NullOr(Schema.String), "The fault that was applied, by its type."),
  at: described(Schema.NullOr(Instant), "The company's business time that the request named."),
  receivedAt: Instant
})

const subject = {
  clientId: described(Schema.optionalKey(ClientId), "Of this company; of every company when absent."),
  attemptId: Schema.optionalKey(AttemptId),
  transactionId: Schema.optionalKey(SvcPayId)
}

/**
 * The longest delay of a response, in milliseconds: one hour, far beyond every timeout.
 *
 * @category constants
 * @since 0.1.0
 */
export const longestDelay = 3_600_000

/**
 * What goes wrong with a request to a provider.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Fault = Schema.Union([
  Schema.Struct({
    type: described(Schema.Literal("Denied"), "The provider denies it, for good where it registers a boleto or a Pix."),
    code: nonEmptyString(4),
    message: nonEmptyString(255)
  }),
  Schema.Struct({
    type: described(
      Schema.Literals(["Unavailable", "NeverArrived", "AnswerLost", "AnsweredTwice"]),
      "Unavailable: a 5xx, nothing is done. NeverArrived: the request is lost, nothing is done. AnswerLost: it is done, " +
        "and the response is lost. AnsweredTwice: it arrives twice."
    )
  }),
  Schema.Struct({
    type: described(Schema.Literal("Hang"), "No response ever; the caller times out."),
    isDone: described(Schema.Boolean, "Whether the request is done all the same.")
  }),
  Schema.Struct({
    type: described(Schema.Literal("Slow"), "It is done, and the response is late."),
    milliseconds: Schema.Int.check(
      Schema.isBetween(
        { minimum: 1, maximum: longestDelay },
        { expected: `a whole number of milliseconds from 1 to ${longestDelay}` }
      )
    )
  })
]).annotate({ identifier: "Fault" })

const times = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 1_000 }, { expected: "a whole number from 1 to 1000" })
)

/**
 * A fault for the next requests.
 *
 * @category schemas
 * @since 0.1.0
 */
export const NewFault = Schema.Struct({
  call: ProviderCall,
  fault: Fault,
  ...subject,
  cardId: described(
    Schema.optionalKey(SvcPayId),
    "Charges of this card alone, by its svcPayId on the interface; it needs clientId."
  ),
  times: described(Schema.optionalKey(times), "How many requests it applies to: 1 when absent.")
})

/**
 * A fault that is still to come.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlannedFault = Schema.Struct({
  call: ProviderCall,
  fault: Fault,
  companyId: Schema.optionalKey(Schema.Int),
  attemptId: Schema.optionalKey(Schema.String),
  transactionId: Schema.optionalKey(Schema.Int),
  isOfOneCard: described(Schema.Boolean, "Whether it applies to charges of one card alone."),
  times: described(Schema.Int, "How many requests more it applies to.")
})

const PlannedFaults = Schema.Struct({ faults: Schema.Array(PlannedFault) })

const denial = { type: "Denied", code: "51", message: "Not enough balance or limit" }
const planned = { call: "charge", fault: denial, companyId: 1, isOfOneCard: false, times: 2 }

/**
 * @category groups
 * @since 0.1.0
 */
export class LedgerGroup extends HttpApiGroup.make("ledger")
  .add(
    HttpApiEndpoint.get("list", "/ledger", {
      query: Schema.Struct({
        ...subject,
        after: described(
          Schema.optionalKey(Schema.Natural),
          "Only entries above this number: next of the page before."
        ),
        limit: described(Schema.optionalKey(PageSize), "100 when absent.")
      }),
      success: Schema.Struct({
        entries: Schema.Array(LedgerEntry),
        next: described(Schema.NullOr(Id), "What after takes for the next page; null on the last one.")
      }),
      error: errors
    }).annotateMerge(
      documented(
        "listLedger",
        "List requests that providers received",
        "What the providers say was requested of them and what they did, in the order of receipt. Money moved only where effect is captured or reversed.",
        {
          response: {
            entries: [
              {
                id: 2,
                provider: "card operator",
                kind: "charge",
                attemptId: "01980f2e-5b9e-7c3a-9d1c-4f2a6b8e0d17",
                companyId: 1,
                transactionId: 4,
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
      )
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Ledger of the providers", description: "Requests that the providers received." })
  ) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class FaultsGroup extends HttpApiGroup.make("faults")
  .add(
    HttpApiEndpoint.get("list", "/faults", { success: PlannedFaults, error: errors }).annotateMerge(
      documented("listFaults", "List faults that are to come", "In the order in which they are looked through.", {
        response: { faults: [planned] }
      })
    ),
    HttpApiEndpoint.post("plan", "/faults", {
      payload: NewFault,
      success: PlannedFault,
      error: errorsWithBody
    }).annotateMerge(
      documented(
        "planFault",
        "Plan a fault",
        "The next requests of that kind go wrong: times of them, of that company, card, attempt or transaction. At most 1000 are planned at once; they are kept in memory and end with the process.",
        { request: { clientId: "sandbox", call: "charge", fault: denial, times: 2 }, response: planned }
      )
    ),
    HttpApiEndpoint.delete("clear", "/faults", {
      query: Schema.Struct({
        clientId: described(Schema.optionalKey(ClientId), "Those of this company; all when absent.")
      }),
      success: PlannedFaults,
      error: errors
    }).annotateMerge(
      documented("clearFaults", "Remove planned faults", "Removes them and returns those that are left.", {
        response: { faults: [] }
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Faults of the providers", description: "What goes wrong with the next requests." })
  ) {}
