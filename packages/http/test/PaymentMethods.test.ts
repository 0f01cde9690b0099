import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { server, signIn } from "@parcela/test-world/Server"

layer(server())("GET /payment-methods", (it) => {
  it.effect("lists the three payment methods of requests", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json, status } = yield* call("GET", "/v2/payment-methods")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, {
        PaymentMethods: [
          { id: "creditcard", name: "Credit card" },
          { id: "boleto", name: "Boleto" },
          { id: "pix", name: "Pix" }
        ]
      })
    })
  )
})

layer(server({ language: "pt" }))("GET /payment-methods in Portuguese", (it) => {
  it.effect("names the methods in Portuguese", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json } = yield* call("GET", "/v2/payment-methods")
      assert.deepStrictEqual(
        json.PaymentMethods.map(({ name }: { readonly name: string }) => name),
        ["Cartão de crédito", "Boleto", "Pix"]
      )
    })
  )
})
