/** Modules of WHMCS for cards and Pix. Every request asks for a token first. */
import { captured, denied } from "./People.ts"
import { type Call, type Json, json, type PublicCode, some, usualScope } from "../replay/PublicCode.ts"

/** It names the platform that it belongs to on every request. */
const partner = { authorizationpartner: Buffer.from("1:platform").toString("base64") }

/** A user's number, and a telephone number as it was typed, with the country's code. */
const Customer = {
  myId: 7,
  name: "Maria Souza",
  document: "52998224725",
  emails: ["maria@example.com"],
  phones: ["5511987654321"]
}

const order = (myId: string, payment: { readonly [key: string]: Json }) => ({
  additionalInfo: "Hospedagem | R$ 49,90",
  myId,
  value: 4990,
  payday: "{today}",
  payedOutsideGalaxPay: false,
  Customer,
  ...payment
})

/** Numbers as they stand on cards, and instalments as a form has them. */
const typed = (number: string, myId?: string) => ({
  mainPaymentMethodId: "creditcard",
  PaymentMethodCreditCard: {
    Card: {
      ...(myId === undefined ? {} : { myId }),
      number: number.replace(/(?=(?:.{4})+$)(?!^)/gu, " "),
      holder: "Maria Souza",
      expiresAt: "2030-12",
      cvv: "123"
    },
    preAuthorize: false,
    qtdInstallments: "2"
  }
})

const paidByNewCard: Call = {
  does: "pays an invoice by the card that was typed, which it keeps",
  method: "POST",
  path: "/charges",
  body: order("771790000000", typed(captured, "12")),
  reads: {
    "Charge.galaxPayId": some,
    "Charge.Transactions.0.galaxPayId": some,
    "Charge.Transactions.0.status": "captured",
    "Charge.Transactions.0.CreditCard.Card.myId": "12",
    "Charge.Transactions.0.CreditCard.Card.galaxPayId": some
  }
}

export const gofas: PublicCode = {
  repository: "gofas/gofasgalaxpaycartao, gofasgalaxpaypix",
  language: "PHP",
  headers: { ...json, ...partner },
  login: { headers: { ...json, ...partner }, scope: `${usualScope} carnes.read payment-methods.read` },
  flows: [
    {
      name: "has an invoice paid by a new card, the next one by the card that was kept, and gives that one back",
      steps: [
        paidByNewCard,
        {
          does: "pays by the kept card, with terms beside the method that the interface has inside it",
          method: "POST",
          path: "/charges",
          body: order("781790000001", {
            mainPaymentMethodId: "creditcard",
            PaymentMethodCreditCard: { Card: { myId: 12 } },
            preAuthorize: false,
            qtdInstallments: 1
          }),
          reads: { "Charge.Transactions.0.status": "captured" },
          keeps: { charge: "Charge.galaxPayId", payment: "Charge.Transactions.0.galaxPayId" }
        },
        {
          does: "looks at the payment",
          method: "GET",
          path: "/transactions?galaxPayIds={payment}&limit=1&order=createdAt.desc&startAt=0",
          reads: { "Transactions.0.status": "captured" }
        },
        { does: "gives it back, without a body", method: "PUT", path: "/charges/{charge}/galaxPayId/reverse" }
      ],
      ends: [
        {
          does: "the second is given back, the first is not",
          method: "GET",
          path: "/charges?startAt=0&limit=2&order=createdAt.asc",
          reads: {
            "Charges.0.Transactions.0.status": "captured",
            "Charges.1.Transactions.0.status": "reversed",
            "Charges.1.Customer.myId": "7"
          }
        }
      ]
    },
    {
      name: "shows why a card was denied, and what a request lacks",
      steps: [
        {
          does: "tries to pay",
          method: "POST",
          path: "/charges",
          body: order("791790000002", typed(denied)),
          reads: { "Charge.Transactions.0.status": "denied", "Charge.Transactions.0.statusDescription": some }
        },
        {
          does: "names a card that nobody kept",
          method: "POST",
          path: "/charges",
          body: order("801790000003", {
            mainPaymentMethodId: "creditcard",
            PaymentMethodCreditCard: { Card: { myId: 99 } }
          }),
          status: 400,
          reads: { "error.message": some, "error.details.PaymentMethodCreditCard.Card": some }
        }
      ]
    },
    {
      name: "shows the code of a Pix, and sees that it is paid",
      steps: [
        {
          does: "asks for the Pix of an invoice",
          method: "POST",
          path: "/charges",
          body: order("811790000004", { mainPaymentMethodId: "pix", PaymentMethodPix: { instructions: "Fatura 81" } }),
          reads: {
            "Charge.galaxPayId": some,
            "Charge.Transactions.0.status": "pendingPix",
            "Charge.Transactions.0.Pix.qrCode": some,
            "Charge.Transactions.0.Pix.image": some,
            "Charge.Transactions.0.Pix.reference": some
          },
          keeps: { payment: "Charge.Transactions.0.galaxPayId" }
        },
        { does: "the buyer pays", pays: "{payment}" },
        {
          does: "looks at the payment, every five minutes",
          method: "GET",
          path: "/transactions?galaxPayIds={payment}&limit=1&order=createdAt.desc&startAt=0",
          reads: { "Transactions.0.status": "payedPix" }
        }
      ]
    }
  ]
}
