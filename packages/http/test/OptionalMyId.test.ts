import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import { byPix, charge, monthly, payment } from "@parcela/test-world/Samples"
import { server, signIn } from "@parcela/test-world/Server"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const unnamed = (body: { readonly myId: string }) => {
  const { myId: _, ...unnamed } = body
  return unnamed
}

/** The requests that create an entity with a `myId`. The last one adds a payment to the subscription `named`. */
const creations = [
  ["/v2/charges", "Charge", charge(byPix())],
  ["/v2/subscriptions", "Subscription", monthly()],
  ["/v2/subscriptions/manual", "Subscription", byPix()],
  ["/v2/transactions/named/myId/add", "Transaction", payment("p")]
] as const

const lists = [
  ["/v2/charges", "Charges"],
  ["/v2/subscriptions", "Subscriptions"],
  ["/v2/transactions", "Transactions"]
] as const

/** A company with the subscription `named`. */
const signInNamed = Effect.tap(signIn(), ({ call }) =>
  call("POST", "/v2/subscriptions/manual", { body: byPix("named") })
)

type Call = Effect.Success<typeof signInNamed>["call"]

/** Returns the number of charges, subscriptions and payments. */
const counts = (call: Call) =>
  Effect.forEach(lists, ([path]) =>
    Effect.map(call("GET", `${path}?startAt=0&limit=100`), ({ json }) => json.totalQtdFoundInPage as number)
  )

layer(server())("a server of the interface's own naming", (it) => {
  it.effect("refuses to create an entity without a myId, and names the field", () =>
    Effect.gen(function* () {
      const { call } = yield* signInNamed
      const before = yield* counts(call)
      for (const [path, entity, body] of creations) {
        const refused = yield* call("POST", path, { body: unnamed(body) })
        const fault = { [`${entity}.myId`]: ["is required"] }
        assert.deepStrictEqual([refused.status, refused.json.error.details], [400, fault], path)
      }
      assert.deepStrictEqual(yield* counts(call), before)
    })
  )
})

layer(server({ naming: galaxPay, language: "en" }))("a server of another naming", (it) => {
  it.effect("creates a missing myId, returns it, and finds the entity by it", () =>
    Effect.gen(function* () {
      const { call } = yield* signInNamed
      for (const [path, entity, body] of creations) {
        for (const sent of [unnamed(body), { ...body, myId: null }]) {
          const created = yield* call("POST", path, { body: sent })
          assert.strictEqual(created.status, 200, created.text)
          const { galaxPayId, myId } = created.json[entity]
          assert.match(myId, uuid)
          const kind = entity.toLowerCase()
          const found = yield* call("GET", `/v2/${kind}s?startAt=0&limit=10&myIds=${myId}`)
          assert.deepStrictEqual(
            found.json[`${entity}s`].map((shown: { readonly galaxPayId: number }) => shown.galaxPayId),
            [galaxPayId]
          )
        }
      }
    })
  )

  it.effect("uses a given myId, and refuses an invalid one", () =>
    Effect.gen(function* () {
      const { call } = yield* signInNamed
      for (const [place, [path, entity, body]] of creations.entries()) {
        const myId = `given ${place}`
        assert.strictEqual((yield* call("POST", path, { body: { ...body, myId } })).json[entity].myId, myId)
        const refused = yield* call("POST", path, { body: { ...body, myId: "" } })
        assert.deepStrictEqual([refused.status, Object.keys(refused.json.error.details)], [400, [`${entity}.myId`]])
      }
    })
  )

  it.effect("treats repeats without a myId under one key as one request, also concurrent ones", () =>
    Effect.gen(function* () {
      const { call } = yield* signInNamed
      for (const [place, [path, , body]] of creations.entries()) {
        const keyed = (sent: object) => ({ headers: { "idempotency-key": `k${place}` }, body: sent })
        const send = call("POST", path, keyed(unnamed(body)))
        const [first, second] = yield* Effect.all([send, send], { concurrency: "unbounded" })
        const created = yield* counts(call)
        const again = yield* send
        assert.deepStrictEqual([first.status, second.text, again.text], [200, first.text, first.text], path)
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
        const other = yield* call("POST", path, keyed({ ...body, myId: "other" }))
        assert.strictEqual(other.status, 422, "a myId that is given makes another request")
        assert.deepStrictEqual(yield* counts(call), created)
      }
      // Each subscription that bills by itself has made its first instalment, and each charge its payment.
      assert.deepStrictEqual(yield* counts(call), [1, 3, 3])
    })
  )

  it.effect("creates no myId for an edit", () =>
    Effect.gen(function* () {
      const { call } = yield* signInNamed
      const edited = yield* call("PUT", "/v2/subscriptions/named/myId", { body: { additionalInfo: "new" } })
      assert.deepInclude(edited.json.Subscription, { myId: "named", additionalInfo: "new" })
    })
  )
})
