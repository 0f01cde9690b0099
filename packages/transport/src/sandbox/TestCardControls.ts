/**
 * The list of a sandbox's test cards.
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
          "Card numbers that decide what becomes of their charges, with any holder, any CVV and any expiry that is not past. Every other number whose check digit is right is captured, where its brand is one that the service takes.",
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
