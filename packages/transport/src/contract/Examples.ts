/**
 * The entities and the errors of the examples.
 *
 * **Details**
 *
 * The requests work on a sandbox in the order of the reference page. No other example uses their identifiers and their
 * document. The provider denies their card once for each transaction.
 *
 * @since 0.1.0
 */
import type { ErrorDetails, ErrorNode } from "@parcela/core/errors/ErrorDetails"

/**
 * @category examples
 * @since 0.1.0
 */
export const confirmHash = "6f1c0a5e3b7d4c2f9a8e1d6b5c4f3a2e"

/**
 * The card in the response to a retry.
 *
 * @category examples
 * @since 0.1.0
 */
export const card = {
  svcPayId: 3,
  myId: "example-card",
  number: "4000********0341",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00",
  expiresAt: "2030-12",
  customerSvcPayId: 2,
  customerMyId: "example-customer"
} as const

const brand = { id: "visa", name: "Visa", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" } as const

/** Fields of a transaction in addition to the interface. */
const ofPublicUse = {
  createdAt: "2026-11-20 10:00:00",
  paydayDate: null,
  chargeMyId: null,
  chargeSvcPayId: null,
  cardOperatorId: null,
  Antifraud: null,
  Invoice: null,
  ConciliationOccurrences: []
} as const

/**
 * A transaction that was captured at the second attempt. It retains the reason of the earlier denial.
 *
 * @category examples
 * @since 0.1.0
 */
export const transaction = {
  svcPayId: 4,
  myId: "example-payment",
  subscriptionMyId: "example-contract",
  subscriptionSvcPayId: 1,
  value: 12990,
  payday: "2026-11-20",
  payedOutsideSvcPay: false,
  installment: 1,
  status: "captured",
  statusDescription: "Captured at the card operator",
  reasonDenied: "Not enough balance or limit",
  AbecsReasonDenied: { code: "51", message: "Not enough balance or limit" },
  statusDate: "2026-11-20 10:05:01",
  datetimeLastSentToOperator: "2026-11-20 10:05:00",
  tid: "10069930690009F2D2A5",
  authorizationCode: "302851",
  ...ofPublicUse,
  paydayDate: "2026-11-20",
  CreditCard: { Card: { ...card, Brand: brand } }
} as const

const { authorizationCode: _code, ...unauthorized } = transaction

/**
 * The transaction after the denial.
 *
 * @category examples
 * @since 0.1.0
 */
export const denied = {
  ...unauthorized,
  status: "denied",
  statusDescription: "Denied at the card operator",
  paydayDate: null,
  statusDate: "2026-11-20 10:00:01",
  datetimeLastSentToOperator: "2026-11-20 10:00:00",
  tid: "10069930690009F2D29B"
} as const

/**
 * The transaction after a full reversal.
 *
 * @category examples
 * @since 0.1.0
 */
export const reversed = {
  ...transaction,
  status: "reversed",
  reversedValue: transaction.value,
  paydayDate: null,
  statusDescription: "Reversed at the card operator",
  statusDate: "2026-11-20 10:10:01",
  datetimeLastSentToOperator: "2026-11-20 10:10:00"
} as const

// Fields of other operations are left out if the interface leaves them out.
const {
  datetimeLastSentToOperator: _lastSent,
  statusDate: _statusDate,
  subscriptionMyId: _myId,
  subscriptionSvcPayId: _svcPayId,
  ...inside
} = transaction

/**
 * The transaction inside its subscription.
 *
 * @category examples
 * @since 0.1.0
 */
export const transactionOfSubscription = inside

/**
 * The customer of the examples, in a request that creates a customer.
 *
 * @category examples
 * @since 0.1.0
 */
export const customerRequest = {
  myId: "example-customer",
  name: "Ana Lima",
  document: "11144477735",
  emails: ["ana@example.com"],
  phones: [11987654321]
} as const

/**
 * The subscription next to a transaction.
 *
 * @category examples
 * @since 0.1.0
 */
export const subscriptionOfEvent = {
  svcPayId: 1,
  myId: "example-contract",
  mainPaymentMethodId: "creditcard",
  status: "active",
  Customer: {
    svcPayId: 2,
    ...customerRequest,
    createdAt: "2026-11-20 10:00:00",
    updatedAt: "2026-11-20 10:00:00",
    invoiceHoldIss: null,
    municipalDocument: null,
    ExtraFields: []
  },
  value: null,
  quantity: null,
  periodicity: null,
  firstPayDayDate: null,
  planMyId: null,
  planSvcPayId: null,
  paymentLink: null,
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00",
  InvoiceConfig: null,
  ExtraFields: [],
  Contract: null,
  Split: null,
  PaymentMethodCreditCard: { Card: { ...card, Brand: brand, isBackup: false } }
} as const

const { PaymentMethodCreditCard: _card, ...listedSubscription } = subscriptionOfEvent

/**
 * The transaction in a list.
 *
 * @category examples
 * @since 0.1.0
 */
export const listedTransaction = { ...transaction, Charge: null, Subscription: listedSubscription } as const

/**
 * A monthly subscription.
 *
 * @category examples
 * @since 0.1.0
 */
export const periodicSubscription = {
  ...subscriptionOfEvent,
  svcPayId: 5,
  myId: "example-monthly",
  value: 4990,
  quantity: 0,
  periodicity: "monthly",
  firstPayDayDate: "2031-01-31"
} as const

/**
 * A later instalment, inside the monthly subscription.
 *
 * @category examples
 * @since 0.1.0
 */
export const instalment = {
  svcPayId: 6,
  myId: "019d6f9a-5c1e-7a3b-9c55-0e8d2f3b7a41",
  value: 4990,
  payday: "2031-01-31",
  payedOutsideSvcPay: false,
  installment: 1,
  status: "notSend",
  statusDescription: "Not yet sent to the card operator",
  ...ofPublicUse,
  CreditCard: { Card: { ...card, Brand: brand } }
} as const

/**
 * Returns the error node of a sentence and its details.
 *
 * @category constructors
 * @since 0.1.0
 */
export const failure = (message: string, details?: ErrorDetails): ErrorNode => ({
  error: { message, ...(details === undefined ? {} : { details }) }
})

/**
 * Returns the error node of one field, with the same text as message and detail.
 *
 * @category constructors
 * @since 0.1.0
 */
export const failureOf = (field: string, words: string): ErrorNode =>
  failure(`${field}: ${words}`, { [field]: [words] })

/**
 * Returns the error of a list without the parameters of its page.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pageFailure = (entity: string): ErrorNode =>
  failure("The request has 2 errors", { [`${entity}.startAt`]: ["is required"], [`${entity}.limit`]: ["is required"] })

/**
 * @category examples
 * @since 0.1.0
 */
export const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: failure("The request has 2 errors", {
    "Subscription.mainPaymentMethodId": ["must be one of creditcard, boleto, pix"],
    "Customer.document": ["must have 11 (CPF) or 14 (CNPJ) digits"]
  }),
  401: failure("The access token is unknown or expired: get a new one with POST /token (it lasts 10 minutes)"),
  403: failure("The token lacks the scope subscriptions.write"),
  404: failureOf("Transaction.svcPayId", "no transaction of this company has that identifier"),
  409: failure("A request that excludes this one is still running: try again once it has ended"),
  413: failure("The body is larger than 1 MiB, the maximum"),
  415: failure("Send application/json, not text/plain"),
  422: failure(
    "This Idempotency-Key was used with another request: use a new key for a new request, or repeat the same body under the same key"
  ),
  429: failure("Too many wrong client secrets: wait before you try again"),
  500: failure("The service failed because of an internal error, which was logged"),
  503: failure("The service has too many requests: nothing was changed, try again"),
  504: failure("The outcome is not known yet, and the money may have moved: repeat the request to get the outcome", {
    "Transaction.status": ["the provider was called but has not responded"]
  })
}
