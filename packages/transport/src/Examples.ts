/**
 * One example of each request and answer, and how the OpenAPI document shows them. A test decodes every one.
 *
 * @since 0.1.0
 */

const card = {
  svcPayId: 3,
  myId: "card-1",
  number: "411111******1111",
  createdAt: "2026-11-20 10:00:00",
  updatedAt: "2026-11-20 10:00:00",
  expiresAt: "2030-12"
} as const

const brand = { id: "visa", name: "Visa", maxInstallment: 12, operatorIds: "1,2" } as const

const transaction = {
  svcPayId: 4,
  myId: "payment-1",
  subscriptionMyId: "contract-1",
  subscriptionSvcPayId: 1,
  value: 12990,
  payday: "2026-11-20",
  payedOutsideSvcPay: false,
  installment: 1,
  status: "captured",
  statusDescription: "Captured at the card operator",
  statusDate: "2026-11-20 10:00:01",
  datetimeLastSentToOperator: "2026-11-20 10:00:00",
  tid: "10069930690009F2D2A5",
  authorizationCode: "302851",
  CreditCard: { Card: { ...card, Brand: brand } }
} as const

const subscription = {
  svcPayId: 1,
  myId: "contract-1",
  mainPaymentMethodId: "creditcard",
  status: "active",
  Customer: {
    svcPayId: 2,
    myId: "customer-1",
    name: "Maria Souza",
    document: "52998224725",
    emails: ["maria@example.com"],
    phones: [11987654321],
    createdAt: "2026-11-20 10:00:00",
    updatedAt: "2026-11-20 10:00:00"
  },
  Transactions: [],
  PaymentMethodCreditCard: { Card: { ...card, Brand: brand, isBackup: false } }
} as const

/**
 * @category examples
 * @since 0.1.0
 */
export const examples = {
  token: {
    request: { grant_type: "client_credentials", scope: "subscriptions.write transactions.write" },
    answer: {
      access_token: "uZ0m3yXjM1h4q7v2wT9cK5bN8dF6gR1s",
      token_type: "Bearer",
      expires_in: 600,
      scope: "subscriptions.write transactions.write"
    }
  },
  createManual: {
    request: {
      myId: "contract-1",
      mainPaymentMethodId: "creditcard",
      Customer: {
        myId: "customer-1",
        name: "Maria Souza",
        document: "52998224725",
        emails: ["maria@example.com"],
        phones: [11987654321]
      },
      PaymentMethodCreditCard: {
        Card: {
          myId: "card-1",
          number: "4111111111111111",
          holder: "MARIA SOUZA",
          expiresAt: "2030-12",
          cvv: "123"
        }
      }
    },
    answer: { type: true, Subscription: subscription }
  },
  subscriptions: {
    answer: { totalQtdFoundInPage: 1, Subscriptions: [subscription] }
  },
  add: {
    request: { myId: "payment-1", value: 12990, payday: "2026-11-20" },
    answer: { type: true, Transaction: transaction }
  },
  transactions: {
    answer: { totalQtdFoundInPage: 1, Transactions: [transaction] }
  },
  retry: {
    answer: { Transaction: transaction, PaymentMethodCreditCard: { Card: card } }
  },
  webhooks: {
    request: {
      url: "https://shop.example.com/webhooks",
      events: ["transaction.updateStatus", "subscription.addTransaction"]
    },
    answer: {
      type: true,
      confirmHash: "6f1c0a5e3b7d4c2f9a8e1d6b5c4f3a2e",
      events: ["transaction.updateStatus", "subscription.addTransaction"]
    }
  }
} as const

interface Documented {
  readonly request?: unknown
  readonly answer: unknown
  readonly parameters?: { readonly [name: string]: object }
}

/** The parts of an OpenAPI operation that are written here. */
interface Operation {
  readonly requestBody?: { readonly content: { readonly [type: string]: { example?: unknown } } }
  readonly responses: { readonly 200: { readonly content: { readonly "application/json": { example?: unknown } } } }
  readonly parameters: ReadonlyArray<{ readonly name: string; description?: string; schema: { description?: string } }>
}

/**
 * Adds to an operation what a generated document cannot know: an example of each body, and what the text of a query
 * holds.
 *
 * @category documentation
 * @since 0.1.0
 */
export const exemplify =
  (documented: Documented) =>
  <O>(generated: O): O => {
    const operation = generated as unknown as Operation
    for (const content of Object.values(operation.requestBody?.content ?? {})) content.example = documented.request
    operation.responses[200].content["application/json"].example = documented.answer
    for (const parameter of operation.parameters) {
      const { description, ...schema } = parameter.schema
      if (description !== undefined) Object.assign(parameter, { description, schema })
      Object.assign(parameter, documented.parameters?.[parameter.name])
    }
    return generated
  }
