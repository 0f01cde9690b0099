/** The app of a shop platform: each order that recurs is a subscription without end, named by the order. */
import { address, captured, cardOf } from "./People.ts"
import { type Call, type Json, json, type PublicCode, some, there, usualScope } from "../replay/PublicCode.ts"

const [order, other] = ["6aa0000000000000000000a1", "6aa0000000000000000000a2"]

/** A postal address has a key that is misspelled; the fields of its own have numbers. */
const subscription = (myId: string, payment: { readonly [key: string]: Json }) => ({
  myId,
  value: 12990,
  quantity: 0,
  periodicity: "monthly",
  ExtraFields: [
    { tagName: "store_id", tagValue: 1173 },
    { tagName: "order_number", tagValue: 104 }
  ],
  Customer: {
    myId: "6aa0000000000000000000c1",
    name: "Maria Souza",
    document: "52998224725",
    emails: ["maria@example.com"],
    phones: [11987654321],
    Address: { ...address, complementary: "apto 1" }
  },
  firstPayDayDate: "{today}",
  ...payment
})

const byPix = {
  mainPaymentMethodId: "pix",
  PaymentMethodPix: { instructions: "Pix" }
}

/** The page of a shop makes a hash of the card; the number stands in for it. */
const byCard = (firstPayDayDate: string) => ({
  mainPaymentMethodId: "creditcard",
  firstPayDayDate,
  PaymentMethodCreditCard: { Card: cardOf(captured), preAuthorize: false }
})

const given = (myId: string, payment: { readonly [key: string]: Json }): Call => ({
  does: "an order recurs",
  method: "POST",
  path: "/subscriptions",
  body: subscription(myId, payment),
  keeps: { first: "Subscription.Transactions.0.galaxPayId", subscription: "Subscription.galaxPayId" }
})

const listen: Call = {
  does: "asks for deliveries, when the app is installed",
  method: "PUT",
  path: "/webhooks",
  body: { url: "{receiver}", events: ["subscription.addTransaction", "transaction.updateStatus"] }
}

const setValue = (value: number, reads: Call["reads"] = {}): Call => ({
  does: "sets the value alone",
  method: "PUT",
  path: `/subscriptions/${order}/myId`,
  body: { value },
  reads: { type: true, ...reads }
})

const openPayments: Call = {
  does: "asks for the open payments of it",
  method: "GET",
  path: "/transactions?startAt=0&limit=100&subscriptionGalaxPayIds={subscription}&status=notSend,pendingBoleto,pendingPix&order=payday.desc",
  reads: { "Transactions.0.galaxPayId": some, "Transactions.0.value": some },
  keeps: { open: "Transactions.0.galaxPayId" }
}

