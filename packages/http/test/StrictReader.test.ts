/**
 * Every response and delivery under another naming, read by a strict typed model: a number, a truth value, an object or
 * a list is never `null`. The model follows the field tables of the interface and of public use, not the schemas.
 */
import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect, Queue } from "effect"
import { address, ana, byCard, byPix, card, cardMethod, cards, payment, plan, today } from "@parcela/test-world/Samples"
import { advanceUntil, call, receiver, server, signIn } from "@parcela/test-world/Server"

type Model = "text" | "number" | "boolean" | { readonly [field: string]: Model } | readonly [Model]

const Address = {
  zipCode: "text",
  street: "text",
  number: "text",
  complement: "text",
  neighborhood: "text",
  city: "text",
  state: "text"
} as const
const ExtraFields = [{ tagName: "text", tagValue: "text" }] as const
const Customer = {
  galaxPayId: "number",
  myId: "text",
  name: "text",
  document: "text",
  emails: ["text"],
  phones: ["number"],
  createdAt: "text",
  updatedAt: "text",
  status: "text",
  invoiceHoldIss: "boolean",
  municipalDocument: "text",
  Address,
  ExtraFields
} as const
const Brand = { id: "text", name: "text", maxInstallment: "number", operatorIds: "text" } as const
const Card = {
  galaxPayId: "number",
  myId: "text",
  number: "text",
  createdAt: "text",
  updatedAt: "text",
  expiresAt: "text",
  customerGalaxPayId: "number",
  customerMyId: "text",
  isBackup: "boolean",
  status: "text",
  Brand
} as const
const Antifraud = { ip: "text", sessionId: "text", sent: "boolean", approved: "boolean" } as const
const CreditCardMethod = {
  Card,
  Link: { minInstallment: "number", maxInstallment: "number" },
  qtdInstallments: "number",
  preAuthorize: "boolean",
  cardOperatorId: "text",
  Antifraud
} as const
const Discount = { qtdDaysBeforePayDay: "number", type: "text", value: "number" } as const
const BoletoMethod = {
  fine: "number",
  interest: "number",
  instructions: "text",
  deadlineDays: "number",
  documentNumber: "text",
  Aggrement: { name: "text", document: "text" },
  Discount
} as const
const PixMethod = {
  fine: "number",
  interest: "number",
  instructions: "text",
  Deadline: { type: "text", value: "number" },
  Discount
} as const
const InvoiceConfig = {
  description: "text",
  type: "text",
  createOn: "text",
  qtdDaysBeforePayDay: "number",
  qtdDaysAfterPay: "number",
  galaxPaySubAccountId: "text"
} as const
const Split = {
  type: "text",
  value: "number",
  paymentMethod: "text",
  galaxPayId: "number",
  companyGalaxPayId: "number",
  billGalaxPayId: "number",
  groupGalaxPayId: "number"
} as const
const contract = {
  galaxPayId: "number",
  myId: "text",
  planMyId: "text",
  planGalaxPayId: "number",
  mainPaymentMethodId: "text",
  paymentLink: "text",
  additionalInfo: "text",
  value: "number",
  status: "text",
  createdAt: "text",
  updatedAt: "text",
  Customer,
  PaymentMethodCreditCard: CreditCardMethod,
  PaymentMethodBoleto: BoletoMethod,
  PaymentMethodPix: PixMethod,
  InvoiceConfig,
  ExtraFields,
  Contract: { name: "text", document: "text", ip: "text", acceptedAt: "text", pdf: "text" },
  Split
} as const
const OwnedTransaction = {
  galaxPayId: "number",
  myId: "text",
  subscriptionMyId: "text",
  subscriptionGalaxPayId: "number",
  chargeMyId: "text",
  chargeGalaxPayId: "number",
  value: "number",
  payday: "text",
  paydayDate: "text",
  payedOutsideGalaxPay: "boolean",
  additionalInfo: "text",
  installment: "number",
  status: "text",
  statusDate: "text",
  statusDescription: "text",
  datetimeLastSentToOperator: "text",
  createdAt: "text",
  fee: "number",
  tid: "text",
  authorizationCode: "text",
  reasonDenied: "text",
  cardOperatorId: "text",
  paidValue: "number",
  reversedValue: "number",
  AbecsReasonDenied: { code: "text", message: "text" },
  Antifraud,
  Invoice: { description: "text", number: "text", status: "text", statusDescription: "text", statusDate: "text" },
  ConciliationOccurrences: [{ type: "text", liquidValue: "number", taxValue: "number", taxPercent: "number" }],
  Boleto: {
    pdf: "text",
    bankLine: "text",
    bankAgency: "text",
    bankAccount: "text",
    bankNumber: "number",
    bankEmissor: "text",
    barCode: "text"
  },
  Pix: { qrCode: "text", reference: "text", image: "text", page: "text", endToEnd: "text" },
  CreditCard: { Card },
  Transaction3DS: { urlAuthentication: "text", message: "text" }
} as const
const Subscription = {
  ...contract,
  quantity: "number",
  periodicity: "text",
  firstPayDayDate: "text",
  totalTransactions: "number",
  Transactions: [OwnedTransaction]
} as const
const Charge = { ...contract, payedOutsideGalaxPay: "boolean", Transactions: [OwnedTransaction] } as const
const Transaction = { ...OwnedTransaction, Subscription, Charge } as const
const Plan = {
  galaxPayId: "number",
  myId: "text",
  name: "text",
  periodicity: "text",
  quantity: "number",
  additionalInfo: "text",
  contract: "text",
  status: "text",
  createdAt: "text",
  updatedAt: "text",
  PlanPrices: [{ payment: "text", value: "number", installment: "text" }]
} as const
const Chargeback = {
  galaxPayId: "number",
  status: "text",
  process: "text",
  chargeGalaxPayId: "number",
  chargeMyId: "text",
  transactionGalaxPayId: "number",
  createdAt: "text",
  expiryDate: "text",
  sendDocument: "text"
} as const
const Response: Model = {
  type: "boolean",
  totalQtdFoundInPage: "number",
  confirmHash: "text",
  url: "text",
  event: "text",
  webhookId: "number",
  events: ["text"],
  Customer,
  Card,
  Plan,
  Subscription,
  Charge,
  Transaction,
  Chargeback,
  PaymentMethodCreditCard: CreditCardMethod,
  Customers: [Customer],
  Cards: [Card],
  Plans: [Plan],
  Subscriptions: [Subscription],
  Charges: [Charge],
  Transactions: [Transaction],
  CardBrands: [Brand],
  PaymentMethods: [{ id: "text", name: "text" }]
}

