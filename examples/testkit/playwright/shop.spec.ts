import { Parcela } from "@parcela/client"
import { type Company, type Sandbox, startSandbox } from "@parcela/testkit"
import { test as base, expect } from "@playwright/test"

/** One sandbox for each worker, and a company for each test. */
const test = base.extend<{ company: Company }, { sandbox: Sandbox }>({
  sandbox: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from the first argument what a fixture needs: nothing.
    async ({}, use) => {
      await using sandbox = await startSandbox()
      await use(sandbox)
    },
    { scope: "worker" }
  ],
  company: async ({ sandbox }, use) => use(await sandbox.company())
})

/** Your program: it sells by Pix, and shows the payer this page. */
const sell = async (company: Company, orderId: string) => {
  const { Charge } = await new Parcela(company).charges.create({
    myId: orderId,
    value: 12_990,
    payday: await company.today(),
    mainPaymentMethodId: "pix",
    Customer: { name: "Ana Souza", document: "52998224725", emails: ["ana@example.com"] }
  })
  return Charge.Transactions?.[0]?.Pix?.page ?? ""
}

test("a payer opens the page of a Pix and pays it", { tag: "@browser" }, async ({ company, page }) => {
  await page.goto(await sell(company, "order-1"))
  await expect(page.locator("body")).toContainText("R$ 129,90")
  await page.getByRole("button", { name: "Simular pagamento" }).click()
  await expect(page.locator("body")).toContainText("Pagamento recebido")
  const { data } = await company.nextEvent("TransactionStatusChanged")
  expect(data).toMatchObject({ to: "payedPix" })
})

// `npx playwright test --grep-invert @browser` needs none.
test("the page of a Pix is paid without a browser", async ({ company, request }) => {
  const page = await sell(company, "order-1")
  expect(await (await request.get(page)).text()).toContain("R$ 129,90")
  await expect(await request.post(page.replace(/pix$/u, "simulate-payment"))).toBeOK()
  const { data } = await company.nextEvent("TransactionStatusChanged")
  expect(data).toMatchObject({ to: "payedPix" })
})