export const ecomplus: PublicCode = {
  repository: "ecomplus/app-galaxpay",
  language: "JavaScript",
  headers: json,
  login: { headers: json, scope: usualScope },
  flows: [
    {
      name: "makes an order recur by Pix, and reads its first payment unguarded",
      steps: [
        {
          does: "creates",
          method: "POST",
          path: "/subscriptions",
          body: subscription(order, byPix),
          reads: {
            "Subscription.mainPaymentMethodId": "pix",
            "Subscription.paymentLink": there,
            "Subscription.Transactions.0.galaxPayId": some,
            "Subscription.Transactions.0.status": "pendingPix",
            "Subscription.Transactions.0.tid": there,
            "Subscription.Transactions.0.authorizationCode": there,
            "Subscription.Transactions.0.installment": 1
          }
        }
      ]
    },
    {
      name: "is told what to send in the place of a card's hash",
      steps: [
        {
          does: "creates",
          method: "POST",
          path: "/subscriptions",
          body: subscription(order, {
            mainPaymentMethodId: "creditcard",
            PaymentMethodCreditCard: { Card: { hash: "9f86d081884c7d65" }, preAuthorize: false }
          }),
          status: 400,
          reads: { "error.message": some, "error.details.Card.hash": some }
        }
      ]
    },
    {
      name: "sets the value of a subscription and of its next payment when that is announced",
      steps: [
        listen,
        given(order, byCard("{today}")),
        {
          does: "takes the delivery of the payment that it knows, and leaves it",
          event: "subscription.addTransaction",
          reads: { "Subscription.quantity": 0, "Transaction.galaxPayId": "{first}", "Transaction.installment": 1 }
        },
        {
          does: "takes the delivery of the next one: the subscription has no end",
          event: "subscription.addTransaction",
          reads: {
            "Subscription.myId": order,
            "Subscription.quantity": 0,
            "Transaction.installment": 2,
            "Transaction.value": 12990,
            "Transaction.payday": some
          },
          keeps: { next: "Transaction.galaxPayId" }
        },
        {
          does: "asks for the payment",
          method: "GET",
          path: "/transactions?galaxPayIds={next}&startAt=0&limit=1",
          reads: { "Transactions.0.value": 12990, "Transactions.0.status": "notSend" }
        },
        {
          does: "asks for the value that the subscription has",
          method: "GET",
          path: `/subscriptions?myIds=${order}&startAt=0&limit=1`,
          reads: { "Subscriptions.0.value": 12990 }
        },
        setValue(9990),
        {
          does: "sets the value of the payment",
          method: "PUT",
          path: "/transactions/{next}/galaxPayId",
          body: { value: 9990 },
          reads: { type: true }
        }
      ],
      ends: [
        {
          does: "the first was charged at the old value, the next is due at the new one",
          method: "GET",
          path: "/transactions?startAt=0&limit=2&order=payday.asc",
          reads: {
            "Transactions.0.value": 12990,
            "Transactions.0.status": "captured",
            "Transactions.1.value": 9990,
            "Transactions.1.status": "notSend"
          }
        }
      ]
    },
    {
      name: "finds the live ones of many orders, and cancels what is open of a product that is sold out",
      given: [given(other, byPix), given(order, byCard("{nextWeek}"))],
      steps: [
        {
          does: "asks for them, with a comma at the end and two ampersands",
          method: "GET",
          path: `/subscriptions?myIds=${order},${other},&startAt=0&&limit=100&&status=active`,
          reads: { totalQtdFoundInPage: 2, "Subscriptions.0.myId": some, "Subscriptions.1.value": 12990 }
        },
        openPayments,
        { does: "cancels a payment", method: "DELETE", path: "/transactions/{open}/galaxPayId", reads: { type: true } }
      ],
      ends: [
        {
          does: "it is canceled, and the subscription is not",
          method: "GET",
          path: "/transactions?startAt=0&limit=1&galaxPayIds={open}",
          reads: { "Transactions.0.status": "cancel", "Transactions.0.Subscription.status": "active" }
        }
      ]
    },
    {
      name: "cancels an order once, and takes a 404 for one that is over",
      given: [given(order, byPix)],
      steps: [
        { does: "cancels", method: "DELETE", path: `/subscriptions/${order}/myId`, reads: { type: true } },
        { does: "cancels again", method: "DELETE", path: `/subscriptions/${order}/myId`, status: 404 }
      ],
      ends: [
        {
          does: "it is canceled",
          method: "GET",
          path: `/subscriptions?startAt=0&limit=1&myIds=${order}`,
          reads: { "Subscriptions.0.status": "canceled" }
        }
      ]
    },
    {
      name: "sets the value of a Pix that its provider knows",
      given: [given(order, byPix)],
      steps: [
        setValue(9990),
        openPayments,
        {
          does: "sets the value of a payment",
          method: "PUT",
          path: "/transactions/{first}/galaxPayId",
          body: { value: 9990 },
          reads: { type: true }
        }
      ],
      ends: [
        {
          does: "it waits at the new value",
          method: "GET",
          path: "/transactions?startAt=0&limit=1&galaxPayIds={first}",
          reads: { "Transactions.0.value": 9990, "Transactions.0.status": "pendingPix" }
        }
      ]
    },
    {
      name: "marks an order by Pix as paid from its delivery, with the day on which it was paid",
      steps: [
        listen,
        given(order, byPix),
        { does: "the buyer pays", pays: "{first}" },
        {
          does: "takes the delivery",
          event: "transaction.updateStatus",
          reads: {
            "Subscription.myId": order,
            "Transaction.galaxPayId": "{first}",
            "Transaction.status": "payedPix",
            "Transaction.tid": there,
            "Transaction.authorizationCode": there
          }
        },
        {
          does: "asks for the payment",
          method: "GET",
          path: "/transactions?galaxPayIds={first}&startAt=0&limit=1",
          reads: { "Transactions.0.status": "payedPix", "Transactions.0.paydayDate": "{today}" }
        }
      ]
    },
    {
      name: "marks an order as paid from its delivery, after it has asked for what became of it",
      steps: [
        listen,
        given(order, byCard("{today}")),
        {
          does: "takes the delivery",
          event: "transaction.updateStatus",
          reads: {
            webhookId: some,
            "Subscription.myId": order,
            "Subscription.quantity": 0,
            "Subscription.periodicity": "monthly",
            "Subscription.paymentLink": there,
            "Subscription.mainPaymentMethodId": "creditcard",
            "Transaction.galaxPayId": "{first}",
            "Transaction.value": 12990,
            "Transaction.status": "captured",
            "Transaction.payday": "{today}",
            "Transaction.installment": 1,
            "Transaction.tid": some,
            "Transaction.authorizationCode": some,
            "Transaction.datetimeLastSentToOperator": some
          }
        },
        {
          does: "asks for the payment",
          method: "GET",
          path: "/transactions?galaxPayIds={first}&startAt=0&limit=1",
          reads: { "Transactions.0.status": "captured", "Transactions.0.paydayDate": "{today}" }
        },
        {
          does: "asks for the subscription",
          method: "GET",
          path: `/subscriptions?myIds=${order}&startAt=0&limit=1`,
          reads: { "Subscriptions.0.status": "active" }
        }
      ]
    }
  ]
}
