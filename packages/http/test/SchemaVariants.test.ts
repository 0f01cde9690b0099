import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import { ana, byPix } from "@parcela/test-world/Samples"
import { server, signIn } from "@parcela/test-world/Server"

// The example of the Receita Federal (NT COCAD 49/2024).
const document = "12ABC34501DE35"
const create = "/v2/subscriptions/manual"
const body = { ...byPix(), Customer: { ...ana, document } }

layer(server())("a server", (it) => {
  it.effect("refuses a CNPJ with letters, because the interface has digits only", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const refused = yield* call("POST", create, { body })
      assert.deepStrictEqual(refused.json.error.details, {
        "Customer.document": ["must be digits only, without punctuation"]
      })
    })
  )
})

layer(server({ naming: galaxPay }))("a server of another name", (it) => {
  it.effect("accepts a CNPJ with letters", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      assert.strictEqual((yield* call("POST", create, { body })).status, 200)
    })
  )
})

layer(server({ documentsWithLetters: true }))("a server that accepts CNPJs with letters", (it) => {
  it.effect("accepts a CNPJ with letters, returns it, and finds its customer by it", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const created = yield* call("POST", create, { body })
      assert.deepStrictEqual([created.status, created.json.Subscription?.Customer.document], [200, document])
      const again = yield* call("POST", create, { body: { ...byPix("again"), Customer: { document } } })
      assert.deepStrictEqual(again.json.Subscription?.Customer, created.json.Subscription.Customer)
    })
  )

  it.effect("documents it in its OpenAPI document", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json } = yield* call("GET", "/openapi.json")
      const description = json.components.schemas.CustomerInput.properties.document
      assert.match(document, new RegExp(description.pattern, "u"))
      assert.notInclude(description.description, "digits only:")
    })
  )

  it.effect("accepts digits too, and verifies the check digits of both", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      assert.strictEqual((yield* call("POST", create, { body: byPix() })).status, 200)
      for (const wrong of ["12ABC34501DE36", "12abc34501de35", "52998224724"]) {
        const refused = yield* call("POST", create, { body: { ...body, Customer: { ...ana, document: wrong } } })
        assert.deepStrictEqual([refused.status, Object.keys(refused.json.error.details)], [400, ["Customer.document"]])
      }
    })
  )
})
