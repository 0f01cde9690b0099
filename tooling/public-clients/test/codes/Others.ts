/** Requests of further code bases, as observed when they ran. Their source was not read. */
import { buyer, captured, cardOf } from "./People.ts"
import { type Call, json, type PublicCode, some, there, usualScope } from "../replay/PublicCode.ts"

const plan: Call = {
  does: "a plan is made",
  method: "POST",
  path: "/plans",
  body: {
    myId: "gold",
    name: "Gold",
    periodicity: "monthly",
    quantity: 12,
    PlanPrices: [
      { payment: "creditcard", value: 1990 },
      { payment: "boleto", value: 1990 }
    ]
  },
  keeps: { plan: "Plan.galaxPayId" }
}

const order: Call = {
  does: "an order waits for its boleto",
  method: "POST",
  path: "/charges",
  body: { myId: "order", value: 1990, payday: "{nextWeek}", mainPaymentMethodId: "boleto", Customer: buyer }
}

export const others: PublicCode = {
  repository: "others, as noted",
  language: "PHP",
  headers: json,
  login: { headers: json, scope: usualScope },
  flows: [
    {
      name: "a subscription is named by a number and by both identifiers of its plan, has no card yet, and gets one",
      given: [plan],
      steps: [
        {
          does: "subscribes from a day that it calls payday, with an empty list for the card that it has not",
          method: "POST",
          path: "/subscriptions",
          body: {
            myId: 77,
            planMyId: "gold",
            planGalaxPayId: "{plan}",
            payday: "{nextWeek}",
            mainPaymentMethodId: "creditcard",
            Customer: buyer,
            PaymentMethodCreditCard: { Card: [] }
          },
          reads: {
            "Subscription.myId": "77",
            "Subscription.status": "waitingPayment",
            "Subscription.firstPayDayDate": "{nextWeek}",
            "Subscription.paymentLink": there
          }
        },
        {
          does: "sends the card alone",
          method: "PUT",
          path: "/subscriptions/77/myId",
          body: { PaymentMethodCreditCard: { Card: cardOf(captured) } },
          reads: { type: true, "Subscription.status": "active" }
        }
      ]
    },
    {
      name: "a subscription is edited by sending all of it back",
      given: [
        {
          does: "a buyer subscribes",
          method: "POST",
          path: "/subscriptions",
          body: {
            myId: "whole",
            value: 1990,
            quantity: "2",
            periodicity: "monthly",
            firstPayDayDate: "{nextWeek}",
            mainPaymentMethodId: "boleto",
            Customer: buyer
          }
        }
      ],
      steps: [
        {
          does: "reads it",
          method: "GET",
          path: "/subscriptions?startAt=0&limit=1&myIds=whole&",
          keeps: { whole: "Subscriptions.0" }
        },
        {
          does: "sends it back",
          method: "PUT",
          path: "/subscriptions/whole/myId",
          body: "{whole}",
          reads: { type: true, "Subscription.value": 1990, "Subscription.quantity": 2 }
        }
      ]
    },
    {
      name: "a page subscribes a buyer under no name of its own, with texts for numbers",
      steps: [
        {
          does: "subscribes",
          method: "POST",
          path: "/subscriptions",
          body: {
            value: 1990,
            quantity: "2",
            periodicity: "monthly",
            firstPayDayDate: "{nextWeek}",
            mainPaymentMethodId: "boleto",
            Customer: {
              name: buyer.name,
              document: buyer.document,
              emails: buyer.emails,
              phones: ["31987654321"],
              Address: buyer.Address
            }
          },
          reads: { type: true, "Subscription.myId": some, "Subscription.quantity": 2 },
          keeps: { made: "Subscription.galaxPayId", myId: "Subscription.myId" }
        },
        {
          does: "lists it by the name that it was given",
          method: "GET",
          path: "/subscriptions?startAt=0&limit=1&myIds={myId}",
          reads: { totalQtdFoundInPage: 1, "Subscriptions.0.galaxPayId": "{made}" }
        }
      ]
    },
    {
      name: "a payment is added without value and day",
      given: [
        plan,
        {
          does: "a buyer subscribes to the plan at a price of their own",
          method: "POST",
          path: "/subscriptions",
          body: {
            myId: "added",
            planMyId: "gold",
            value: 2990,
            firstPayDayDate: "{nextWeek}",
            mainPaymentMethodId: "boleto",
            Customer: buyer
          }
        }
      ],
      steps: [
        {
          does: "adds",
          method: "POST",
          path: "/transactions/added/myId/add",
          body: { myId: "extra" },
          reads: { type: true, "Transaction.value": 2990, "Transaction.payday": some }
        }
      ]
    },
    {
      name: "an order that was paid elsewhere is found by the day on which that became known",
      given: [order],
      steps: [
        {
          does: "says that it is paid",
          method: "PUT",
          path: "/charges/order/myId",
          body: { payday: "{nextWeek}", payedOutsideGalaxPay: true },
          reads: { type: true }
        },
        {
          does: "lists what was paid of a day",
          method: "GET",
          path: "/transactions?updateStatusFrom={today}&updateStatusTo={today}&status=payedBoleto,payExternal,payedPix&startAt=0&limit=100",
          reads: {
            totalQtdFoundInPage: 1,
            "Transactions.0.chargeMyId": "order",
            "Transactions.0.paydayDate": there,
            "Transactions.0.value": 1990
          }
        },
        {
          does: "lists charges with a template of all filters, most of them empty",
          method: "GET",
          path: "/charges?myIds=order&galaxPayIds=&customerMyIds=&customerGalaxPayIds=&createdAtFrom=&createdAtTo=&status=&ExtraFields=&startAt=0&limit=100&order=",
          reads: {
            totalQtdFoundInPage: 1,
            "Charges.0.paymentLink": there,
            "Charges.0.Transactions.0.Boleto": there,
            "Charges.0.Transactions.0.status": "payExternal"
          }
        }
      ]
    }
  ]
}
