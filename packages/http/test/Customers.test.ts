import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { address, ana, byPix } from "@parcela/test-world/Samples"
import { onServer, server, signIn } from "@parcela/test-world/Server"

const bia = { myId: "bia", name: "Bia Reis", document: "11144477735", emails: ["bia@example.com"] }

type Call = Effect.Success<ReturnType<typeof signIn>>["call"]

const listed = (call: Call, filter = "") =>
  Effect.map(
    call("GET", `/v2/customers?startAt=0&limit=100${filter}`),
    ({ json }) => json.Customers as ReadonlyArray<{ readonly myId: string; readonly status: string }>
  )

const namesOf = (call: Call, filter: string) =>
  Effect.map(listed(call, filter), (found) => found.map(({ myId }) => myId))

const statusOf = (call: Call, myId = "ana") => Effect.map(listed(call, `&myIds=${myId}`), ([one]) => one!.status)

layer(server())("customers", (it) => {
  it.effect("are created, edited in part and listed, with null or an empty list where the interface has no field", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { myId: _, ...unnamed } = ana
      const { json } = yield* call("POST", "/v2/customers", { body: { ...unnamed, password: "secret-word" } })
      const { svcPayId, ...shown } = json.Customer
      assert.deepStrictEqual(shown, {
        ...unnamed,
        phones: [],
        status: "withoutSubscriptionOrCharge",
        invoiceHoldIss: null,
        municipalDocument: null,
        ExtraFields: [],
        createdAt: "2026-09-21 11:13:20",
        updatedAt: "2026-09-21 11:13:20"
      })
      const body = {
        myId: "ana",
        phones: ["11987654321"],
        Address: address,
        invoiceHoldIss: true,
        municipalDocument: "12-3",
        ExtraFields: [{ tagName: "SHIRT", tagValue: "M" }]
      }
      const edited = yield* call("PUT", `/v2/customers/${svcPayId}/svcPayId`, { body })
      assert.deepStrictEqual(edited.json.Customer, { svcPayId, ...shown, ...body, phones: [11987654321] })
      assert.deepStrictEqual(yield* listed(call), [edited.json.Customer])
    })
  )

  it.effect("can change a part of their address, and require a whole address if they have none", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/customers", { body: { ...ana, Address: address } })
      yield* call("POST", "/v2/customers", { body: bia })
      const body = { Address: { street: "Rua Nova", complement: "apto 3" } }
      const edited = yield* call("PUT", "/v2/customers/ana/myId", { body })
      assert.deepStrictEqual(edited.json.Customer.Address, { ...address, ...body.Address })
      const refused = yield* call("PUT", "/v2/customers/bia/myId", { body })
      assert.strictEqual(refused.status, 400)
      const needed = ["is required for a customer without an address"]
      assert.deepStrictEqual(refused.json.error.details, {
        "Address.zipCode": needed,
        "Address.number": needed,
        "Address.neighborhood": needed,
        "Address.city": needed,
        "Address.state": needed
      })
    })
  )

  it.effect("have no password, neither in a response nor in the store", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const word = "a-password-of-ana"
      const made = yield* call("POST", "/v2/customers", {
        headers: { "idempotency-key": "k" },
        body: { ...ana, password: word }
      })
      const edited = yield* call("PUT", "/v2/customers/ana/myId", { body: { password: word } })
      assert.deepStrictEqual([made.status, edited.status], [200, 200])
      assert.notInclude(made.text + edited.text, word)
      const sql = yield* SqlClient.SqlClient
      for (const table of ["customers", "journal", "idempotency_keys"]) {
        assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM ${sql(table)}`), word, table)
      }
    })
  )

  it.effect("are found by each of their filters", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/customers", { body: ana })
      yield* call("POST", "/v2/customers", { body: { ...bia, emails: ["Bia@Example.com", "shared@example.com"] } })
      yield* call("PUT", "/v2/customers/ana/myId", { body: { emails: ["shared@example.com", "new@example.com"] } })
      for (const [filter, expected] of [
        ["&myIds=ana,nobody,", ["ana"]],
        ["&documents=11144477735", ["bia"]],
        ["&documents=1", []],
        ["&emails=bia@example.com", ["bia"]],
        ["&emails=shared@example.com", ["ana", "bia"]],
        ["&emails=ana@example.com", []],
        ["&status=active", []],
        ["&status=withoutSubscriptionOrCharge&order=createdAt.desc", ["bia", "ana"]],
        ["&createdAtFrom=2026-09-21&createdAtTo=2026-09-21", ["ana", "bia"]],
        ["&createdOrUpdatedAtTo=2026-09-20", []]
      ] as const) {
        assert.deepStrictEqual(yield* namesOf(call, filter), [...expected], filter)
      }
    })
  )

  it.effect("are refused with every problem and every identifier of another customer at once", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const faults = { document: "11111111111", emails: [], phones: [-1], Address: { state: "São Paulo" } }
      const wrong = yield* call("POST", "/v2/customers", { body: faults })
      assert.strictEqual(wrong.status, 400)
      assert.includeMembers(Object.keys(wrong.json.error.details), [
        "Customer.name",
        "Customer.document",
        "Customer.emails",
        "Customer.phones",
        "Address.state",
        "Address.city"
      ])
      yield* call("POST", "/v2/customers", { body: ana })
      yield* call("POST", "/v2/customers", { body: bia })
      const taken = ["Customer.document", "Customer.myId"]
      const twice = yield* call("POST", "/v2/customers", { body: ana })
      assert.deepStrictEqual([twice.status, Object.keys(twice.json.error.details)], [400, taken])
      const same = { myId: "ana", document: ana.document }
      const renamed = yield* call("PUT", "/v2/customers/bia/myId", { body: same })
      assert.deepStrictEqual([renamed.status, Object.keys(renamed.json.error.details)], [400, taken])
      assert.strictEqual((yield* call("PUT", "/v2/customers/ana/myId", { body: same })).status, 200)
    })
  )

  it.effect("of another company return a 404 for either identifier", () =>
    Effect.gen(function* () {
      const { call: mine } = yield* signIn()
      const { call: theirs } = yield* signIn()
      const { json } = yield* mine("POST", "/v2/customers", { body: ana })
      for (const path of [`/v2/customers/${json.Customer.svcPayId}/svcPayId`, "/v2/customers/ana/myId"]) {
        assert.strictEqual((yield* theirs("PUT", path, { body: { name: "Mine" } })).status, 404)
        assert.strictEqual((yield* theirs("DELETE", path)).status, 404)
      }
      assert.deepStrictEqual(yield* listed(theirs), [])
      assert.strictEqual((yield* theirs("POST", "/v2/customers", { body: ana })).status, 200)
    })
  )

  it.effect("are created once under an Idempotency-Key", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const headers = { "idempotency-key": "k" }
      const first = yield* call("POST", "/v2/customers", { headers, body: ana })
      const again = yield* call("POST", "/v2/customers", { headers, body: ana })
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(again.text, first.text)
      assert.strictEqual((yield* call("POST", "/v2/customers", { headers, body: bia })).status, 422)
    })
  )

  it.effect("are deactivated, and activated again by an edit or by a new contract", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/customers", { body: ana })
      for (const _ of [1, 2]) {
        assert.deepStrictEqual((yield* call("DELETE", "/v2/customers/ana/myId")).json, { type: true })
      }
      assert.strictEqual(yield* statusOf(call), "inactive")
      assert.deepStrictEqual(yield* namesOf(call, "&status=inactive"), ["ana"])
      // As it was read, which is how some write it.
      yield* call("PUT", "/v2/customers/ana/myId", { body: { status: "delayed", name: "Ana Lima" } })
      assert.strictEqual(yield* statusOf(call), "inactive")
      const active = yield* call("PUT", "/v2/customers/ana/myId", { body: { status: "active" } })
      assert.strictEqual(active.json.Customer.status, "withoutSubscriptionOrCharge")
      yield* call("DELETE", "/v2/customers/ana/myId")
      yield* call("POST", "/v2/subscriptions/manual", { body: { ...byPix(), Customer: { myId: "ana" } } })
      assert.strictEqual(yield* statusOf(call), "active")
    })
  )

  it.effect("use the names of the service family under its naming profile", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json } = yield* call("POST", "/v2/customers", { body: ana })
      const id = json.Customer.galaxPayId as number
      yield* call("PUT", `/v2/customers/${id}/galaxPayId`, { body: { name: "Ana Lima" } })
      assert.deepInclude((yield* listed(call, `&galaxPayIds=${id}`))[0]!, { galaxPayId: id, name: "Ana Lima" } as never)
    }).pipe(onServer({ naming: galaxPay }))
  )
})

layer(server({ naming: galaxPay }))("POST /customers under another naming", (it) => {
  it.effect("updates the customer with the same myId, and stores the response under the key", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { galaxPayId } = (yield* call("POST", "/v2/customers", { body: ana })).json.Customer
      yield* call("DELETE", "/v2/customers/ana/myId")
      const body = { ...ana, name: "Ana Lima", document: bia.document, Address: address }
      const sent = { body, headers: { "idempotency-key": "again" } }
      const updated = yield* call("POST", "/v2/customers", sent)
      assert.deepStrictEqual(
        [updated.status, updated.json.type, updated.json.Customer.galaxPayId, updated.json.Customer.name],
        [200, true, galaxPayId, "Ana Lima"]
      )
      assert.notStrictEqual(updated.json.Customer.status, "inactive")
      const repeated = yield* call("POST", "/v2/customers", sent)
      assert.deepStrictEqual(repeated.json, updated.json)
      assert.strictEqual(repeated.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(yield* namesOf(call, ""), ["ana"])
    })
  )

  it.effect("updates the customer with the same document, who keeps the stored myId", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { myId: _, ...unnamed } = bia
      yield* call("POST", "/v2/customers", { body: ana })
      yield* call("POST", "/v2/customers", { body: unnamed })
      const other = yield* call("POST", "/v2/customers", { body: { ...ana, myId: "order-7", name: "Ana Lima" } })
      assert.deepStrictEqual(
        [other.status, other.json.Customer.myId, other.json.Customer.name],
        [200, "ana", "Ana Lima"]
      )
      const named = yield* call("POST", "/v2/customers", { body: bia })
      assert.deepStrictEqual([named.status, named.json.Customer.myId], [200, "bia"])
    })
  )

  it.effect("refuses a myId and a document of different customers", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/customers", { body: ana })
      yield* call("POST", "/v2/customers", { body: bia })
      const both = yield* call("POST", "/v2/customers", { body: { ...ana, document: bia.document } })
      assert.deepStrictEqual([both.status, Object.keys(both.json.error.details)], [400, ["Customer.document"]])
    })
  )
})
