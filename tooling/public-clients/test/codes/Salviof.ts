/** An integration of an ERP, in Java: plans by card, boletos with instalments of their own, and what was paid. */
import { address } from "./People.ts"
import { json, type PublicCode, some, usualScope } from "../replay/PublicCode.ts"

const Customer = { myId: "666", document: "06321298670" }

const buyer = {
  ...Customer,
  name: "Maria Souza",
  emails: ["maria@example.com"],
  phones: [31984178550],
  Address: address
}

const known = [{ does: "the debtor is registered", method: "POST", path: "/customers", body: buyer } as const]

const InvoiceConfig = {
  description: "Serviços",
  type: "onePerTransaction",
  createOn: "daysBeforePayDay",
  qtdDaysBeforePayDay: 2
}

export const salviof: PublicCode = {
  repository: "salviof/intGalaxPay",
  language: "Java",
  headers: json,
  login: { headers: { ...json, "user-agent": "server" }, scope: `${usualScope} payment-methods.read` },
  flows: [
    {
      name: "registers a customer and a plan, subscribes it by card, cancels, and puts both away",
      steps: [
        { does: "registers", method: "POST", path: "/customers", body: buyer },
        { does: "edits", method: "PUT", path: "/customers/666/myId", body: { ...buyer, name: "Maria Lima" } },
        {
          does: "makes the plan",
          method: "POST",
          path: "/plans",
          body: {
            myId: "669",
            name: "Plano teste 1",
            periodicity: "monthly",
            quantity: 12,
            PlanPrices: [{ payment: "creditcard", value: 15030 }]
          }
        },
        {
          does: "subscribes",
          method: "POST",
          path: "/subscriptions",
          body: {
            myId: "693",
            planMyId: "669",
            firstPayDayDate: "{today}",
            mainPaymentMethodId: "creditcard",
            Customer: { ...Customer, name: "Maria Lima", emails: ["maria@example.com"] },
            PaymentMethodCreditCard: {
              Card: {
                myId: "669",
                number: "4111 1111 1111 1111",
                holder: "MARIA LIMA",
                expiresAt: "2030-06",
                cvv: "363"
              }
            }
          },
          reads: { "Subscription.Transactions.0.status": "captured" }
        },
        { does: "cancels", method: "DELETE", path: "/subscriptions/693/myId" },
        { does: "puts the plan away", method: "DELETE", path: "/plans/669/myId" },
        { does: "puts the customer away", method: "DELETE", path: "/customers/666/myId" }
      ],
      ends: [
        {
          does: "it is canceled",
          method: "GET",
          path: "/subscriptions?startAt=0&limit=1&planMyIds=669",
          reads: { "Subscriptions.0.status": "canceled", "Subscriptions.0.value": 15030 }
        }
      ]
    },
    {
      name: "subscribes a known debtor to boletos, each with its own value and day, and finds them",
      given: known,
      steps: [
        {
          does: "looks for the debtor by its document",
          method: "GET",
          path: "/customers?startAt=0&limit=1&documents=06321298670",
          reads: { totalQtdFoundInPage: 1, "Customers.0.galaxPayId": some },
          keeps: { debtor: "Customers.0.galaxPayId" }
        },
        {
          does: "subscribes",
          method: "POST",
          path: "/subscriptions",
          body: {
            myId: "701",
            aditionalInfo: "Contrato 701",
            mainPaymentMethodId: "boleto",
            firstPayDayDate: "{nextWeek}",
            quantity: 2,
            periodicity: "monthly",
            value: 10000,
            Customer,
            Transactions: [
              {
                myId: "7011",
                installment: 1,
                value: 10000,
                payday: "{nextWeek}",
                payedOutsideGalaxPay: false,
                additionalInfo: "Parcela 1"
              },
              {
                myId: "7012",
                installment: 2,
                value: 12500,
                payday: "{nextMonth}",
                payedOutsideGalaxPay: false,
                additionalInfo: "Parcela 2"
              }
            ],
            InvoiceConfig,
            PaymentMethodBoleto: {
              fine: 200,
              interest: 100,
              instructions: "Pague em qualquer banco.",
              deadlineDays: 10
            }
          }
        },
        {
          does: "asks for what the debtor has",
          method: "GET",
          path: "/subscriptions?startAt=0&limit=100&customerGalaxPayIds={debtor}",
          reads: {
            "Subscriptions.0.myId": "701",
            "Subscriptions.0.status": "active",
            "Subscriptions.0.value": 10000,
            "Subscriptions.0.Customer.document": Customer.document,
            "Subscriptions.0.Transactions.0.value": some,
            "Subscriptions.0.Transactions.1.payday": some
          }
        }
      ],
      ends: [
        {
          does: "the second instalment is what was said",
          method: "GET",
          path: "/transactions?startAt=0&limit=1&myIds=7012",
          reads: {
            "Transactions.0.value": 12500,
            "Transactions.0.payday": "{nextMonth}",
            "Transactions.0.status": "pendingBoleto"
          }
        }
      ]
    },
    {
      name: "charges a known debtor once by boleto, finds it, and cancels it",
      given: known,
      steps: [
        {
          does: "charges",
          method: "POST",
          path: "/charges",
          body: {
            myId: "801",
            value: 25000,
            aditionalInfo: "Serviço",
            payday: "{nextWeek}",
            mainPaymentMethodId: "boleto",
            Customer,
            InvoiceConfig,
            PaymentMethodBoleto: { instructions: "Serviço" }
          },
          keeps: { debtor: "Charge.Customer.galaxPayId" }
        },
        {
          does: "asks for the debtor's charges",
          method: "GET",
          path: "/charges?startAt=0&limit=100&customerGalaxPayIds={debtor}",
          reads: { "Charges.0.value": 25000, "Charges.0.Transactions.0.payday": "{nextWeek}" }
        },
        { does: "cancels", method: "DELETE", path: "/charges/801/myId" }
      ]
    },
    {
      name: "imports all debtors, to the first page that is empty",
      given: [
        {
          does: "debtors come",
          method: "POST",
          path: "/customers",
          body: { ...buyer, myId: "debtor-{count}", document: "{document}" },
          times: 3
        }
      ],
      steps: [
        {
          does: "imports",
          imports: "Customers",
          path: "/customers?startAt={startAt}&limit=100",
          until: "empty",
          limit: 100,
          reads: { galaxPayId: some, myId: some, name: some, document: some, emails: some },
          ends: { items: 3, pages: 2 }
        }
      ]
    },
    {
      name: "imports what was paid between two days",
      given: [
        ...known,
        {
          does: "an order is paid",
          method: "POST",
          path: "/charges",
          body: {
            myId: "901",
            value: 9900,
            payday: "{today}",
            mainPaymentMethodId: "creditcard",
            Customer,
            PaymentMethodCreditCard: {
              Card: { number: "4111111111111111", holder: "MARIA LIMA", expiresAt: "2030-06", cvv: "363" }
            }
          }
        }
      ],
      steps: [
        {
          does: "imports",
          imports: "Transactions",
          path: "/transactions?payDayFrom={yesterday}&payDayTo={nextWeek}&status=captured,payedBoleto,payedPix&startAt={startAt}&limit=100",
          until: "empty",
          limit: 100,
          reads: { galaxPayId: some, myId: some, value: 9900, status: "captured", payday: "{today}" },
          ends: { items: 1, pages: 2 }
        }
      ]
    }
  ]
}
