/**
 * Controls of the simulated card operator: the list of test cards, and the disputes that it reports.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { errors, company, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { MyId } from "@parcela/core/values/Identifier"
import { wire } from "../ApiError.ts"

/** A card number that determines the outcome of its charges. */
const ListedTestCard = Schema.Struct({
  number: Schema.String,
  name: described(Schema.String, "Unique among them."),
  brand: Schema.String,
  group: described(Schema.String, "Such as often used, authorization, faults or denial codes."),
  result: described(Schema.String, "Outcome of a charge, in words."),
  code: described(Schema.optionalKey(Schema.String), "Of the denial, where the card is denied.")
})

/**
 * @category groups
 * @since 0.1.0
 */
export class TestCardsGroup extends HttpApiGroup.make("testCards")
  .add(
    HttpApiEndpoint.get("list", "/test-cards", {
      query: Schema.Struct({
        brand: described(Schema.optionalKey(Schema.String), "Only cards of this brand."),
        code: described(Schema.optionalKey(Schema.String), "Only cards that are denied with this code."),
        group: described(Schema.optionalKey(Schema.String), "Only cards of this group, in capitals or not.")
      }),
      success: Schema.Struct({ testCards: Schema.Array(ListedTestCard) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listTestCards",
        summary: "List test cards",
        description:
          "Card numbers that decide what becomes of their charges, with any holder, any CVV and any expiry that is not past. Every other number whose valid check digit is captured, where its brand is one that the service takes.",
        examples: {
          response: {
            testCards: [
              {
                number: "4000000000000002",
                name: "no funds",
                brand: "visa",
                group: "often used",
                result: "denied, 51 (Not enough balance or limit)",
                code: "51"
              }
            ]
          }
        }
      })
    )
  )
  .annotate(FaultEntity, "TestCard")
  .annotateMerge(
    OpenApi.annotations({ title: "Test cards", description: "Numbers that decide what becomes of their charges." })
  ) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class ChargebacksGroup extends HttpApiGroup.make("chargebacks")
  .add(
    HttpApiEndpoint.post("open", `${company}/chargebacks`, {
      params: ofCompany,
      payload: Schema.Struct({
        myId: described(MyId, "Identifier of the transaction in the client system, or of its charge.")
      }),
      success: Schema.Struct({ status: described(TransactionStatus, "Status of the transaction.") }),
      error: [...errorsWithBody, wire.GatewayTimeout]
    }).annotateMerge(
      documented({
        operationId: "openChargeback",
        summary: "Dispute a card payment",
        description:
          "Its holder disputes it now, by the company's clock, and the card operator reports that: the payment becomes " +
          "chargeback, and chargeback.update is delivered. To have it disputed days later, advance the clock first. The same again " +
          "is the same dispute. A 400 means that it is not captured; a 404, that there is no such company or transaction; a 504, that the dispute was made and the status could not be read.",
        examples: { request: { myId: "example-disputed" }, response: { status: "chargeback" } }
      })
    )
  )
  .annotate(FaultEntity, "Chargeback")
  .annotateMerge(OpenApi.annotations({ title: "Chargebacks", description: "Dispute card payments." })) {}