/** Returns the problems that a strict typed reader has with a value. */
const problemsOf = (value: unknown, model: Model, path: string): ReadonlyArray<string> => {
  if (typeof model === "string") {
    const isRead = (model === "text" && value === null) || typeof value === (model === "text" ? "string" : model)
    return isRead ? [] : [`${path}: ${JSON.stringify(value)} is no ${model}`]
  }
  if (isList(model)) {
    return Array.isArray(value)
      ? value.flatMap((item, index) => problemsOf(item, model[0], `${path}[${index}]`))
      : [`${path}: ${JSON.stringify(value)} is no list`]
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [`${path}: ${JSON.stringify(value)} is no object`]
  }
  return Object.entries(value).flatMap(([key, field]) => {
    const expected = model[key]
    return expected === undefined ? [`${path}.${key} is unknown`] : problemsOf(field, expected, `${path}.${key}`)
  })
}

const isList = (model: Model): model is readonly [Model] => Array.isArray(model)

const bare = { name: "Bia", document: "11144477735", emails: ["bia@example.com"] }
const slip = { mainPaymentMethodId: "boleto", PaymentMethodBoleto: { fine: 100 } }
const charge = (myId: string, by: object, changes: object = {}) => ({
  ...payment(myId),
  Customer: ana,
  ...by,
  ...changes
})
const create = (path: string, body: object) => ["POST", path, body] as const
const lists = ["customers", "cards", "plans", "subscriptions", "charges", "transactions"]

interface Delivery {
  readonly event: string
  readonly Chargeback?: object
  readonly Charge?: { readonly payedOutsideGalaxPay: unknown }
  readonly Transaction: { readonly payedOutsideGalaxPay: unknown }
}

