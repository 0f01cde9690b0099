/**
 * Controls of payments at the simulated bank and the simulated Pix provider, and of the service's handling of their
 * reports.
 *
 * @since 0.1.0
 */
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { described } from "@parcela/core/values/Fields"
import { nonEmptyString } from "@parcela/core/values/Text"
import { Cents } from "@parcela/core/money/Cents"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { documented, FaultEntity } from "../contract/Operation.ts"
import { company, errors, errorsWithBody, ofCompany } from "../contract/EntityPath.ts"
import { Id, oneTransactionName, PageSize, transactionMyId, transactionNames, Instant } from "./Control.ts"

/** Maximum number of payments of one order. */
const maxTimes = 10

/** An order to pay a transaction: exactly one of `myId` and `transactionId`. */
const PaymentOrder = Schema.Struct({
  ...transactionNames,
  value: described(
    Schema.optionalKey(Cents.check(Schema.isGreaterThan(0, { expected: "more than 0 cents" }))),
    "Cents. By default the amount that is due at that time, with the discount, or with fine and interest. A Pix accepts no other amount."
  ),
  times: described(
    Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween({ minimum: 1, maximum: maxTimes }, { expected: `a whole number from 1 to ${maxTimes}` })
      )
    ),
    "Number of times it is paid. Defaults to 1; a Pix is paid once."
  ),
  name: described(
    Schema.optionalKey(nonEmptyString(255)),
    "A name for this order, chosen by the caller. A request with the same name is the same order and pays nothing more; with another transaction, value or number of times it is refused."
  )
}).check(oneTransactionName)

/** A payment as its provider stores it. Times are on the company's clock. */
const MadePayment = Schema.Struct({
  id: described(Schema.String, "The provider's identifier: the end-to-end id of a Pix."),
  method: Schema.Literals(["boleto", "pix"]),
  transactionId: described(Schema.Int, "The service's identifier of the transaction."),
  transactionMyId,
  value: described(Schema.Int, "Cents."),
  paidAt: Instant,
  reportAt: described(
    Instant,
    "Time of the report: at once for a Pix, at the start of the next business day for a boleto."
  ),
  isAcknowledged: described(Schema.Boolean, "True if the service accepted the report.")
})

/** A reported payment or dispute, and its outcome. */
const ReportedPayment = Schema.Struct({
  number: described(Schema.Int, "Grows with each payment."),
  id: Schema.String,
  method: described(
    Schema.Literals(["boleto", "pix", "creditcard"]),
    "creditcard: a dispute, which returns the money of a charge."
  ),
  reference: described(Schema.String, "The provider's identifier of the payment: txid, barcode or tid."),
  value: described(Schema.optionalKey(Schema.Int), "Cents; of a payment."),
  paidAt: described(Schema.optionalKey(Instant), "Of a payment."),
  standing: described(
    Schema.Literals(["waiting", "applied", "unmatched"]),
    "applied: the payment is on its transaction. waiting: the service tries again. unmatched: no transaction accepts the payment, for the reason in problem."
  ),
  transactionId: Schema.optionalKey(Schema.Int),
  transactionMyId,
  problem: Schema.optionalKey(Schema.String),
  receivedAt: Instant
})

const page = {
  after: described(Schema.optionalKey(Schema.Natural), "Only higher numbers: next of the previous page."),
  limit: described(Schema.optionalKey(PageSize), "100 when absent.")
}

const payment = {
  id: "E99999999202611221000a1b2c3d4e5f",
  method: "pix",
  transactionId: 4,
  transactionMyId: "example-pix",
  value: 12990,
  paidAt: "2026-11-22T10:00:00.000Z",
  reportAt: "2026-11-22T10:00:00.000Z",
  isAcknowledged: true
} as const

/**
 * @category groups
 * @since 0.1.0
 */
export class PaymentsGroup extends HttpApiGroup.make("payments")
  .add(
    HttpApiEndpoint.post("pay", `${company}/payments`, {
      params: ofCompany,
      payload: PaymentOrder,
      success: Schema.Struct({
        payments: Schema.Array(MadePayment),
        earlierPayments: described(Schema.Int, "Number of payments of the transaction before this order; 100 at most."),
        status: described(TransactionStatus, "Current status of the transaction.")
      }),
      error: [...errorsWithBody, wire.GatewayTimeout]
    }).annotateMerge(
      documented({
        operationId: "payTransaction",
        summary: "Pay a boleto or a Pix",
        description:
          "A payer pays now, by the company's clock, at the simulated bank or with the simulated Pix provider: " +
          "exactly, less, more, or several times. A Pix is reported and applied at once. A boleto is settled at " +
          "the start of the next business day: advance the clock to see it. To pay late, advance the clock " +
          "first. A 400 gives the reason why the provider accepts no payment: no code yet, cancelled, expired, " +
          "a Pix that is paid already, or another amount for a Pix. A 504 means that the payment may have been " +
          "made: check listPayments before a repeat, or repeat the request with the same name.",
        examples: {
          request: { myId: "example-pix" },
          response: { payments: [payment], earlierPayments: 0, status: "payedPix" }
        }
      })
    ),
    HttpApiEndpoint.get("list", `${company}/payments`, {
      params: ofCompany,
      query: Schema.Struct({
        ...page,
        transactionId: described(Schema.optionalKey(Id), "Only of this transaction, by the service's identifier.")
      }),
      success: Schema.Struct({ payments: Schema.Array(MadePayment), next: Schema.NullOr(Schema.Int) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listPayments",
        summary: "List payments at the providers",
        description: "Returns the payments to this company at the simulated providers, in order.",
        examples: { response: { payments: [payment], next: null } }
      })
    ),
    HttpApiEndpoint.get("reported", `${company}/payments/reported`, {
      params: ofCompany,
      query: Schema.Struct({
        ...page,
        standing: Schema.optionalKey(ReportedPayment.fields.standing)
      }),
      success: Schema.Struct({ payments: Schema.Array(ReportedPayment), next: Schema.NullOr(Schema.Int) }),
      error: errors
    }).annotateMerge(
      documented({
        operationId: "listReportedPayments",
        summary: "List reported payments and disputes",
        description:
          "Returns the payments that providers reported for this company, each once, with their outcomes. A payment without an open transaction (cancelled, or a second Pix) is unmatched.",
        examples: {
          response: {
            payments: [
              {
                number: 1,
                id: payment.id,
                method: "pix",
                reference: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                value: 12990,
                paidAt: payment.paidAt,
                standing: "applied",
                transactionId: 4,
                transactionMyId: "example-pix",
                receivedAt: payment.reportAt
              }
            ],
            next: null
          }
        }
      })
    )
  )
  .annotate(FaultEntity, "Payment")
  .annotateMerge(
    OpenApi.annotations({ title: "Payments", description: "Pay boletos and Pix charges, and list incoming payments." })
  ) {}
