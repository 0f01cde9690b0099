/** A class for any request. It asks for a token with JSON that curl calls a form, and for lists of active customers. */
import { buyer } from "./People.ts"
import { form, json, type PublicCode, some, usualScope } from "../replay/PublicCode.ts"

const { Address, ...named } = buyer

export const aactary: PublicCode = {
  repository: "aactary/inter-galax",
  language: "PHP",
  headers: { ...json, "cache-control": "no-cache" },
  login: { headers: form, scope: usualScope },
  flows: [
    {
      name: "registers a buyer, edits it, subscribes it to boletos, lists the active ones, and deactivates it",
      steps: [
        {
          does: "registers",
          method: "POST",
          path: "/customers",
          body: { ...named, Address },
          reads: { type: true, "Customer.galaxPayId": some }
        },
        {
          does: "edits",
          method: "PUT",
          path: "/customers/buyer/myId",
          body: { ...named, name: "Maria Lima", Address },
          reads: { "Customer.name": "Maria Lima" }
        },
        {
          does: "subscribes, with the buyer once more",
          method: "POST",
          path: "/subscriptions",
          body: {
            myId: "SUB-1",
            value: 3000,
            quantity: 10,
            periodicity: "monthly",
            firstPayDayDate: "{nextWeek}",
            additionalInfo: "Assinatura",
            mainPaymentMethodId: "boleto",
            Customer: { ...named, Address }
          },
          reads: { type: true, "Subscription.status": "active", "Subscription.Transactions.0.Boleto.pdf": some }
        },
        {
          does: "lists",
          method: "GET",
          path: "/customers?startAt=0&status=active&limit=50",
          reads: { totalQtdFoundInPage: 1, "Customers.0.myId": "buyer" }
        },
        { does: "deactivates", method: "DELETE", path: "/customers/buyer/myId", reads: { type: true } }
      ],
      ends: [
        {
          does: "none is active, and the subscription goes on",
          method: "GET",
          path: "/subscriptions?startAt=0&limit=1",
          reads: { "Subscriptions.0.status": "active" }
        }
      ]
    }
  ]
}
