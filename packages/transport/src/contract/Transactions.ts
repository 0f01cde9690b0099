/**
 * Transactions: the payments of a subscription (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
import { AddPayment, EditPayment, ReverseTransaction } from "@parcela/core/transactions/PaymentRequests"
import { CardOfRetry } from "@parcela/core/cards/Card"
import { described } from "@parcela/core/values/Fields"
import { Transaction, TransactionOfRetry } from "@parcela/core/transactions/Transaction"
import { ListedTransaction } from "@parcela/core/transactions/ListedTransaction"
import { transactionList } from "@parcela/core/lists/EntityLists"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { wire } from "../ApiError.ts"
import { entityPath } from "./EntityPath.ts"
import { BearerToken } from "../Security.ts"
import { card, denied, failure, failureOf, pageFailure, reversed, listedTransaction, transaction } from "./Examples.ts"
import { done, DoneResponse, FaultEntity, list, page, write } from "./Operation.ts"

/**
 * The response of adding a payment.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionResponse = Schema.Struct({
  type: done,
  Transaction: described(Transaction, "The transaction.")
}).annotate({ identifier: "TransactionResponse", description: "The current state of the transaction." })

/**
 * A page of transactions.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TransactionListResponse = page("Transactions", ListedTransaction, {
  identifier: "TransactionListResponse",
  description: "A page of transactions."
})

/**
 * The response of a retry (interface 4.3), which has no `type`.
 *
 * **Details**
 *
 * Interface 4.3 gives `PaymentMethodCreditCard` the type "Card without Brand and isBackup". Section 2.8 states that the
 * node "holds one Card", as do the responses that public clients decode. This contract uses `{ Card }`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RetryResponse = Schema.Struct({
  Transaction: described(TransactionOfRetry, "The transaction after the attempt."),
  PaymentMethodCreditCard: described(
    Schema.Struct({ Card: described(CardOfRetry, "The card that was charged.") }).annotate({
      identifier: "PaymentMethodCreditCardOfRetry",
      description: "The card that was charged, without its brand."
    }),
    "The card that was charged."
  )
}).annotate({ identifier: "RetryResponse", description: "The transaction after a retry, and its card." })

/** The response of a reversal. */
const ReverseResponse = Schema.Struct({ type: done, ...RetryResponse.fields }).annotate({
  identifier: "ReverseResponse",
  description: "The transaction after a reversal, and its card."
})

const cannot = (status: string, doing: string) =>
  failureOf("Transaction.status", `a transaction that is ${status} cannot be ${doing}`)

/**
 * @category groups
 * @since 0.1.0
 */
