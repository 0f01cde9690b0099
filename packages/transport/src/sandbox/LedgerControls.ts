/**
 * Controls of the providers' ledger of received requests.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { errors } from "../contract/CompanyPath.ts"
import { Id, PageSize, transactionMyId } from "./Control.ts"
import { Instant } from "./Instant.ts"
import { ProviderCall, subject } from "./ProviderCall.ts"

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
