/** An administration of health plans in Laravel: imports what is there, and takes payments at a counter. */
import { buyer, captured, cardOf } from "./People.ts"
import { type Call, json, type PublicCode, type Reads, some, there, usualScope } from "../replay/PublicCode.ts"

const one = (list: string, reads: Reads): Reads =>
  Object.fromEntries(Object.entries(reads).map(([place, expected]) => [`${list}.0.${place}`, expected]))

/** It stops at the first of these that is not there. */
const ofCustomer: Reads = {
  galaxPayId: some,
  name: some,
  document: some,
  emails: some,
  phones: there,
  status: some,
  createdAt: some,
  updatedAt: some,
  "Address.zipCode": some,
  "Address.street": some,
  "Address.number": some,
  "Address.complement": there,
  "Address.neighborhood": some,
  "Address.city": some,
  "Address.state": some,
  ExtraFields: some
}

const contract: Call = {
  does: "a contract of one boleto is made for a buyer",
  method: "POST",
  path: "/subscriptions",
  body: {
    myId: "contract",
    value: 4990,
    quantity: 1,
    periodicity: "monthly",
    firstPayDayDate: "{nextWeek}",
    mainPaymentMethodId: "boleto",
    Customer: buyer
  },
  keeps: { customer: "Subscription.Customer.galaxPayId" }
}

const contracts: Call = {
  does: "asks for the live contracts of a customer",
  method: "GET",
  path: "/subscriptions?customerGalaxPayIds={customer}&status=active&startAt=0&limit=100",
  reads: {
    totalQtdFoundInPage: 1,
    ...one("Subscriptions", {
      galaxPayId: some,
      value: 4990,
      quantity: 1,
      periodicity: "monthly",
      firstPayDayDate: "{nextWeek}",
      mainPaymentMethodId: "boleto",
      paymentLink: there,
      additionalInfo: there,
      status: "active"
    })
  },
  keeps: { contract: "Subscriptions.0.galaxPayId" }
}

const openPayments: Call = {
  does: "asks for the open payments of the contract",
  method: "GET",
  path: "/transactions?subscriptionGalaxPayIds={contract}&status=pendingBoleto,pendingPix,notSend&startAt=0&limit=100&order=payday.asc",
  reads: {
    totalQtdFoundInPage: 1,
    ...one("Transactions", {
      galaxPayId: some,
      value: 4990,
      payday: "{nextWeek}",
      paydayDate: there,
      status: "pendingBoleto",
      statusDescription: some,
      subscriptionGalaxPayId: "{contract}",
      "Boleto.pdf": some,
      "Subscription.paymentLink": there
    })
  },
  keeps: { payment: "Transactions.0.galaxPayId" }
}

const listen: Call = {
  does: "deliveries are asked for",
  method: "PUT",
  path: "/webhooks",
  body: { url: "{receiver}", events: ["transaction.updateStatus"] },
  keeps: { confirmHash: "confirmHash" }
}

export const koonac: PublicCode = {
  repository: "Koonac/galaxPay-integration",
  language: "PHP",
  headers: json,
  login: { headers: json, scope: usualScope },
  flows: [
    {
      name: "registers a buyer with one telephone number of two, edits it without an address, and finds it",
      steps: [
        {
          does: "sends the form",
          method: "POST",
          path: "/customers/",
          body: {
            ...buyer,
            myId: "20261234725",
            phones: ["11987654321", null],
            Address: { ...buyer.Address, complement: null },
            ExtraFields: [
              { tagName: "DEP_NOME_01", tagValue: "Ana" },
              { tagName: "DEP_CPF_01", tagValue: "11144477735" }
            ]
          },
          reads: Object.fromEntries(
            Object.entries(ofCustomer).map(([place, expected]) => [`Customer.${place}`, expected])
          ),
          keeps: { customer: "Customer.galaxPayId" }
        },
        {
          does: "sends what changed, and an empty list where no address is kept",
          method: "PUT",
          path: "/customers/{customer}/galaxPayId",
          body: {
            myId: "20261234725",
            name: "Maria Lima",
            document: buyer.document,
            emails: buyer.emails,
            phones: ["11987654321", ""],
            Address: []
          }
        },
        {
          does: "looks for it by its document",
          method: "GET",
          path: "/customers?documents=52998224725&startAt=0&limit=1",
          reads: {
            totalQtdFoundInPage: 1,
            ...one("Customers", { ...ofCustomer, myId: "20261234725", name: "Maria Lima" })
          }
        }
      ]
    },
    {
      name: "imports all customers, a hundred at a time, to the first page that is not full",
      given: [
        {
          does: "buyers come",
          method: "POST",
          path: "/customers",
          body: { ...buyer, myId: "buyer-{count}", document: "{document}" },
          times: 101
        }
      ],
      steps: [
        {
          does: "imports",
          imports: "Customers",
          path: "/customers?startAt={startAt}&limit=100",
          until: "not full",
          limit: 100,
          reads: ofCustomer,
          ends: { items: 101, pages: 2 }
        }
      ]
    },
    {
      name: "imports the contracts and open payments of a customer, and takes one at the counter",
      given: [contract],
      steps: [
        contracts,
        openPayments,
        {
          does: "says that it was paid elsewhere",
          method: "PUT",
          path: "/transactions/{payment}/galaxPayId",
          body: { payedOutsideGalaxPay: true, additionalInfo: "Pago no balcão." },
          reads: {
            "Transaction.value": 4990,
            "Transaction.payday": some,
            "Transaction.status": "payExternal",
            "Transaction.statusDescription": some
          }
        },
        { does: "cancels the contract", method: "DELETE", path: "/subscriptions/contract/myId" }
      ],
      ends: [
        {
          does: "the contract is over, and its payment is still paid",
          method: "GET",
          path: "/transactions?startAt=0&limit=1&galaxPayIds={payment}",
          reads: { "Transactions.0.status": "payExternal", "Transactions.0.Subscription.status": "canceled" }
        }
      ]
    },
    {
      name: "books a charge by Pix from its delivery",
      given: [
        listen,
        {
          does: "an order waits for its Pix",
          method: "POST",
          path: "/charges",
          body: { myId: "order", value: 4990, payday: "{today}", mainPaymentMethodId: "pix", Customer: buyer },
          keeps: { payment: "Charge.Transactions.0.galaxPayId" }
        }
      ],
      steps: [
        { does: "the buyer pays", pays: "{payment}" },
        {
          does: "knows the account by its hash, and the customer by its document",
          event: "transaction.updateStatus",
          reads: {
            confirmHash: "{confirmHash}",
            "Transaction.status": "payedPix",
            "Transaction.value": 4990,
            "Charge.Customer.document": buyer.document
          }
        }
      ]
    },
    {
      name: "books a charge that was authorized from its delivery",
      given: [
        listen,
        {
          does: "an order is authorized",
          method: "POST",
          path: "/charges",
          body: {
            myId: "order",
            value: 4990,
            payday: "{today}",
            mainPaymentMethodId: "creditcard",
            Customer: buyer,
            PaymentMethodCreditCard: { Card: cardOf(captured), preAuthorize: true }
          }
        }
      ],
      steps: [
        {
          does: "knows the account by its hash, and the customer by its document",
          event: "transaction.updateStatus",
          reads: {
            confirmHash: "{confirmHash}",
            "Transaction.status": "authorized",
            "Transaction.value": 4990,
            "Transaction.myId": some,
            "Charge.Customer.document": buyer.document
          }
        }
      ]
    }
  ]
}
