/**
 * One-off charges. The interface names only their scopes; see `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import { Charge, CreateCharge, EditCharge } from "@parcela/core/charges/Charge"
import { chargeList } from "@parcela/core/lists/EntityLists"
import { ReverseTransaction } from "@parcela/core/transactions/PaymentRequests"
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { entityPath } from "./EntityPath.ts"
import { BearerToken } from "../Security.ts"
import { done, DoneResponse, FaultEntity, list, page, write } from "./Operation.ts"
import {
  failure,
  failureOf,
  pageFailure,
  customerRequest,
  denied,
  subscriptionOfEvent,
  transaction
} from "./Examples.ts"

/**
 * A request that works on a sandbox. No other example uses its identifiers.
 *
 * @category examples
 * @since 0.1.0
 */
const chargeRequest = {
  myId: "example-charge",
  value: 12990,
  payday: "2026-11-20",
  mainPaymentMethodId: "creditcard",
  Customer: customerRequest,
  PaymentMethodCreditCard: {
    Card: { number: "4000000000000341", holder: "ANA LIMA", expiresAt: "2030-12", cvv: "123" },
    qtdInstallments: 3
  },
  ExtraFields: [{ tagName: "ORDER", tagValue: "1001" }]
} as const

const { subscriptionMyId: _myId, subscriptionSvcPayId: _id, ...payment } = transaction

/**
 * @category examples
 * @since 0.1.0
 */
const charge = {
  svcPayId: 1,
  myId: chargeRequest.myId,
  mainPaymentMethodId: "creditcard",
  value: 12990,
  status: "closed",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:05:01",
  Customer: subscriptionOfEvent.Customer,
  PaymentMethodCreditCard: { ...subscriptionOfEvent.PaymentMethodCreditCard, qtdInstallments: 3 },
  planMyId: null,
  planSvcPayId: null,
  paymentLink: null,
  InvoiceConfig: null,
  ExtraFields: chargeRequest.ExtraFields,
  Contract: null,
  Split: null,
  payedOutsideSvcPay: false,
  Transactions: [
    {
      ...payment,
      myId: "01995e2a-9d1c-7e7b-8e9f-0a1b2c3d4e5f",
      chargeMyId: chargeRequest.myId,
      chargeSvcPayId: 1
    }
  ]
} as const

const { subscriptionMyId: _deniedMyId, subscriptionSvcPayId: _deniedId, ...deniedPayment } = denied

/**
 * The charge in the response to its creation: the provider first denies its card.
 *
 * @category examples
 * @since 0.1.0
 */
const deniedCharge = {
  ...charge,
  status: "active",
  updatedAt: charge.createdAt,
  Transactions: [
    { ...deniedPayment, myId: charge.Transactions[0].myId, chargeMyId: chargeRequest.myId, chargeSvcPayId: 1 }
  ]
} as const

const ChargeResponse = Schema.Struct({
  type: done,
  Charge: described(Charge, "The charge, with its payment.")
}).annotate({ identifier: "ChargeResponse", description: "The charge as it is now." })

const ChargeListResponse = page("Charges", Charge, {
  identifier: "ChargeListResponse",
  description: "A page of charges."
})

const notFound = { 404: failureOf("Charge.myId", "no charge of this company has that identifier") }

const cannot = (status: string, doing: string) =>
  failureOf("Transaction.status", `a transaction that is ${status} cannot be ${doing}`)

const unknown =
  "A 504 means that the outcome is unknown and the money may have moved: repeat the request, which joins the attempt under way. " +
  "A 404 means that the charge does not exist."

const response = { type: true, Charge: charge } as const

const with504 = [wire.NotFound, wire.GatewayTimeout] as const

/**
 * @category groups
 * @since 0.1.0
 */
