/** The vendor's own module for Magento 2. Its header for the content type has no colon, so that curl says of each body that it is a form. */
import { captured, cardOf, denied } from "./People.ts"
import { type Call, form, type Json, json, type PublicCode, some, usualScope } from "../replay/PublicCode.ts"

/** A buyer without an identifier: each order names them by their document. */
const Customer = {
  name: "Maria Souza",
  emails: ["maria@example.com"],
  document: "52998224725",
  phones: ["11987654321"],
  Address: {
    street: "Rua A",
    number: "10",
    complement: "",
    neighborhood: "Centro",
    zipCode: "30130000",
    city: "Belo Horizonte",
    state: "MG"
  }
}

const order = (myId: string, payment: { readonly [key: string]: Json }) => ({
  myId,
  Customer,
  value: 12990,
  payday: "{today}",
  ...payment
})

const byCard = (number: string) => ({
  mainPaymentMethodId: "creditcard",
  PaymentMethodCreditCard: { Card: cardOf(number), qtdInstallments: 3 }
})

const create = (does: string, body: Json, reads: Call["reads"]): Call => ({
  does,
  method: "POST",
  path: "/charges",
  body,
  ...(reads ? { reads } : {}),
  keeps: { charge: "Charge.galaxPayId" }
})

const listen: Call = {
  does: "deliveries are asked for",
  method: "PUT",
  path: "/webhooks",
  body: { url: "{receiver}", events: ["transaction.updateStatus"] },
  keeps: { confirmHash: "confirmHash" }
}

export const magento: PublicCode = {
  repository: "galaxpay/galaxpay-magento2",
  language: "PHP",
  headers: form,
  login: { headers: json, scope: `payment-methods.read ${usualScope}` },
  flows: [
    {
      name: "offers the brands and the ways to pay that there are",
      steps: [
        {
          does: "asks for brands, with an empty list as body",
          method: "GET",
          path: "/card-brands",
          body: [],
          reads: { "CardBrands.0.id": some, "CardBrands.0.name": some }
        },
        {
          does: "asks for ways to pay",
          method: "GET",
          path: "/payment-methods",
          body: [],
          reads: { "PaymentMethods.0.id": some }
        }
      ]
    },
    {
      name: "has an order paid in three instalments, and the buyer comes again",
      steps: [
        create("pays by card", order("100000001", byCard(captured)), {
          "Charge.galaxPayId": some,
          "Charge.Transactions.0.status": "captured"
        }),
        create("pays another order by card", order("100000002", byCard(captured)), {
          "Charge.Transactions.0.status": "captured"
        })
      ],
      ends: [
        {
          does: "both are of one customer",
          method: "GET",
          path: "/customers?startAt=0&limit=10",
          reads: { totalQtdFoundInPage: 1, "Customers.0.document": Customer.document }
        }
      ]
    },
    {
      name: "takes an order back whose card was denied",
      steps: [
        create("tries to pay", order("100000003", byCard(denied)), { "Charge.Transactions.0.status": "denied" }),
        { does: "cancels the charge", method: "DELETE", path: "/charges/{charge}/galaxPayId", body: [] }
      ],
      ends: [
        {
          does: "it is canceled",
          method: "GET",
          path: "/charges?limit=1&startAt=0&myIds=100000003",
          reads: { "Charges.0.status": "canceled" }
        }
      ]
    },
    {
      name: "shows the slip of a boleto and the page of a Pix",
      steps: [
        create("orders by boleto", order("100000004", { mainPaymentMethodId: "boleto" }), {
          "Charge.Transactions.0.Boleto.pdf": some,
          "Charge.Transactions.0.payday": "{today}"
        }),
        create(
          "orders by Pix",
          order("100000005", { mainPaymentMethodId: "pix", PaymentMethodPix: { instructions: "Pedido 100000005" } }),
          { "Charge.Transactions.0.Pix.page": some, "Charge.Transactions.0.payday": "{today}" }
        )
      ]
    },
    {
      name: "invoices an order by Pix when its delivery says that it is paid",
      given: [listen],
      steps: [
        {
          ...create(
            "orders by Pix",
            order("100000007", { mainPaymentMethodId: "pix", PaymentMethodPix: { instructions: "Pedido 100000007" } }),
            { "Charge.Transactions.0.Pix.page": some }
          ),
          keeps: { payment: "Charge.Transactions.0.galaxPayId" }
        },
        { does: "the buyer pays", pays: "{payment}" },
        {
          does: "compares the hash, and finds the order by the charge",
          event: "transaction.updateStatus",
          reads: { confirmHash: "{confirmHash}", "Transaction.status": "payedPix", "Charge.myId": "100000007" }
        }
      ]
    },
    {
      name: "invoices an order when its delivery says that it is paid",
      given: [listen],
      steps: [
        create("pays by card", order("100000006", byCard(captured)), { "Charge.Transactions.0.status": "captured" }),
        {
          does: "compares the hash, and finds the order by the charge",
          event: "transaction.updateStatus",
          reads: {
            confirmHash: "{confirmHash}",
            "Transaction.status": "captured",
            "Charge.myId": "100000006"
          }
        }
      ]
    }
  ]
}
