/**
 * Controls of disputes that the simulated card operator reports.
 *
 * @since 0.1.0
 */
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { described } from "@parcela/core/values/Fields"
import { MyId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errorsWithBody, ofCompany } from "../contract/CompanyPath.ts"

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