/** Requests that make each kind of entity, with as few fields as possible and with many. */
const requests: ReadonlyArray<readonly [method: string, path: string, body?: object]> = [
  create("/customers", { ...ana, Address: address, phones: [11999998888] }),
  create("/customers", bare),
  create("/plans", plan),
  create("/cards/ana/myId", card(cards.captured).Card),
  create("/charges", charge("card", cardMethod(cards.captured))),
  create("/charges", charge("denied", cardMethod(cards.denied))),
  create("/charges", charge("disputed", cardMethod(cards.captured, { preAuthorize: false, qtdInstallments: 2 }))),
  create("/charges", charge("slip", slip)),
  create("/charges", charge("pix", { mainPaymentMethodId: "pix" }, { Customer: bare })),
  create("/charges", charge("cash", { mainPaymentMethodId: "pix" }, { payedOutsideGalaxPay: true })),
  create("/charges", charge("linked", { mainPaymentMethodId: "creditcard" })),
  create("/subscriptions/manual", byCard(cards.captured)),
  create("/subscriptions/manual", byPix("manual")),
  create("/subscriptions", {
    ...byPix("monthly"),
    value: 1990,
    quantity: 3,
    periodicity: "monthly",
    firstPayDayDate: today
  }),
  create("/subscriptions", { ...byPix("planned"), planMyId: "box", firstPayDayDate: today }),
  create("/transactions/sub/myId/add", payment("added")),
  create("/transactions/manual/myId/add", payment("coded")),
  ["PUT", "/charges/slip/myId", { additionalInfo: "edited" }],
  ["PUT", "/charges/denied/myId/retry"],
  ["PUT", "/transactions/added/myId/reverse", { valueToReverse: 100 }],
  ["PUT", "/transactions/coded/myId", { additionalInfo: "edited" }],
  ["PUT", "/subscriptions/monthly/myId", { value: 2990 }],
  ["PUT", "/customers/ana/myId", { name: "Ana S." }],
  ["GET", "/webhooks"],
  ["GET", "/card-brands"],
  ["GET", "/payment-methods"],
  ...lists.map((list) => ["GET", `/${list}?startAt=0&limit=100`] as const)
]

layer(server({ naming: galaxPay }))("a strict typed reader", (it) => {
  it.effect("reads every response and delivery under another naming", () =>
    Effect.gen(function* () {
      const to = yield* receiver
      const { call: send, company } = yield* signIn()
      const events = ["subscription.addTransaction", "transaction.updateStatus", "chargeback.update"]
      const problems: Array<string> = []
      const subscribed = yield* send("PUT", "/v2/webhooks", { body: { url: to.url, events } })
      problems.push(...problemsOf(subscribed.json, Response, "PUT /webhooks"))
      for (const [method, path, body] of requests) {
        const { json, status, text } = yield* send(method, `/v2${path}`, body === undefined ? {} : { body })
        assert.strictEqual(status, 200, `${method} ${path} ${text}`)
        problems.push(...problemsOf(json, Response, `${method} ${path}`))
      }
      const of = `/sandbox/companies/${company.clientId}`
      for (const myId of ["slip", "pix"]) yield* call("POST", `${of}/payments`, { body: { myId } })
      yield* call("POST", `${of}/chargebacks`, { body: { myId: "disputed" } })
      const delivered: Array<Delivery> = []
      yield* advanceUntil(
        Effect.gen(function* () {
          for (const { body } of yield* Queue.clear(to.received)) delivered.push(JSON.parse(body))
          return delivered.some(({ Chargeback: dispute }) => dispute !== undefined) && delivered.length > 8
        })
      )
      for (const one of delivered) {
        problems.push(...problemsOf(one, Response, `delivery of ${one.event}`))
        if (one.Charge !== undefined) assert.isBoolean(one.Charge.payedOutsideGalaxPay)
        assert.isBoolean(one.Transaction.payedOutsideGalaxPay)
      }
      assert.deepStrictEqual([...new Set(problems)], [])
    })
  )

  it.effect("finds the page of a Pix as the pdf of a boleto, and whether each charge was paid outside", () =>
    Effect.gen(function* () {
      const { call: send } = yield* signIn()
      for (const [method, path, body] of requests.slice(0, 11)) yield* send(method, `/v2${path}`, { body })
      const { Charges } = (yield* send("GET", "/v2/charges?startAt=0&limit=100")).json
      for (const one of Charges) assert.strictEqual(one.payedOutsideGalaxPay, one.myId === "cash", one.myId)
      const { Transactions } = (yield* send("GET", "/v2/transactions?startAt=0&limit=100")).json
      const ofCharges: Array<string> = []
      for (const one of Transactions) {
        ofCharges.push(one.Charge.myId)
        assert.strictEqual(one.Charge.payedOutsideGalaxPay, one.Charge.myId === "cash")
        if (one.Charge.myId === "pix") {
          assert.deepStrictEqual(one.Boleto, {
            pdf: one.Pix.page,
            bankLine: null,
            bankAgency: null,
            bankAccount: null,
            bankEmissor: null,
            barCode: null
          })
        }
      }
      assert.includeMembers(ofCharges, ["pix", "slip", "cash"])
    })
  )
})
