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
import { oneTransactionName, transactionNames } from "./Control.ts"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { wire } from "../ApiError.ts"

/** A card number that determines the outcome of its charges. */
const ListedTestCard = Schema.Struct({
  number: Schema.String,
  name: described(Schema.String, "Unique among them."),
  brand: Schema.String,
  group: described(Schema.String, "Such as often used, authorization, faults or denial codes."),
  result: described(Schema.String, "Outcome of a charge, in words."),
  code: described(Schema.optionalKey(Schema.String), "The code of the denial, if the card is denied.")
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
        group: described(
          Schema.optionalKey(Schema.String),
          "Only cards of this group. The case of letters does not matter."
        )
      }),
      success: Schema.Struct({ testCards: Schema.Array(ListedTestCard) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listTestCards",
        summary: "List test cards",
        description:
          "Card numbers that determine the outcome of their charges, with any holder, any CVV and any expiry date that is not past. Every other number with a valid check digit is captured if the service accepts its brand.",
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
    OpenApi.annotations({
      title: "Test cards",
      description: "Card numbers that determine the outcome of their charges."
    })
  ) {}

/** The disputed transaction: exactly one of `myId` and `transactionId`. */
const NamedTransaction = Schema.Struct(transactionNames).check(oneTransactionName)

/**
 * @category groups
 * @since 0.1.0
 */
export class ChargebacksGroup extends HttpApiGroup.make("chargebacks")
  .add(
    HttpApiEndpoint.post("open", `${company}/chargebacks`, {
      params: ofCompany,
      payload: NamedTransaction,
      success: Schema.Struct({ status: described(TransactionStatus, "Status of the transaction.") }),
      error: [...errorsWithBody, wire.GatewayTimeout]
    }).annotateMerge(
      documented({
        operationId: "openChargeback",
        summary: "Dispute a card payment",
        description:
          "The card holder disputes the payment now, by the company's clock, and the card operator reports the " +
          "dispute: the payment becomes chargeback, and chargeback.update is delivered. For a dispute days " +
          "later, advance the clock first. A repeat is the same dispute. A 400 means that the payment is not " +
          "captured; a 404, that the company or the transaction does not exist; a 504, that the dispute was " +
          "made but its status could not be read.",
        examples: { request: { myId: "example-disputed" }, response: { status: "chargeback" } }
      })
    )
  )
  .annotate(FaultEntity, "Chargeback")
  .annotateMerge(OpenApi.annotations({ title: "Chargebacks", description: "Dispute card payments." })) {}