export class TransactionsGroup extends HttpApiGroup.make("transactions")
  .add(
    list("list", "/transactions", {
      operationId: "listTransactions",
      scope: "transactions.read",
      summary: "List transactions",
      description: "Returns one page of transactions. The last page has fewer than limit.",
      definition: transactionList,
      success: TransactionListResponse,
      examples: {
        response: { totalQtdFoundInPage: 1, Transactions: [listedTransaction] },
        errors: { 400: pageFailure("Transaction") }
      }
    }),
    write("POST", "add", "/transactions/:subscriptionId/:typeId/add", {
      operationId: "addTransaction",
      scope: "transactions.write",
      summary: "Add a payment to a subscription",
      description:
        "Adds one payment. A card payment that is due today goes to the operator at once. A 404 means that " +
        "the subscription does not exist.",
      params: entityPath("subscription"),
      payload: AddPayment,
      success: TransactionResponse,
      errors: [wire.NotFound],
      examples: {
        request: { myId: "example-payment", value: 12990, payday: "2026-11-20" },
        response: { type: true, Transaction: denied },
        errors: {
          400: failure("The request has 2 errors", {
            "Transaction.value": ["must be a number: cents, 12990 for R$ 129,90"],
            "Transaction.payday": ["must be a date written YYYY-MM-DD"]
          }),
          404: failureOf("Subscription.myId", "no subscription of this company has that identifier")
        }
      }
    }),
    write("PUT", "edit", "/transactions/:transactionId/:typeId", {
      operationId: "editTransaction",
      scope: "transactions.write",
      summary: "Edit a payment",
      description:
        "Changes the fields that are present. Value, payday and card can change while the payment is open. A " +
        "registered boleto or Pix is withdrawn and registered again; the response has the new one. A card " +
        "payment that becomes due is charged at once; with paydayDate today it is charged even after a " +
        "denial. If it was paid outside the service, the boleto or Pix is withdrawn. A 504 means that the " +
        "outcome is unknown: repeat the request, which joins the attempt under way. A 404 means that the " +
        "transaction does not exist.",
      params: entityPath("transaction"),
      payload: EditPayment,
      success: TransactionResponse,
      errors: [wire.NotFound, wire.GatewayTimeout],
      examples: {
        request: { additionalInfo: "Paid by card" },
        response: { type: true, Transaction: { ...denied, additionalInfo: "Paid by card" } },
        errors: {
          400: failureOf(
            "Transaction.status",
            "a transaction that is captured cannot get another value, payday or card, and cannot be paid outside the service"
          )
        }
      }
    }),
    write("PUT", "retry", "/transactions/:transactionId/:typeId/retry", {
      operationId: "retryTransaction",
      scope: "transactions.write",
      summary: "Retry card charge",
      description:
        "Retries a card transaction. A denial by the operator is a 200 with status denied: check " +
        "Transaction.status, because reasonDenied can belong to an earlier attempt. A 504 means that the " +
        "outcome is unknown and the money may have moved: repeat the request, which joins the attempt under " +
        "way. A 404 means that the transaction does not exist.",
      params: entityPath("transaction"),
      success: RetryResponse,
      errors: [wire.NotFound, wire.GatewayTimeout],
      examples: {
        response: { Transaction: transaction, PaymentMethodCreditCard: { Card: card } },
        errors: {
          400: failureOf(
            "Transaction.status",
            "a transaction that is captured cannot be retried: only denied, notSend and authorized can"
          )
        }
      }
    }),
    write("PUT", "reverse", "/transactions/:transactionId/:typeId/reverse", {
      operationId: "reverseTransaction",
      scope: "transactions.write",
      summary: "Give card money back",
      description:
        "Returns a captured amount, all that remains or a part, and releases an amount that is only " +
        "authorized. After a part is returned the status stays captured; when nothing remains it is reversed. " +
        "The body is optional. A denial by the operator is a 400. A 504 means that the outcome is unknown and " +
        "the money may have moved: repeat the request, which joins the reversal under way. A 404 means that " +
        "the transaction does not exist.",
      params: entityPath("transaction"),
      payload: ReverseTransaction,
      closedBody: true,
      optionalBody: true,
      success: ReverseResponse,
      errors: [wire.NotFound, wire.GatewayTimeout],
      examples: {
        request: { valueToReverse: 12990 },
        response: { type: true, Transaction: reversed, PaymentMethodCreditCard: { Card: card } },
        errors: {
          400: failureOf(
            "Transaction.valueToReverse",
            "must be from 1 to 1990, the amount in cents that can still be reversed"
          )
        }
      }
    }),
    write("PUT", "capture", "/transactions/:transactionId/:typeId/capture", {
      operationId: "captureTransaction",
      scope: "transactions.write",
      summary: "Capture what is authorized",
      description:
        "Captures an amount that the card operator holds. A denial by the operator is a 200 with status " +
        "denied. A 504 means that the outcome is unknown and the money may have moved: repeat the request, " +
        "which joins the capture under way. A 404 means that the transaction does not exist.",
      params: entityPath("transaction"),
      success: TransactionResponse,
      errors: [wire.NotFound, wire.GatewayTimeout],
      examples: {
        response: { type: true, Transaction: transaction },
        errors: { 400: cannot("captured", "captured") }
      }
    }),
    write("DELETE", "cancel", "/transactions/:transactionId/:typeId", {
      operationId: "cancelTransaction",
      scope: "transactions.write",
      summary: "Cancel a payment",
      description:
        "Cancels an open payment. A boleto or a Pix is withdrawn at its bank or provider; a denial is a 400. " +
        "A 504 means that the outcome is unknown: repeat the request, which joins the cancellation under way. " +
        "A 404 means that the transaction does not exist or was cancelled before.",
      params: entityPath("transaction"),
      success: DoneResponse,
      errors: [wire.NotFound, wire.GatewayTimeout],
      examples: {
        response: { type: true },
        errors: { 400: cannot("captured", "cancelled: return the amount with /reverse") }
      }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Transaction")
  .annotateMerge(OpenApi.annotations({ title: "Transactions", description: "The payments of a subscription." })) {}
