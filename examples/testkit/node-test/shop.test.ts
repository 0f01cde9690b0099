import { Parcela } from "@parcela/client"
import { type Company, startSandbox } from "@parcela/testkit"
import { deepEqual } from "node:assert/strict"
import { after, test } from "node:test"

/** Your program: it charges a card. */
const charge = async (company: Company, orderId: string) => {
  await new Parcela(company).charges.create({
    myId: orderId,
    value: 12_990,
    payday: await company.today(),
    mainPaymentMethodId: "creditcard",
    Customer: { name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] },
    PaymentMethodCreditCard: {
      Card: { number: "4111111111111111", holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "951" }
    }
  })
}

const sandbox = await startSandbox()
after(() => sandbox.close())

test("a card is charged once, also when the operator's response is lost", async () => {
  const company = await sandbox.company()
  await company.fail({ call: "charge", fault: { type: "ResponseLost" } })
  await charge(company, "order-1")
  // The service asks the operator what became of it, if need be after its response.
  await company.nextEvent("TransactionStatusChanged", { where: ({ data }) => data["to"] === "captured" })
  const moved = (await company.providerRequests()).filter(({ effect }) => effect === "captured")
  deepEqual(
    moved.map(({ value }) => value),
    [12_990]
  )
})
