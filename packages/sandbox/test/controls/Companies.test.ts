import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect } from "effect"
import { byCode, payment } from "@parcela/test-world/Samples"
import { call, onServer, tokenAt } from "@parcela/test-world/Server"

describe("the controls of companies", () => {
  it.effect("create a company in one call, with given fields and random values for the rest", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const first = (yield* call("POST", "/sandbox/companies")).json
      const second = (yield* call("POST", "/sandbox/companies", { body: {} })).json
      assert.notStrictEqual(first.clientId, second.clientId)
      assert.notStrictEqual(first.webhookSecret, second.webhookSecret)
      assert.notStrictEqual(first.confirmHash, second.confirmHash)
      yield* Effect.promise(() => tokenAt(url, first.clientId, first.clientSecret))
      const found = yield* call("GET", `/sandbox/companies/${first.clientId}`)
      const { clientSecret: _, ...shown } = first
      assert.deepInclude(found.json, shown)
    }).pipe(onServer())
  )

  it.effect("give each company a legal name, a CNPJ and a city, which its payers see", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const own = { legalName: "Padaria São José Ltda", document: "11444777000161", city: "Ribeirão Preto" }
      const made = (yield* call("POST", "/sandbox/companies", { body: { clientId: "bakery", ...own } })).json
      const other = (yield* call("POST", "/sandbox/companies", { body: { clientId: "gym", name: "Academia" } })).json
      const shown = (yield* call("GET", "/sandbox/companies/bakery")).json
      assert.deepInclude(shown, { name: "bakery", ...own })
      const byDefault = (yield* call("GET", "/sandbox/companies/gym")).json
      assert.deepInclude(byDefault, { name: "Academia", legalName: "Academia", city: "São Paulo" })
      assert.match(byDefault.document, /^99\d{6}0001\d\d$/u)
      const pixOf = Effect.fnUntraced(function* (clientId: string, clientSecret: string, myId: string) {
        const bearer = yield* Effect.promise(() => tokenAt(url, clientId, clientSecret))
        const { Customer } = byCode("pix")
        const body = { ...payment(myId), mainPaymentMethodId: "pix", Customer }
        const { Pix } = (yield* call("POST", "/v2/charges", { token: bearer, body })).json.Charge.Transactions[0]
        return { qrCode: String(Pix.qrCode), page: String(Pix.page).slice(url.length) }
      })
      const first = yield* pixOf("bakery", made.clientSecret, "one")
      assert.include(first.qrCode, "5921Padaria Sao Jose Ltda6014Ribeirao Preto")
      const page = (yield* call("GET", first.page)).text
      for (const text of ["Padaria São José Ltda", "11.444.777/0001-61"]) assert.include(page, text)
      const second = yield* pixOf("gym", other.clientSecret, "one")
      assert.include(second.qrCode, "5908Academia6009Sao Paulo")
      assert.include((yield* call("GET", second.page)).text, "Academia")

      const edited = yield* call("PATCH", "/sandbox/companies/gym", { body: { legalName: "Academia Ltda" } })
      assert.deepStrictEqual(edited.json, {
        companyId: other.companyId,
        clientId: "gym",
        name: "Academia",
        legalName: "Academia Ltda",
        document: byDefault.document,
        city: "São Paulo"
      })
      assert.include((yield* call("GET", second.page)).text, "Academia Ltda")
      assert.include((yield* pixOf("gym", other.clientSecret, "two")).qrCode, "5913Academia Ltda")
    }).pipe(onServer())
  )

  it.effect("accept only a CNPJ, with letters if those are enabled", () =>
    Effect.gen(function* () {
      const create = (document: string) => call("POST", "/sandbox/companies", { body: { document } })
      for (const document of ["52998224725", "11444777000162", "12ABC34501DE35"]) {
        const refused = yield* create(document)
        assert.strictEqual(refused.status, 400, document)
        assert.hasAllKeys(refused.json.error.details, ["Company.document"])
      }
      const edited = yield* call("PATCH", "/sandbox/companies/sandbox", { body: { document: "12ABC34501DE35" } })
      assert.strictEqual(edited.status, 400)
      assert.strictEqual((yield* call("PATCH", "/sandbox/companies/nobody", { body: {} })).status, 404)
    }).pipe(onServer())
  )

  it.effect("accept a CNPJ with letters if the sandbox enables them", () =>
    Effect.gen(function* () {
      const made = yield* call("POST", "/sandbox/companies", { body: { document: "12ABC34501DE35", clientId: "new" } })
      assert.strictEqual(made.status, 200)
      assert.strictEqual((yield* call("GET", "/sandbox/companies/new")).json.document, "12ABC34501DE35")
    }).pipe(onServer({ documentsWithLetters: true }))
  )

  it.effect("report every error of a company at once, and create none", () =>
    Effect.gen(function* () {
      const wrong = {
        name: "",
        clientId: "with:colon",
        clientSecret: "x".repeat(256),
        scopes: ["nonsense"],
        allowedAddresses: [1],
        surprise: 1
      }
      const answer = yield* call("POST", "/sandbox/companies", { body: wrong })
      assert.strictEqual(answer.status, 400)
      assert.sameMembers(
        Object.keys(answer.json.error.details),
        Object.keys(wrong).map((field) => `Company.${field}`)
      )
      for (const body of ["{", "[]", "null", `"x"`]) {
        assert.strictEqual((yield* call("POST", "/sandbox/companies", { body })).status, 400, body)
      }
      const cut = (yield* call("POST", "/sandbox/companies", { body: `{"name":` })).json.error.details
      assert.deepStrictEqual(cut, {
        "Company.body": ["is not JSON: it ends at line 1, column 9, where a value should follow"]
      })
      assert.strictEqual((yield* call("GET", "/sandbox/companies/nobody")).status, 404)
    }).pipe(onServer())
  )

  it.effect("refuse a clientId that another company has", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const taken = yield* call("POST", "/sandbox/companies", { body: { clientId: "sandbox", clientSecret: "mine" } })
      assert.strictEqual(taken.status, 400)
      assert.hasAllKeys(taken.json.error.details, ["Company.clientId"])
      yield* Effect.promise(() => tokenAt(url, "sandbox", "sandbox-secret"))
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, (_, index) =>
          call("POST", "/sandbox/companies", { body: { clientId: "race", clientSecret: `secret ${index}` } })
        ),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        1
      )
    }).pipe(onServer())
  )

  it.effect("normalize addresses, and refuse invalid ones such as ranges", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      for (const wrong of ["not an address", "10.0.0.0/8", "", "127.0.0.1:80", "[::1]", "01.2.3.4", "localhost"]) {
        const refused = yield* call("POST", "/sandbox/companies", { body: { allowedAddresses: ["::1", wrong] } })
        assert.strictEqual(refused.status, 400, wrong)
        assert.match(refused.json.error.details["Company.allowedAddresses"][0], /item 2: .*ranges .* not supported/)
      }
      for (const own of ["127.0.0.1", "::ffff:127.0.0.1", "::FFFF:7F00:1"]) {
        const made = (yield* call("POST", "/sandbox/companies", { body: { allowedAddresses: [own, "2001:DB8::0:1"] } }))
          .json
        yield* Effect.promise(() => tokenAt(url, made.clientId, made.clientSecret))
      }
    }).pipe(onServer())
  )

  it.effect("list companies by client id, page by page, with no secret", () =>
    Effect.gen(function* () {
      for (const clientId of ["b", "a"]) yield* call("POST", "/sandbox/companies", { body: { clientId, name: "X" } })
      const first = yield* call("GET", "/sandbox/companies?limit=2")
      assert.deepStrictEqual(
        first.json.companies.map(({ clientId, name }: { readonly clientId: string; readonly name: string }) => [
          clientId,
          name
        ]),
        [
          ["a", "X"],
          ["b", "X"]
        ]
      )
      assert.strictEqual(first.json.next, "b")
      const second = (yield* call("GET", "/sandbox/companies?limit=2&after=b")).json
      assert.hasAllKeys(second.companies[0], ["companyId", "clientId", "name", "createdAt"])
      assert.deepStrictEqual([second.companies[0].clientId, second.next], ["sandbox", null])
    }).pipe(onServer())
  )
})
