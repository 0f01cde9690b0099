import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Scope } from "@parcela/core/companies/Scope"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"

/** A session of a fresh company: sends JSON with its token, answers status and text. */
const session = Effect.gen(function* () {
  const company = yield* SandboxServer.companyOf()
  const http = yield* HttpClient.HttpClient
  const send = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest, body?: object) {
    const response = yield* http.execute(body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, body))
    return { status: response.status, text: yield* response.text, headers: response.headers }
  })
  const token = yield* send(
    HttpClientRequest.post(`${company.baseUrl}/token`).pipe(
      HttpClientRequest.basicAuth(company.clientId, Redacted.value(company.clientSecret))
    ),
    { grant_type: "authorization_code" }
  )
  const { access_token } = JSON.parse(token.text) as { readonly access_token: string }
  const call = (method: "GET" | "POST" | "PUT", path: string, body?: object) =>
    send(
      HttpClientRequest.make(method)(`${company.baseUrl}${path}`).pipe(HttpClientRequest.bearerToken(access_token)),
      body
    )
  return { call, token: access_token }
})

const subscription = {
  myId: "s",
  mainPaymentMethodId: "pix",
  // A text that holds the name is a text, and stays as it is.
  additionalInfo: "galaxPayId and svcPayId",
  Customer: { myId: "c", name: "Ana", document: "52998224725", emails: ["ana@example.com"] }
}

layer(SandboxServer.layer({ naming: galaxPay }), { excludeTestServices: true })("a server named galaxPay", (it) => {
  it.effect("returns up to 500 entities on a page, and refuses a larger limit with that number", () =>
    Effect.gen(function* () {
      const { call } = yield* session
      for (const name of ["customers", "charges", "transactions", "subscriptions", "cards", "plans"]) {
        assert.strictEqual((yield* call("GET", `/${name}?startAt=0&limit=500`)).status, 200, name)
      }
      const refused = yield* call("GET", "/transactions?startAt=0&limit=501")
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "500")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("names the parameter alone in errors of a query, in the deployment's names", () =>
    Effect.gen(function* () {
      const { call } = yield* session
      const refused = yield* call("GET", "/customers?startAt=0&limit=0&documents=x&customer=1")
      const { details } = JSON.parse(refused.text).error
      assert.hasAllKeys(details, ["limit", "documents", "customer"])
      assert.include(details.customer[0], "galaxPayIds")
      assert.notInclude(details.customer[0], "svcPayIds")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("returns every scope of a token, however long the text is", () =>
    Effect.gen(function* () {
      const company = yield* SandboxServer.companyOf()
      const http = yield* HttpClient.HttpClient
      const response = yield* http.execute(
        HttpClientRequest.post(`${company.baseUrl}/token`).pipe(
          HttpClientRequest.basicAuth(company.clientId, Redacted.value(company.clientSecret)),
          HttpClientRequest.bodyJsonUnsafe({ grant_type: "authorization_code", scope: Scope.literals.join(" ") })
        )
      )
      const body = JSON.parse(yield* response.text) as { readonly scope: string }
      assert.sameMembers(body.scope.split(" "), [...Scope.literals])
      assert.deepStrictEqual(Object.keys(body), ["access_token", "token_type", "expires_in", "scope"])
      assert.strictEqual(response.headers["cache-control"], "no-store")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("names the ignored fields of an entity that the client sent back as returned", () =>
    Effect.gen(function* () {
      const { call } = yield* session
      yield* call("POST", "/subscriptions/manual", subscription)
      yield* call("POST", "/transactions/s/myId/add", { myId: "t", value: 100, payday: "2099-12-01" })
      const [shown] = JSON.parse((yield* call("GET", "/subscriptions?startAt=0&limit=1")).text).Subscriptions
      const edited = yield* call("PUT", "/subscriptions/s/myId", { ...shown, additionalInfo: "new" })
      assert.strictEqual(edited.status, 200, edited.text)
      const names = edited.headers["x-unknown-keys"]?.split(", ") ?? []
      assert.includeMembers(names, ["Subscription.galaxPayId", "Subscription.Transactions"])
      assert.notInclude(names, "Subscription.svcPayId")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("uses the deployment's names in bodies, paths and queries", () =>
    Effect.gen(function* () {
      const { call } = yield* session
      const created = yield* call("POST", "/subscriptions/manual", subscription)
      assert.strictEqual(created.status, 200)
      const { Subscription } = JSON.parse(created.text)
      assert.strictEqual(Subscription.additionalInfo, subscription.additionalInfo)
      assert.notInclude(created.text, '"svcPayId"')

      const added = yield* call("POST", `/transactions/${Subscription.galaxPayId}/galaxPayId/add`, {
        myId: "t",
        value: 100,
        payday: "2099-12-01",
        payedOutsideGalaxPay: true
      })
      const { Transaction } = JSON.parse(added.text)
      assert.strictEqual(Transaction.payedOutsideGalaxPay, true)
      assert.strictEqual(Transaction.subscriptionGalaxPayId, Subscription.galaxPayId)

      const listed = yield* call("GET", `/transactions?startAt=0&limit=5&galaxPayIds=${Transaction.galaxPayId}`)
      assert.strictEqual(JSON.parse(listed.text).totalQtdFoundInPage, 1)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect(
    "reads the deployment's names in JSON whatever its type says, and under no other spelling of the path",
    () =>
      Effect.gen(function* () {
        const { call, token } = yield* session
        yield* call("POST", "/subscriptions/manual", {
          ...subscription,
          myId: "labelled",
          Customer: { ...subscription.Customer, myId: "d" }
        })
        const url = yield* SandboxServer.url
        const add = (path: string, myId: string) =>
          Effect.promise(async () => {
            const body = { myId, value: 100, payday: "2099-12-01", payedOutsideGalaxPay: true }
            const response = await fetch(`${url}${path}/transactions/labelled/myId/add`, {
              method: "POST",
              headers: { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" },
              body: JSON.stringify(body)
            })
            return { status: response.status, text: await response.text() }
          })
        const added = yield* add("/v2", "a")
        assert.strictEqual(added.status, 200, added.text)
        assert.strictEqual(JSON.parse(added.text).Transaction.payedOutsideGalaxPay, true)
        const doubled = yield* add("//v2", "b")
        assert.notInclude(doubled.text, "svcPayId")
        for (const other of ["/V2", "/%762", "/v%32"]) assert.strictEqual((yield* add(other, "c")).status, 404, other)
      }).pipe(Effect.provide(FetchHttpClient.layer))
  )

  it.effect("uses the deployment's field names in errors", () =>
    Effect.gen(function* () {
      const { call } = yield* session
      const refused = yield* call("PUT", "/transactions/x1/galaxPayId/retry")
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(Object.keys(JSON.parse(refused.text).error.details), ["Transaction.galaxPayId"])
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
