/** An example in Java that charges once by boleto: a buyer with telephone numbers as text and without an address. */
import { json, type PublicCode, some } from "../replay/PublicCode.ts"

const headers = { ...json, "user-agent": "API Software ERP" }

export const wilton: PublicCode = {
  repository: "wiltonOA/api-java-galax-pay",
  language: "Java",
  headers,
  login: {
    headers,
    scope:
      "customers.read customers.write plans.read plans.write transactions.read transactions.write webhooks.write " +
      "subscriptions.read subscriptions.write charges.read charges.write boletos.read carnes.read"
  },
  flows: [
    {
      name: "charges once by boleto, and has its slip",
      steps: [
        {
          does: "charges",
          method: "POST",
          path: "/charges",
          body: {
            myId: "1773225",
            value: 1165,
            additionalInfo: "VENDA 5288",
            payday: "{today}",
            payedOutsideGalaxPay: false,
            mainPaymentMethodId: "boleto",
            Customer: {
              myId: "1",
              name: "CONSUMIDOR",
              document: "65324441970",
              emails: ["one@example.com", "two@example.com"],
              phones: ["3140201512", "31983890110"]
            },
            PaymentMethodBoleto: { fine: 0, interest: 0, instructions: "Venda", deadlineDays: 59 }
          },
          reads: { "Charge.galaxPayId": some, "Charge.Transactions.0.Boleto.pdf": some }
        }
      ],
      ends: [
        {
          does: "the boleto is open",
          method: "GET",
          path: "/transactions?startAt=0&limit=1&chargeMyIds=1773225",
          reads: {
            "Transactions.0.status": "pendingBoleto",
            "Transactions.0.value": 1165,
            "Transactions.0.Charge.Customer.phones": [3140201512, 31983890110]
          }
        }
      ]
    }
  ]
}
