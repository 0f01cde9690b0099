import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { server, signIn } from "@parcela/test-world/Server"

layer(server())("GET /webhooks", (it) => {
  it.effect("returns the company's confirmHash, and no URL and no events before an edit", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json, status } = yield* call("GET", "/v2/webhooks")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(Object.keys(json), ["confirmHash", "events"])
      assert.deepStrictEqual(json.events, [])
      const edited = yield* call("PUT", "/v2/webhooks", { body: { url: "https://a.example/", events: [] } })
      assert.strictEqual(json.confirmHash, edited.json.confirmHash)
    })
  )

  it.effect("returns the settings of the last edit, as the edit returned them, to the company only", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const other = yield* signIn()
      const events = ["chargeback.update", "transaction.updateStatus"]
      for (const url of ["https://a.example/hooks", "https://b.example/"]) {
        const edited = yield* call("PUT", "/v2/webhooks", { body: { url, events } })
        const { json } = yield* call("GET", "/v2/webhooks")
        assert.deepStrictEqual(json, { url, confirmHash: edited.json.confirmHash, events: edited.json.events })
      }
      const elsewhere = yield* other.call("GET", "/v2/webhooks")
      assert.deepStrictEqual(elsewhere.json.events, [])
      assert.notProperty(elsewhere.json, "url")
      const { json } = yield* call("GET", "/v2/webhooks")
      assert.notStrictEqual(elsewhere.json.confirmHash, json.confirmHash)
    })
  )
})
