/**
 * Sample values for parameters of the reference pages, and the requests that create the entities behind them. Each form
 * works on a fresh sandbox by itself, and after every other form.
 *
 * @since 0.1.0
 */
import type { DocumentModel, Parameter } from "./DocumentModel.ts"

export type Values = { readonly [parameter: string]: string }

/** A request that a form sends before its own request. Its operation is on the same page. */
interface Step {
  readonly operationId: string
  readonly values?: Values
  /** Fields that are added to the body of the operation's example, or replace its fields. */
  readonly body?: object
  /** The whole body, which replaces the example. */
  readonly ownBody?: object
  /** Query in addition to the path, with `{name}` for a parameter from an earlier response. */
  readonly query?: string
  /** Parameters from the response: the path of each value, such as `endpoints.0.endpointId`. */
  readonly take?: Values
}

interface Sample {
  readonly values?: Values
  readonly first?: ReadonlyArray<Step>
}

const ofPaths: Values = {
  subscriptionId: "example-contract",
  transactionId: "example-payment",
  chargeId: "example-charge",
  customerId: "example-person",
  planId: "example-plan",
  typeId: "myId",
  clientId: "sandbox",
  name: "three customers"
}

const ofQueries: Values = { startAt: "0", limit: "10", clientId: "sandbox" }

const contract: Step = { operationId: "createManualSubscription" }
const monthly: Step = { operationId: "createSubscription" }
const customer: Step = { operationId: "createCustomer" }

const payment = (myId: string): Step => ({ operationId: "addTransaction", body: { myId } })
const retriedPayment = (transactionId: string): Step => ({ operationId: "retryTransaction", values: { transactionId } })
const charge = (myId: string, more: object = {}): Step => ({ operationId: "createCharge", body: { myId, ...more } })
const retriedCharge = (chargeId: string): Step => ({ operationId: "retryCharge", values: { chargeId } })

/** The provider denies the card of the examples once for each payment. */
const example = { number: "4000000000000341", holder: "ANA LIMA", expiresAt: "2030-12", cvv: "123" }
const preAuthorized = { PaymentMethodCreditCard: { Card: example, preAuthorize: true } }
const preAuthorizedCharge = { PaymentMethodCreditCard: { Card: example, preAuthorize: true, qtdInstallments: 3 } }

const fixtures = (ownBody: object): Step => ({ operationId: "applyFixtures", ownBody })

const payer = {
  myId: "example-payer",
  name: "Clara Reis",
  document: "16899535009",
  emails: ["clara@example.com"]
} as const

/** A due date after the longest clock advance of the page's examples. */
const due = "2031-01-31"

const byPix = { mainPaymentMethodId: "pix", Customer: { myId: payer.myId } } as const

/** No card is given: the contract stays pending until it has one. */
const byCard = { mainPaymentMethodId: "creditcard", Customer: { myId: payer.myId } } as const

const fixtureCharge = (myId: string, method: object): Step =>
  fixtures({ customers: [payer], charges: [{ myId, value: 12990, payday: due, ...method }] })

const fixtureSubscription = (myId: string, method: object): Step =>
  fixtures({
    customers: [payer],
    subscriptions: [{ myId, value: 4990, quantity: 0, periodicity: "monthly", firstPayDayDate: due, ...method }]
  })

const cardCharge = (myId: string): Step =>
  fixtures({
    customers: [payer],
    charges: [
      {
        myId,
        value: 12990,
        payday: "2026-11-20",
        ...byCard,
        PaymentMethodCreditCard: { Card: { ...example, number: "4111111111111111", holder: "CLARA REIS" } }
      }
    ]
  })

/** The endpoint at the receiver's default URL. Repeated fixtures create it only once. */
const endpoint: ReadonlyArray<Step> = [
  fixtures({
    endpoints: [{ url: "http://127.0.0.1:8027/", events: ["transaction.updateStatus", "subscription.addTransaction"] }]
  }),
  { operationId: "listEndpoints", take: { endpointId: "endpoints.0.endpointId" } }
]

/** The endpoint that the form deletes. */
const newEndpoint: ReadonlyArray<Step> = [
  { operationId: "createEndpoint", take: { endpointId: "endpoint.endpointId" } }
]

const delivery: ReadonlyArray<Step> = [
  ...endpoint,
  cardCharge("example-delivered"),
  {
    operationId: "listDeliveries",
    query: "?endpointId={endpointId}",
    take: { webhookId: "deliveries.0.webhookId" }
  }
]

