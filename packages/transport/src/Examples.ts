/**
 * One example of each request, response and error, as the OpenAPI document shows them. Tests decode every one and compare
 * them with those of a running server.
 *
 * **Details**
 *
 * The requests work one after the other on a sandbox, as the reference page sends them: their identifiers and their
 * document are in no other story, and their card is denied once for each transaction.
 *
 * @since 0.1.0
 */

import type { ErrorDetails, ErrorNode } from "@parcela/core/errors/ErrorNode"

const confirmHash = "6f1c0a5e3b7d4c2f9a8e1d6b5c4f3a2e"

const card = {
  svcPayId: 3,
  myId: "example-card",
  number: "4000********0341",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00",
  expiresAt: "2030-12"
} as const

const brand = { id: "visa", name: "Visa", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" } as const

/** Captured when it was tried again; the reason of the denial before it stays. */
const transaction = {
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
  CreditCard: { Card: { ...card, Brand: brand } }
} as const

const { authorizationCode: _____, ...unauthorized } = transaction

/** As it was before. */
const denied = {
  ...unauthorized,
  status: "denied",
  statusDescription: "Denied at the card operator",
  statusDate: "2026-11-20 10:00:01",
  datetimeLastSentToOperator: "2026-11-20 10:00:00",
  tid: "10069930690009F2D29B"
} as const

const subscriptionFields = {
  svcPayId: 1,
  myId: "example-contract",
  mainPaymentMethodId: "creditcard",
  status: "active",
  Customer: {
    svcPayId: 2,
    myId: "example-customer",
    name: "Ana Lima",
    document: "11144477735",
    emails: ["ana@example.com"],
    phones: [11987654321],
    createdAt: "2026-11-20 10:00:00",
    updatedAt: "2026-11-20 10:00:00"
  },
  PaymentMethodCreditCard: { Card: { ...card, Brand: brand, isBackup: false } }
} as const

const subscription = { ...subscriptionFields, Transactions: [] } as const

// What belongs to another operation of the transaction is left out where the interface leaves it out.
const {
  subscriptionMyId: _,
  subscriptionSvcPayId: __,
  statusDate: ___,
  datetimeLastSentToOperator: ____,
  ...inside
} = transaction

const message = (text: string, details?: ErrorDetails): ErrorNode => ({
  error: { message: text, ...(details === undefined ? {} : { details }) }
})

/**
 * An error of each status code.
 *
 * @category examples
 * @since 0.1.0
 */
export const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: message("The request has 2 faults", {
    "Subscription.mainPaymentMethodId": ["must be one of creditcard, boleto, pix"],
    "Customer.document": ["must be 11 (CPF) or 14 (CNPJ) digits"]
  }),
  401: message("The access token is unknown or expired: get a new one with POST /token (it lasts 10 minutes)"),
  403: message("The token lacks the scope subscriptions.write"),
  404: message("Transaction.svcPayId: no transaction of this company has that identifier", {
    "Transaction.svcPayId": ["no transaction of this company has that identifier"]
  }),
  409: message("A request with this Idempotency-Key is still running"),
  413: message("The body is larger than 1 MiB, which is the most that is read"),
  415: message("Send application/json, not text/plain"),
  422: message(
    "This Idempotency-Key was used with another request: use a new key for a new request, or repeat the same body under the same key"
  ),
  429: message("Too many wrong secrets were tried for this client id: wait before you try again"),
  500: message("The service failed to answer; the fault is ours and has been reported"),
  503: message("The service has too many requests: nothing was changed, try again"),
  504: message("The outcome is not known yet, and the money may have moved: repeat the request to get the outcome", {
    "Transaction.status": ["the card operator was asked and its response has not come"]
  })
}

/**
 * @category examples
 * @since 0.1.0
 */
