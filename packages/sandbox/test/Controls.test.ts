import { assert, describe, it } from "@effect/vitest"
import { Sandbox } from "@parcela/sandbox/Sandbox"
import { Effect } from "effect"
import { request as send } from "node:http"
import { call, onSandbox, tokenAt } from "./fixtures/Service.ts"

/** A request with any header, also those that `fetch` sets itself. */
const callAs = Effect.fnUntraced(function* (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string
) {
  const { url } = yield* Sandbox
  return yield* Effect.callback<{ status: number; text: string }>((resume) => {
    const outgoing = send(url + path, { method, headers, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk) => (text += chunk))
      response.on("end", () => resume(Effect.succeed({ status: response.statusCode ?? 0, text })))
    })
    outgoing.end(body)
  })
})

const secrets = /whsec_|confirmHash|clientSecret/

describe("the sandbox's controls", () => {
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

  it.effect("refuse pages of other origins, and names that were pointed at this machine", () =>
    Effect.gen(function* () {
      const { url } = yield* Sandbox
      const { host, port } = new URL(url)
      const foreign = [
        { host: "evil.example" },
        { host: `evil.example:${port}` },
        { host: `127.0.0.1.evil.example:${port}` },
        { host: `localhost.evil.example` },
        { host: "0.0.0.0" },
        { host, origin: "https://evil.example" },
        { host, origin: "null" },
        { host, origin: "http://127.0.0.1:1" },
        { host, "sec-fetch-site": "cross-site" },
        { host, "sec-fetch-site": "same-site" }
      ]
      for (const headers of foreign) {
        const shown = yield* callAs("GET", "/sandbox/companies/sandbox", headers)
        assert.strictEqual(shown.status, 403, JSON.stringify(headers))
        assert.notMatch(shown.text, secrets)
        const made = yield* callAs("POST", "/sandbox/companies", { ...headers, "content-type": "text/plain" }, "{}")
        assert.strictEqual(made.status, 403, JSON.stringify(headers))
      }
      const own = [
        { host },
        { host: `localhost:${port}` },
        { host: "LOCALHOST" },
        { host: `[::1]:${port}` },
        { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" },
        { host, "sec-fetch-site": "none" }
      ]
      for (const headers of own) {
        const shown = yield* callAs("GET", "/sandbox/companies/sandbox", headers)
        assert.strictEqual(shown.status, 200, JSON.stringify(headers))
      }
    }).pipe(onSandbox())
  )

  it.effect("are not under /v2, and need no token there is", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("POST", "/v2/sandbox/companies")).status, 404)
      assert.strictEqual((yield* call("POST", "/v2/companies")).status, 404)
    }).pipe(onSandbox())
  )

  it.effect("answer a path that cannot be read, and another method, with an error node", () =>
    Effect.gen(function* () {
      const broken = yield* callAs("GET", "/sandbox/companies/%", {})
      assert.include([400, 404], broken.status)
      assert.match(broken.text, /^\{"error":/)
      const patched = yield* call("PATCH", "/sandbox/companies")
      assert.deepStrictEqual([patched.status, patched.headers.get("allow")], [405, "POST"])
    }).pipe(onSandbox())
  )
})
