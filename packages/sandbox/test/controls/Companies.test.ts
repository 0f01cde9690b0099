import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect } from "effect"
import { call, onSandbox, tokenAt } from "../fixtures/Service.ts"

describe("the controls of companies", () => {
  it.effect("make a company in one call, with what is said and chance for the rest", () =>
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
      assert.deepStrictEqual(found.json, shown)
    }).pipe(onSandbox())
  )

  it.effect("name every fault of a company at once, and make none", () =>
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
    }).pipe(onSandbox())
  )

  it.effect("do not give a clientId that is in use to another company", () =>
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
    }).pipe(onSandbox())
  )

  it.effect("take addresses as a connection writes them, and refuse what is none, such as a range", () =>
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
    }).pipe(onSandbox())
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
    }).pipe(onSandbox())
  )
})
