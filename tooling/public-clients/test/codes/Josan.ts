/** A client for Laravel. It keeps the body of its last write, and the filters of its last list, and sends them with what follows. */
import { address, cardOf, deniedOnce } from "./People.ts"
import { json, type PublicCode, some, usualScope } from "../replay/PublicCode.ts"

const Customer = {
  myId: "pay-1.1790000000",
  name: "Maria Souza",
  document: "52998224725",
  emails: ["maria@example.com", "souza@example.com"],
  phones: [3140201512, 31983890110],
  Address: { ...address, complement: "2º andar" }
}

const subscription = {
  myId: "pay-2.1790000000",
  value: 12999,
  quantity: 12,
  firstPayDayDate: "{today}",
  periodicity: "monthly",
  additionalInfo: "Plano",
  mainPaymentMethodId: "creditcard",
  Customer,
  PaymentMethodCreditCard: {
    Card: { ...cardOf("4111 1111 1111 1111"), myId: "pay-3.1790000000" },
    Link: { minInstallment: 1, maxInstallment: 6 }
  }
}

const subscriptionPath = `/subscriptions/${subscription.myId}/myId`
const chargePath = "/charges/pay-5.1790000000/myId"

export const josan: PublicCode = {
  repository: "josan-br/laravel-galax-pay",
  language: "PHP",
  headers: { ...json, accept: "application/json", timeout: "30" },
  login: { headers: { ...json, timeout: "30" }, scope: `${usualScope} carnes.read payment-methods.read` },
  flows: [
    {
      name: "subscribes a buyer whose first payment is charged at once, changes the value, and cancels",
      steps: [
        {
          does: "creates",
          method: "POST",
          path: "/subscriptions",
          body: subscription,
          reads: { "Subscription.myId": subscription.myId, "Subscription.Transactions.0.status": "captured" }
        },
        {
          does: "lists, with the body of before",
          method: "GET",
          path: `/subscriptions?limit=100&startAt=0&myIds=${subscription.myId}`,
          body: subscription,
          reads: { "Subscriptions.0.status": "active" }
        },
        {
          does: "changes the value alone",
          method: "PUT",
          path: subscriptionPath,
          body: { value: 13999 },
          reads: { "Subscription.value": 13999 }
        },
        { does: "cancels, with the body of before", method: "DELETE", path: subscriptionPath, body: { value: 13999 } },
        {
          does: "cancels again",
          method: "DELETE",
          path: subscriptionPath,
          body: { value: 13999 },
          status: 404,
          reads: { "error.message": some, "error.details": some }
        }
      ]
    },
    {
      name: "keeps a card for a buyer, charges it, tries again, and gives it back",
      given: [{ does: "a buyer is registered", method: "POST", path: "/customers", body: Customer }],
      steps: [
        {
          does: "keeps the card",
          method: "POST",
          path: `/cards/${Customer.myId}/myId`,
          body: { ...cardOf(deniedOnce), myId: "pay-4.1790000000" },
          reads: { "Card.galaxPayId": some, "Card.Brand.id": "visa", "Card.customerMyId": Customer.myId }
        },
        {
          does: "charges it",
          method: "POST",
          path: "/charges",
          body: {
            myId: "pay-5.1790000000",
            value: 12999,
            payday: "{today}",
            payedOutsideGalaxPay: false,
            mainPaymentMethodId: "creditcard",
            Customer: { myId: Customer.myId },
            PaymentMethodCreditCard: { Card: { myId: "pay-4.1790000000" } }
          },
          reads: { "Charge.Transactions.0.status": "denied" }
        },
        {
          does: "tries again, with an empty list as body",
          method: "PUT",
          path: `${chargePath}/retry`,
          body: [],
          reads: { "Charge.Transactions.0.status": "captured" }
        },
        {
          does: "gives it back, with an empty list as body",
          method: "PUT",
          path: `${chargePath}/reverse`,
          body: [],
          reads: { "Charge.Transactions.0.status": "reversed" }
        },
        { does: "deactivates the buyer", method: "DELETE", path: `/customers/${Customer.myId}/myId`, body: [] }
      ],
      ends: [
        {
          does: "the buyer is inactive",
          method: "GET",
          path: `/customers?startAt=0&limit=1&myIds=${Customer.myId}`,
          reads: { "Customers.0.status": "inactive" }
        }
      ]
    },
    {
      name: "adds a payment to a manual subscription, edits and cancels it; documents of boletos are not there",
      given: [{ does: "a buyer is registered", method: "POST", path: "/customers", body: Customer }],
      steps: [
        {
          does: "creates",
          method: "POST",
          path: "/subscriptions/manual",
          body: {
            myId: "pay-6.1790000000",
            mainPaymentMethodId: "creditcard",
            Customer: { myId: Customer.myId },
            PaymentMethodCreditCard: { Card: { ...cardOf("4111111111111111"), myId: "pay-7.1790000000" } },
            Transactions: []
          }
        },
        {
          does: "adds",
          method: "POST",
          path: "/transactions/pay-6.1790000000/myId/add",
          body: { myId: "pay-8.1790000000", value: 5000, payday: "{nextWeek}" },
          reads: { "Transaction.status": "notSend" }
        },
        {
          does: "edits",
          method: "PUT",
          path: "/transactions/pay-8.1790000000/myId",
          body: { value: 6000 },
          reads: { "Transaction.value": 6000 }
        },
        {
          does: "asks for the slips of several in one document",
          method: "POST",
          path: "/boletos/transactions",
          body: { myIds: ["pay-8.1790000000"], order: "transactionPayday.asc" },
          status: 501,
          reads: { "error.message": some }
        },
        {
          does: "cancels",
          method: "DELETE",
          path: "/transactions/pay-8.1790000000/myId",
          body: { myIds: ["pay-8.1790000000"], order: "transactionPayday.asc" }
        }
      ],
      ends: [
        {
          does: "it is canceled",
          method: "GET",
          path: "/transactions?startAt=0&limit=1&myIds=pay-8.1790000000",
          reads: { "Transactions.0.status": "cancel" }
        }
      ]
    },
    {
      name: "is told of a payment that changed",
      steps: [
        {
          does: "asks for deliveries",
          method: "PUT",
          path: "/webhooks",
          body: { url: "{receiver}", events: ["transaction.updateStatus", "subscription.addTransaction"] },
          reads: { type: true, confirmHash: some }
        },
        {
          does: "subscribes a buyer",
          method: "POST",
          path: "/subscriptions",
          body: subscription
        },
        {
          does: "asks for the event's name, and hands on the rest",
          event: "transaction.updateStatus",
          reads: {
            event: "transaction.updateStatus",
            "Transaction.status": "captured",
            "Subscription.myId": subscription.myId
          }
        }
      ]
    }
  ]
}
