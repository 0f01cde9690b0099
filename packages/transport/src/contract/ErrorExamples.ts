/**
 * An example error of each status code, for operations without an example of their own.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import { failure, failureOf } from "./ExampleEntities.ts"

/**
 * @category examples
 * @since 0.1.0
 */
export const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: failure("The request has 2 faults", {
    "Subscription.mainPaymentMethodId": ["must be one of creditcard, boleto, pix"],
    "Customer.document": ["must have 11 (CPF) or 14 (CNPJ) digits"]
  }),
  401: failure("The access token is unknown or expired: get a new one with POST /token (it lasts 10 minutes)"),
  403: failure("The token lacks the scope subscriptions.write"),
  404: failureOf("Transaction.svcPayId", "no transaction of this company has that identifier"),
  409: failure("A request that excludes this one is still running: try again once it has ended"),
  413: failure("The body is larger than 1 MiB, which is the most that is read"),
  415: failure("Send application/json, not text/plain"),
  422: failure(
    "This Idempotency-Key was used with another request: use a new key for a new request, or repeat the same body under the same key"
  ),
  429: failure("Too many wrong secrets were tried: wait before you try again"),
  500: failure("The service failed; the fault is ours and has been reported"),
  503: failure("The service has too many requests: nothing was changed, try again"),
  504: failure("The outcome is not known yet, and the money may have moved: repeat the request to get the outcome", {
    "Transaction.status": ["the provider was asked and its response has not come"]
  })
}
