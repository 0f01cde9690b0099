import { Parcela } from "@parcela/client"
import { type Company, type Sandbox, startSandbox } from "@parcela/testkit"
import { afterAll, beforeAll, expect, test } from "vitest"

/** Your program: it sells by boleto or Pix, and returns the number of the payment. */
const sell = async (company: Company, orderId: string, mainPaymentMethodId: "boleto" | "pix") => {
  const { Charge } = await new Parcela(company).charges.create({
    myId: orderId,
    value: 12_990,
    payday: await company.today(),
    mainPaymentMethodId,
    Customer: { name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }
  })
  return Charge.Transactions?.[0]?.svcPayId
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

// Each test has a company of its own, so they run at the same time.
test.concurrent("an order is paid by Pix, and a webhook says so", async () => {
  const company = await sandbox.company()
  const webhooks = await company.receiveWebhooks()
  const transactionId = await sell(company, "order-1", "pix")
  await company.pay({ transactionId })
  const { body } = await webhooks.next("transaction.updateStatus")
  expect(body.Transaction).toMatchObject({ svcPayId: transactionId, status: "payedPix", value: 12_990 })
})

test.concurrent("an order that nobody pays is given up after its last day", async () => {
  const company = await sandbox.company()
  await sell(company, "order-1", "boleto")
  const { changes } = await company.advance({ days: 60 })
  expect(changes).toContainEqual({ event: "TransactionStatusChanged", to: "notCompensated", count: 1 })
})
