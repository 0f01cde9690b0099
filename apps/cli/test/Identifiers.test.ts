import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const myId = "7e5f0a52-40cf-4a4e-9c31-0d5c2a5a7d1f"
const other = "b1946ac9-2d50-4e2f-9d5c-4b7f8a0e6c33"
const url = "https://shop.example/a/path/that/is/rather/long/for/a/terminal/of/eighty/columns/webhooks"
const at = "2026-11-22T10:00:00.000Z"
const customer = { svcPayId: 3, myId: other, name: "Maria Aparecida de Souza Albuquerque" }
const payment = {
  svcPayId: 7,
  myId,
  value: 1_234_567,
  status: "denied",
  payday: "2026-11-22",
  reasonDenied: "Not enough balance or limit on this card, or the holder has blocked it",
  AbecsReasonDenied: { code: "51", message: "Not enough balance or limit on this card, or the holder has blocked it" }
}

/** The columns of an entry of a list, and those that users copy. */
const lists = [
  ["transactions", { Transactions: [{ ...payment, subscriptionMyId: other }] }, [myId]],
  [
    "subscriptions",
    {
      Subscriptions: [
        {
          svcPayId: 1,
          myId,
          status: "waitingPayment",
          mainPaymentMethodId: "creditcard",
          value: 12_990,
          periodicity: "quarterly",
          quantity: 0,
          Customer: customer,
          Transactions: []
        }
      ]
    },
    [myId]
  ],
  [
    "charges",
    {
      Charges: [
        {
          svcPayId: 1,
          myId,
          status: "waitingPayment",
          value: 1_234_567,
          mainPaymentMethodId: "creditcard",
          Customer: customer,
          Transactions: [payment]
        }
      ]
    },
    [myId]
  ],
  [
    "customers",
    {
      Customers: [
        {
          ...customer,
          myId,
          status: "withoutSubscriptionOrCharge",
          document: "52998224725",
          emails: ["maria.aparecida@example.com"]
        }
      ]
    },
    [myId, "52998224725", "maria.aparecida@example.com"]
  ],
  [
    "cards",
    {
      Cards: [
        { svcPayId: 1, myId, status: "active", number: "4000********0341", expiresAt: "2030-12", customerMyId: other }
      ]
    },
    [myId, "4000********0341"]
  ],
  [
    "plans",
    {
      Plans: [
        {
          svcPayId: 1,
          myId,
          name: "A monthly box of very many things",
          status: "active",
          periodicity: "monthly",
          quantity: 0,
          PlanPrices: [{ payment: "creditcard", value: 12_990 }]
        }
      ]
    },
    [myId]
  ],
  [
    "sandbox companies",
    {
      companies: [{ companyId: 2, clientId: `suite-of-${myId}`, name: "A company of a long name", createdAt: at }],
      next: null
    },
    [`suite-of-${myId}`]
  ],
  [
    "sandbox endpoints",
    {
      endpoints: [
        {
          endpointId: 1,
          isDefault: true,
          url,
          events: ["transaction.updateStatus", "subscription.addTransaction"],
          state: "failing",
          waiting: 12,
          dead: 3,
          lastProblem: "The receiver responded with 500"
        }
      ]
    },
    [url, "responded with 500"]
  ],
  [
    "sandbox payments",
    {
      payments: [
        {
          id: "E9999901012345678901234567890123456",
          method: "pix",
          transactionId: 7,
          value: 1_234_567,
          paidAt: at,
          reportAt: at,
          isAcknowledged: true
        }
      ],
      next: null
    },
    ["E9999901012345678901234567890123456"]
  ],
  [
    "sandbox snapshots",
    { snapshots: [{ name: `before ${myId} and ${other}`, rows: 12, takenAt: at }] },
    [`before ${myId} and ${other}`]
  ]
] as const

describe.each([80, 120])("in a terminal of %i columns", (columns) => {
  it.effect.each(lists)("%s list cuts no value that users copy", ([words, body, copied]) =>
    Effect.gen(function* () {
      const page = { totalQtdFoundInPage: 1, ...body }
      const { code, err, out } = yield* Fake.parcela([...words.split(" "), "list"], {
        columns,
        play: () => [200, page]
      })
      assert.deepStrictEqual([code, err], [0, ""])
      for (const text of copied) assert.include(out, text)
    })
  )
})
