const { startSandbox } = require("@parcela/testkit")

/** Your program: it calls the service with nothing but `fetch`. */
const call = async (company, method, path, body) => {
  const response = await fetch(`${company.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${await company.token()}`, "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  return response.json()
}

let sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

test("a card without funds is denied, and captured when it is tried again a month later", async () => {
  const company = await sandbox.company()
  await company.fail({ call: "charge", fault: { type: "Denied", code: "51" } })
  const { Charge } = await call(company, "POST", "/charges", {
    myId: "order-1",
    value: 12990,
    payday: await company.today(),
    mainPaymentMethodId: "creditcard",
    Customer: { name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] },
    PaymentMethodCreditCard: {
      Card: { number: "4111111111111111", holder: "ANA SOUZA", expiresAt: "2099-12", cvv: "951" }
    }
  })
  expect(Charge.Transactions[0].status).toBe("denied")

  await company.advance({ months: 1 })
  await call(company, "PUT", "/charges/order-1/myId/retry")
  const { data } = await company.nextEvent("TransactionStatusChanged", { where: ({ data }) => data.to !== "denied" })
  expect(data).toMatchObject({ from: "denied", to: "captured" })
})
