import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { defaults, type SandboxOptions, simulatesPayments } from "@parcela/sandbox/SandboxOptions"
import { Effect, Redacted } from "effect"
import { failAfter } from "./fixtures/FailingStore.ts"
import { callAs } from "./fixtures/RawRequest.ts"
import { byCode, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"

/** The address of what a payer sees, and its payment's status. */
const due = Effect.fnUntraced(function* (method: "boleto" | "pix", terms: object = {}) {
  const bearer = yield* token
  const { url } = yield* Sandbox
  yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: { ...byCode(method), ...terms } })
  yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
  const shown = Effect.map(
    call("GET", "/v2/transactions?startAt=0&limit=1&myIds=p", { token: bearer }),
    ({ json }) => json.Transactions[0]
  )
  const { Boleto, Pix } = yield* shown
  const address = String(Pix?.page ?? Boleto.pdf).slice(url.length)
  return { address, folder: address.slice(0, address.lastIndexOf("/")), status: Effect.map(shown, (one) => one.status) }
})

const form = (path: string, body = "") =>
  call("POST", path, { body, headers: { "content-type": "application/x-www-form-urlencoded" } })

describe("the pages of a payer", () => {
  it.effect("have a button that pays a Pix, after which the page shows it as paid", () =>
    Effect.gen(function* () {
      const { address, folder, status } = yield* due("pix")
      const page = yield* call("GET", address)
      assert.match(page.text, /<form method="post" action="simulate-payment">\n<button type="submit">Simular pagamento/)
      assert.include(page.headers.get("content-security-policy"), "form-action 'self'")
      assert.notInclude((yield* call("GET", `${folder}/simulate-payment`)).text, "boleto")
      const other = yield* form(`${folder}/simulate-payment`, "value=1")
      assert.strictEqual(other.status, 400)
      assert.include(other.text, "Um Pix é pago com o valor cobrado")
      const paid = yield* form(`${folder}/simulate-payment`)
      assert.deepStrictEqual([paid.status, paid.headers.get("location")], [303, "pix"])
      assert.include((yield* call("GET", address)).text, "Pagamento recebido")
      assert.strictEqual(yield* status, "payedPix")
      const again = yield* form(`${folder}/simulate-payment`)
      assert.strictEqual(again.status, 400)
      assert.include(again.text, "Este Pix já foi pago")
      assert.include((yield* call("GET", `${folder}/simulate-payment`)).text, "Este Pix já foi pago")
    }).pipe(onServer())
  )

  it.effect("show the amount due today, with the terms of the code", () =>
    Effect.gen(function* () {
      const Discount = { qtdDaysBeforePayDay: 0, type: "fixed", value: 190 }
      const terms = { fine: 200, interest: 100, Discount, Deadline: { type: "days", value: 30 } }
      const { address, folder } = yield* due("pix", { PaymentMethodPix: terms })
      assert.match(
        (yield* call("GET", `${folder}/simulate-payment`)).text,
        /Valor: R\$ 19,90.*\n.*Desconto: − R\$ 1,90/
      )
      const early = (yield* call("GET", address)).text
      assert.match(early, /<p class="value">R\$ 18,00<\/p>/)
      for (const text of [
        "R$ 19,90",
        "Até 21/09/2026, desconto de R$ 1,90.",
        "multa de 2,00%",
        "juros de 1,00% ao mês"
      ])
        assert.include(early, text)
      yield* call("POST", "/sandbox/companies/sandbox/clock/advance", { body: { to: "2026-10-08T15:00:00Z" } })
      assert.match((yield* call("GET", address)).text, /<p class="value">R\$ 20,40<\/p>/)
      const late = (yield* call("GET", `${folder}/simulate-payment`)).text
      assert.match(late, /R\$ 20,40.*\n.*\n.*Valor: R\$ 19,90.*\n.*Multa: R\$ 0,39.*\n.*Juros: R\$ 0,11/)
      assert.notInclude(late, "Desconto")
    }).pipe(onServer())
  )

  it.effect("pay a boleto with any amount, on the page that the slip links to", () =>
    Effect.gen(function* () {
      const { address, folder, status } = yield* due("boleto")
      assert.include((yield* call("GET", address)).text, "simulate-payment")
      const page = yield* call("GET", `${folder}/simulate-payment`)
      for (const text of ["Pagar R$ 19,90", "R$ 19,89", "R$ 19,91", "Pagar duas vezes"]) assert.include(page.text, text)
      const sent = yield* form(`${folder}/simulate-payment`, "value=1989")
      assert.deepStrictEqual([sent.status, sent.headers.get("location")], [303, "simulate-payment?paid"])
      const after = yield* call("GET", `${folder}/simulate-payment?paid`)
      assert.include(after.text, "Pago. O banco informa o pagamento")
      assert.notInclude(page.text, "Pago.")
      assert.notInclude(page.text, "de novo")
      assert.include(after.text, "Há um pagamento, R$ 19,89 ao todo.")
      for (const text of ["Pagar de novo R$ 19,90", "Pagar mais duas vezes"]) assert.include(after.text, text)
      assert.notInclude(after.text, ">Pagar R$")
      assert.strictEqual((yield* form(`${folder}/simulate-payment`, "value=x")).status, 400)
      yield* call("POST", "/sandbox/companies/sandbox/clock/advance", { body: { to: "2026-09-22T12:00:00Z" } })
      assert.strictEqual(yield* status, "lessValueBoleto")
      const wrong = yield* call("GET", "/documents/1/wrong/simulate-payment")
      assert.strictEqual(wrong.status, 404)
      assert.notInclude(wrong.text, "Voltar")
      assert.strictEqual((yield* form("/documents/1/wrong/simulate-payment")).status, 404)
    }).pipe(onServer())
  )

  it.effect("ask to check before another payment when the store fails after a payment", () =>
    Effect.gen(function* () {
      const { folder } = yield* due("boleto")
      const failures = yield* failAfter("INSERT INTO payments", "FROM transactions")
      const unknown = yield* form(`${folder}/simulate-payment`)
      assert.strictEqual(unknown.status, 504)
      assert.include(unknown.text, "confira antes de pagar de novo")
      failures.end()
      assert.include((yield* call("GET", `${folder}/simulate-payment`)).text, "Há um pagamento")
    }).pipe(onServer())
  )

  it.effect("refuse forms of other sites, and accept their own and those of programs", () =>
    Effect.gen(function* () {
      const { folder, status } = yield* due("pix")
      const { url } = yield* Sandbox
      for (const headers of [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site", origin: url },
        { origin: "https://shop.example" },
        { origin: "null" },
        { origin: url.replace(/\d+$/u, "1") },
        { origin: url.replace("http:", "https:") },
        // A name of another site that resolves to this machine.
        { host: "evil.example", origin: "http://evil.example" },
        { host: "evil.example", origin: "http://evil.example", "sec-fetch-site": "same-origin" }
      ]) {
        const refused = yield* callAs("POST", `${folder}/simulate-payment`, headers)
        assert.strictEqual(refused.status, 403, JSON.stringify(headers))
        assert.include(refused.text, "Este formulário não é desta página.")
      }
      assert.notStrictEqual(yield* status, "payedPix")
      assert.strictEqual((yield* callAs("POST", `${folder}/simulate-payment`, { origin: url })).status, 303)
      assert.strictEqual(yield* status, "payedPix")
      const again = yield* callAs("POST", `${folder}/simulate-payment`, { "sec-fetch-site": "same-origin" })
      assert.include(again.text, "Este Pix já foi pago")
    }).pipe(onServer())
  )

  for (const options of [{ clientSecret: Redacted.make("a secret of its own") }, { simulatePayments: false }]) {
    it.effect(`have no button, and pay nothing, on a sandbox with ${JSON.stringify(options)}`, () =>
      Effect.gen(function* () {
        const { address, folder, status } = yield* due("pix")
        const page = yield* call("GET", address)
        assert.strictEqual(page.status, 200)
        assert.notInclude(page.text, "simulate-payment")
        for (const method of ["GET", "POST"]) {
          assert.strictEqual((yield* callAs(method, `${folder}/simulate-payment`, {})).status, 404)
        }
        assert.notStrictEqual(yield* status, "payedPix")
      }).pipe(onServer(options))
    )
  }

  it("have the button by default where only this machine reaches a sandbox with the well-known secret", () => {
    const isOn = (options: Partial<SandboxOptions>) => simulatesPayments({ ...defaults, ...options })
    for (const host of ["127.0.0.1", "::1", "localhost"]) assert.isTrue(isOn({ host }), host)
    for (const host of ["0.0.0.0", "::", "192.168.1.7"]) assert.isFalse(isOn({ host }), host)
    assert.isFalse(isOn({ publicUrl: "https://billing.example" }))
    assert.isTrue(isOn({ host: "0.0.0.0", simulatePayments: true }))
  })

  it.effect("have the button when it is configured, whatever the secret", () =>
    Effect.gen(function* () {
      const { address } = yield* due("boleto")
      assert.include((yield* call("GET", address)).text, "simulate-payment")
    }).pipe(onServer({ clientSecret: Redacted.make("a secret of its own"), simulatePayments: true }))
  )
})