export const examples = {
  createToken: {
    request: { grant_type: "client_credentials", scope: "subscriptions.write transactions.write" },
    answer: {
      access_token: "uZ0m3yXjM1h4q7v2wT9cK5bN8dF6gR1s",
      token_type: "Bearer",
      expires_in: 600,
      scope: "subscriptions.write transactions.write"
    }
  },
  createManualSubscription: {
    request: {
      myId: "example-contract",
      mainPaymentMethodId: "creditcard",
      Customer: {
        myId: "example-customer",
        name: "Ana Lima",
        document: "11144477735",
        emails: ["ana@example.com"],
        phones: [11987654321]
      },
      PaymentMethodCreditCard: {
        Card: {
          myId: "example-card",
          number: "4000000000000341",
          holder: "ANA LIMA",
          expiresAt: "2030-12",
          cvv: "123"
        }
      }
    },
    answer: { type: true, Subscription: subscription }
  },
  listSubscriptions: {
    answer: { totalQtdFoundInPage: 1, Subscriptions: [{ ...subscription, Transactions: [inside] }] }
  },
  addTransaction: {
    request: { myId: "example-payment", value: 12990, payday: "2026-11-20" },
    answer: { type: true, Transaction: denied }
  },
  listTransactions: {
    answer: { totalQtdFoundInPage: 1, Transactions: [transaction] }
  },
  retryTransaction: {
    answer: { Transaction: transaction, PaymentMethodCreditCard: { Card: card } }
  },
  editWebhooks: {
    request: {
      url: "http://127.0.0.1:8027/",
      events: ["transaction.updateStatus", "subscription.addTransaction"]
    },
    answer: {
      type: true,
      confirmHash,
      events: ["transaction.updateStatus", "subscription.addTransaction"]
    }
  }
} as const

/**
 * A delivery of each event.
 *
 * @category examples
 * @since 0.1.0
 */
export const webhookExamples = {
  "transaction.updateStatus": {
    event: "transaction.updateStatus",
    webhookId: 8,
    confirmHash,
    Transaction: transaction,
    Subscription: subscriptionFields
  },
  "subscription.addTransaction": {
    event: "subscription.addTransaction",
    webhookId: 7,
    confirmHash,
    Transaction: denied,
    Subscription: subscriptionFields
  },
  "company.cashOut": { event: "company.cashOut", webhookId: 9, confirmHash },
  "company.verifyDocuments": { event: "company.verifyDocuments", webhookId: 10, confirmHash },
  "chargeback.update": {
    event: "chargeback.update",
    webhookId: 11,
    confirmHash,
    Chargeback: { svcPayId: 5, status: "awaitingDocumentation", transactionSvcPayId: 4, expiryDate: "2026-12-05" },
    Transaction: { ...transaction, status: "chargeback", statusDescription: "Reversed by chargeback" },
    PaymentBill: { svcPayId: 6, value: 12990 }
  },
  "company.internalTransfer": { event: "company.internalTransfer", webhookId: 12, confirmHash }
} as const

const noSuch = (entity: string, field: string, words: string): ErrorNode =>
  message(`${entity}.${field}: ${words}`, { [`${entity}.${field}`]: [words] })

const noCustomer =
  "no customer of this company has that identifier: to create one, leave svcPayId out and give name, document and emails"

const pageFault = (entity: string): ErrorNode =>
  message("The request has 2 faults", { [`${entity}.startAt`]: ["is required"], [`${entity}.limit`]: ["is required"] })

/**
 * The errors of operations where they differ from `errorExamples`, by operation and status code.
 *
 * @category examples
 * @since 0.1.0
 */
export const operationErrorExamples: { readonly [operation: string]: { readonly [status: number]: ErrorNode } } = {
  createToken: {
    400: message("The request has a fault", {
      "Token.grant_type": ["must be one of authorization_code, client_credentials"]
    }),
    401: message("Client id or client secret is wrong"),
    403: message("None of the scopes asked for is granted to this company: it has transactions.read transactions.write")
  },
  createManualSubscription: { 404: noSuch("Customer", "myId", noCustomer) },
  listSubscriptions: { 400: pageFault("Subscription") },
  listTransactions: { 400: pageFault("Transaction") },
  addTransaction: {
    400: message("The request has 2 faults", {
      "Transaction.value": ["must be a number: cents, 12990 for R$ 129,90"],
      "Transaction.payday": ["must be a date written YYYY-MM-DD"]
    }),
    404: noSuch("Subscription", "myId", "no subscription of this company has that identifier")
  },
  retryTransaction: {
    400: noSuch(
      "Transaction",
      "status",
      "a transaction that is captured cannot be retried: only denied, notSend and authorized can"
    )
  },
  editWebhooks: {
    400: message("The request has a fault", {
      "Webhook.url": ["must be an address that begins with http:// or https://, such as http://127.0.0.1:8142/"]
    })
  }
}