export class ChargesGroup extends HttpApiGroup.make("charges")
  .add(
    list("list", "/charges", {
      operationId: "listCharges",
      scope: "charges.read",
      summary: "List charges",
      description: "Returns one page of charges. The last page has fewer than limit.",
      definition: chargeList,
      success: ChargeListResponse,
      examples: {
        response: { totalQtdFoundInPage: 1, Charges: [charge] },
        errors: { 400: pageFailure("Charge") }
      }
    }),
    write("POST", "create", "/charges", {
      operationId: "createCharge",
      scope: "charges.write",
      summary: "Create charge",
      description:
        "Creates a charge with one payment. A card payment that is due today goes to the operator at once; a " +
        "denial is a 200 too, so check Transactions[0].status. With preAuthorize the amount is authorized and " +
        "can be captured later. A 404 means that the named customer does not exist.",
      payload: CreateCharge,
      success: ChargeResponse,
      errors: [wire.NotFound],
      examples: {
        request: chargeRequest,
        response: { type: true, Charge: deniedCharge },
        errors: {
          400: failure("The request has 2 errors", {
            "Charge.value": ["must be a number: cents, 12990 for R$ 129,90"],
            "Charge.payday": ["must be a date written YYYY-MM-DD"]
          }),
          404: failureOf(
            "Customer.svcPayId",
            "no customer of this company has that identifier: to create a customer, omit it and send name, document and emails"
          )
        }
      }
    }),
    write("PUT", "edit", "/charges/:chargeId/:typeId", {
      operationId: "editCharge",
      scope: "charges.write",
      summary: "Edit charge",
      description:
        "Changes the fields that are present. Value, payday and payment method can change while the charge is not paid. A " +
        "registered boleto or Pix is withdrawn and registered again; the response has the new one. If the " +
        "charge was paid outside, the boleto or Pix is withdrawn first. A " +
        `card payment that becomes due is charged at once. ${unknown}`,
      params: entityPath("charge"),
      payload: EditCharge,
      success: ChargeResponse,
      errors: with504,
      examples: {
        request: { additionalInfo: "the second one" },
        response: {
          type: true,
          Charge: {
            ...deniedCharge,
            additionalInfo: "the second one",
            Transactions: [{ ...deniedCharge.Transactions[0], additionalInfo: "the second one" }]
          }
        },
        errors: {
          400: failureOf(
            "Charge.mainPaymentMethodId",
            "creditcard needs a card, and this charge has none: cancel the charge and create one with a card"
          ),
          ...notFound
        }
      }
    }),
    write("PUT", "retry", "/charges/:chargeId/:typeId/retry", {
      operationId: "retryCharge",
      scope: "charges.write",
      summary: "Retry charge",
      description: `Retries the card payment of the charge. A denial is a 200 with status denied. ${unknown}`,
      params: entityPath("charge"),
      success: ChargeResponse,
      errors: with504,
      examples: {
        response,
        errors: {
          400: failureOf(
            "Transaction.status",
            "a transaction that is captured cannot be retried: only denied, notSend and authorized can"
          ),
          ...notFound
        }
      }
    }),
    write("PUT", "reverse", "/charges/:chargeId/:typeId/reverse", {
      operationId: "reverseCharge",
      scope: "charges.write",
      summary: "Give back a charge",
      description:
        "Returns the captured amount, all that remains or a part, and releases an amount that is only " +
        `authorized. The body is optional. A denial by the operator is a 400. ${unknown}`,
      params: entityPath("charge"),
      payload: ReverseTransaction,
      closedBody: true,
      optionalBody: true,
      success: ChargeResponse,
      errors: with504,
      examples: {
        request: { valueToReverse: 2990 },
        response: {
          type: true,
          Charge: { ...charge, Transactions: [{ ...charge.Transactions[0], reversedValue: 2990 }] }
        },
        errors: { 400: cannot("denied", "reversed"), ...notFound }
      }
    }),
    write("PUT", "capture", "/charges/:chargeId/:typeId/capture", {
      operationId: "captureCharge",
      scope: "charges.write",
      summary: "Capture charge",
      description: `Captures the whole authorized amount. A denial is a 200 with status denied. ${unknown}`,
      params: entityPath("charge"),
      success: ChargeResponse,
      errors: with504,
      examples: {
        response: {
          type: true,
          Charge: { ...charge, PaymentMethodCreditCard: { ...charge.PaymentMethodCreditCard, preAuthorize: true } }
        },
        errors: { 400: cannot("denied", "captured"), ...notFound }
      }
    }),
    write("DELETE", "cancel", "/charges/:chargeId/:typeId", {
      operationId: "cancelCharge",
      scope: "charges.write",
      summary: "Cancel charge",
      description:
        "Cancels a charge that is not paid, and its payment; a boleto or a Pix is withdrawn at its provider " +
        "first. To release an authorized amount, reverse the charge instead. A denial by the provider is a " +
        `400. A charge that was cancelled before is a 404. ${unknown}`,
      params: entityPath("charge"),
      success: DoneResponse,
      errors: with504,
      examples: {
        response: { type: true },
        errors: { 400: cannot("captured", "cancelled: return the amount with /reverse"), ...notFound }
      }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Charge")
  .annotateMerge(OpenApi.annotations({ title: "Charges", description: "One-off charges, each with one payment." })) {}
