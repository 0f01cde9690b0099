/**
 * The entities that examples show, the same in each of them.
 *
 * **Details**
 *
 * The requests work one after the other on a sandbox, as the reference page sends them: their identifiers and their
 * document are in no other example, and their card is denied once for each transaction.
 *
 * @since 0.1.0
 */
import type { ErrorDetails, ErrorNode } from "@parcela/core/errors/ErrorNode"

/**
 * @category examples
 * @since 0.1.0
 */
export const confirmHash = "6f1c0a5e3b7d4c2f9a8e1d6b5c4f3a2e"

/**
 * The card as a retry shows it.
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

/** What a transaction shows beyond the interface. */
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
 * A transaction that was captured when it was tried again; the reason of the denial before it stays.
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
 * The transaction as it was before.
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
 * The transaction after all of it was given back.
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

// What belongs to another operation of the transaction is left out where the interface leaves it out.
const {
  datetimeLastSentToOperator: _lastSent,
  statusDate: _statusDate,
  subscriptionMyId: _myId,
  subscriptionSvcPayId: _svcPayId,
  ...inside
} = transaction

/**
 * The transaction as it stands inside its subscription.
 *
 * @category examples
 * @since 0.1.0
 */
export const transactionOfSubscription = inside

/**
 * The customer of examples, as a request names one that is new.
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
 * The subscription as it stands beside a transaction.
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
 * The transaction as a list shows it.
 *
 * @category examples
 * @since 0.1.0
 */
export const listedTransaction = { ...transaction, Charge: null, Subscription: listedSubscription } as const

/**
 * A subscription that is paid every month.
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
 * An instalment of it that is due later, as it stands inside the subscription.
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
 * The error node of a sentence, and of its details.
 *
 * @category constructors
 * @since 0.1.0
 */
export const failure = (message: string, details?: ErrorDetails): ErrorNode => ({
  error: { message, ...(details === undefined ? {} : { details }) }
})

/**
 * The error node of one field, whose words are the message too.
 *
 * @category constructors
 * @since 0.1.0
 */
export const failureOf = (field: string, words: string): ErrorNode =>
  failure(`${field}: ${words}`, { [field]: [words] })

/**
 * What a list responds to a query without its page.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pageFailure = (entity: string): ErrorNode =>
  failure("The request has 2 faults", { [`${entity}.startAt`]: ["is required"], [`${entity}.limit`]: ["is required"] })