const samples: { readonly [operationId: string]: Sample } = {
  createSubscription: { first: [contract] },
  editSubscription: { values: { subscriptionId: "example-monthly" }, first: [contract, monthly] },
  cancelSubscription: {
    values: { subscriptionId: "example-ended" },
    first: [contract, { ...monthly, body: { myId: "example-ended" } }]
  },
  addTransaction: { first: [contract] },
  editTransaction: { first: [contract, payment("example-payment")] },
  cancelTransaction: {
    values: { transactionId: "example-cancelled" },
    first: [contract, payment("example-cancelled")]
  },
  retryTransaction: { values: { transactionId: "example-retried" }, first: [contract, payment("example-retried")] },
  reverseTransaction: {
    values: { transactionId: "example-reversed" },
    first: [contract, payment("example-reversed"), retriedPayment("example-reversed")]
  },
  captureTransaction: {
    values: { transactionId: "example-authorized" },
    first: [
      { ...contract, body: { myId: "example-of-authorized", ...preAuthorized } },
      { ...payment("example-authorized"), values: { subscriptionId: "example-of-authorized" } },
      retriedPayment("example-authorized")
    ]
  },
  editCustomer: { first: [customer] },
  deactivateCustomer: {
    values: { customerId: "example-former" },
    first: [{ ...customer, body: { myId: "example-former", name: "Davi Melo", document: "31415926590" } }]
  },
  editPlan: { first: [{ operationId: "createPlan" }] },
  deactivatePlan: {
    values: { planId: "example-former-plan" },
    first: [{ operationId: "createPlan", body: { myId: "example-former-plan" } }]
  },
  editCharge: { first: [charge("example-charge")] },
  cancelCharge: { values: { chargeId: "example-cancelled" }, first: [charge("example-cancelled")] },
  retryCharge: { values: { chargeId: "example-retried" }, first: [charge("example-retried")] },
  reverseCharge: {
    values: { chargeId: "example-reversed" },
    first: [charge("example-reversed"), retriedCharge("example-reversed")]
  },
  captureCharge: {
    values: { chargeId: "example-authorized" },
    first: [charge("example-authorized", preAuthorizedCharge), retriedCharge("example-authorized")]
  },
  addCard: { values: { id: "example-person" }, first: [customer] },
  removeCard: {
    values: { id: "example-former-card" },
    first: [
      customer,
      { operationId: "addCard", body: { myId: "example-former-card", number: "4111111111111111", isBackup: false } }
    ]
  },
  editCompany: { values: { clientId: "suite-7" }, first: [{ operationId: "createCompany" }] },
  restoreSnapshot: { first: [{ operationId: "takeSnapshot" }] },
  deleteSnapshot: {
    values: { name: "to delete" },
    first: [{ operationId: "takeSnapshot", body: { name: "to delete" } }]
  },
  showAdvance: { first: [{ operationId: "advanceClock", ownBody: { bySeconds: 1 } }] },
  payTransaction: { first: [fixtureCharge("example-pix", byPix)] },
  openChargeback: { first: [cardCharge("example-disputed")] },
  stopSubscription: { first: [fixtureSubscription("example-stopped", byPix)] },
  reactivateSubscription: {
    first: [
      fixtureSubscription("example-reactivated", byPix),
      { operationId: "stopSubscription", ownBody: { myId: "example-reactivated" } }
    ]
  },
  deactivateSubscription: { first: [fixtureSubscription("example-deactivated", byCard)] },
  waiveTransaction: {
    first: [
      fixtures({
        customers: [payer],
        manualSubscriptions: [{ myId: "example-of-waived", ...byPix }],
        payments: [{ subscription: "example-of-waived", myId: "example-waived", value: 12990, payday: due }]
      })
    ]
  },
  deactivateCharge: { first: [fixtureCharge("example-deactivated", byCard)] },
  editEndpoint: { first: endpoint },
  deleteEndpoint: { first: newEndpoint },
  switchEndpointOn: { first: endpoint },
  switchEndpointOff: { first: newEndpoint },
  listSecrets: { first: endpoint },
  rotateSecret: { first: endpoint },
  endOverlap: { first: endpoint },
  listDeliveryAttempts: { first: delivery },
  // The replay is refused until a receiver has accepted the delivery.
  replayDelivery: { first: delivery },
  findReplay: { first: [{ operationId: "replayDeliveries", take: { replayId: "replay.replayId" } }] }
}

/** Returns the value that a page fills in for a parameter of an operation. */
export const sampleOf = (operationId: string, name: string, where: Parameter["in"]): string | undefined =>
  where === "path" ? (samples[operationId]?.values?.[name] ?? ofPaths[name]) : ofQueries[name]

/** Returns an operation's example as text, with the names of its sample. */
export const withNamesOf = (operationId: string, example: string): string =>
  Object.entries(samples[operationId]?.values ?? {}).reduce(
    (text, [parameter, value]) => text.replaceAll(ofPaths[parameter] ?? value, value),
    example
  )

/** A step in the form that the page's script sends. */
export interface Request {
  readonly method: string
  /** The path, with `{name}` for a parameter from an earlier response. */
  readonly path: string
  readonly body?: object
  readonly take?: Values
}

/**
 * Returns the requests that create the entities of an operation's sample, or an empty list if the page lacks one of
 * their operations.
 */
export const requestsBefore = (document: DocumentModel, operationId: string): ReadonlyArray<Request> => {
  const steps = samples[operationId]?.first ?? []
  const requests = steps.flatMap((step) => requestOf(document, step) ?? [])
  return requests.length === steps.length ? requests : []
}

const requestOf = (document: DocumentModel, step: Step): Request | undefined => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { operationId, requestBody }] of Object.entries(item)) {
      if (operationId !== step.operationId) continue
      const exampleBody = requestBody?.content["application/json"]?.examples?.default.value
      const body = step.ownBody ?? (exampleBody === undefined ? undefined : { ...exampleBody, ...step.body })
      return {
        method: method.toUpperCase(),
        path: `${path.replaceAll(
          /\{(\w+)\}/gu,
          (placeholder, name: string) => step.values?.[name] ?? sampleOf(operationId, name, "path") ?? placeholder
        )}${step.query ?? ""}`,
        ...(body === undefined ? {} : { body }),
        ...(step.take === undefined ? {} : { take: step.take })
      }
    }
  }
  return undefined
}
