import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { address, ana, byCard, byPix, cards, payment } from "@parcela/test-world/Samples"
import { server, signIn } from "@parcela/test-world/Server"

const create = "/v2/subscriptions/manual"
const add = "/v2/transactions/sub/myId/add"
const hooks = "/v2/webhooks"

const card = byCard(cards.captured).PaymentMethodCreditCard.Card
/** Its valid check digit. */
const unknownBrand = "9999999999999995"
const withCard = (changes: object) => ({ ...byPix(), PaymentMethodCreditCard: { Card: { ...card, ...changes } } })

/** Each kind of bad body, with every key that `error.details` must have. */
const bad: ReadonlyArray<{
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly keys: ReadonlyArray<string>
}> = [
  {
    name: "all required fields missing",
    path: create,
    body: {},
    keys: ["Subscription.myId", "Subscription.mainPaymentMethodId", "Subscription.Customer"]
  },
  {
    name: "all required fields of a payment missing",
    path: add,
    body: {},
    keys: keysOf("Transaction", "myId")
  },
  { name: "all required fields of webhooks missing", path: hooks, body: {}, keys: keysOf("Webhook", "url events") },
  {
    name: "null for every field",
    path: create,
    body: { myId: null, mainPaymentMethodId: null, Customer: null, additionalInfo: null, PaymentMethodPix: null },
    keys: keysOf("Subscription", "myId mainPaymentMethodId Customer additionalInfo PaymentMethodPix")
  },
  {
    name: "wrong types",
    path: add,
    body: { myId: 7, value: "1990", payday: 20260921, payedOutsideSvcPay: "yes", additionalInfo: [] },
    keys: keysOf("Transaction", "myId value payday payedOutsideSvcPay additionalInfo")
  },
  {
    name: "unknown fields at every depth",
    path: create,
    body: { ...byPix(), surprise: 1, Customer: { ...ana, vip: true, Address: { ...address, planet: "Earth" } } },
    keys: ["Subscription.surprise", "Customer.vip", "Address.planet"]
  },
  {
    name: "texts that are too long",
    path: create,
    body: {
      ...byPix("x".repeat(256)),
      Customer: { ...ana, name: "x".repeat(256), Address: { ...address, zipCode: "123456789", state: "SPX" } }
    },
    keys: ["Subscription.myId", "Customer.name", "Address.zipCode", "Address.state"]
  },
  {
    name: "texts that are empty",
    path: create,
    body: { ...byPix(""), Customer: { ...ana, myId: "", name: "", emails: [] } },
    keys: ["Subscription.myId", "Customer.myId", "Customer.name", "Customer.emails"]
  },
  {
    name: "a document, e-mail addresses and phones that are none",
    path: create,
    body: { ...byPix(), Customer: { ...ana, document: "52998224726", emails: ["x", "a@b"], phones: ["1", -1, 1.5] } },
    keys: ["Customer.document", "Customer.emails", "Customer.phones"]
  },
  {
    name: "a card whose every field is wrong",
    path: create,
    body: withCard({ number: "4111111111111112", holder: 1, expiresAt: "2030-13", cvv: "12345" }),
    keys: keysOf("Card", "number holder expiresAt cvv")
  },
  {
    name: "an expired card of a brand that nobody takes, beside faults of other fields",
    path: create,
    body: { ...withCard({ number: unknownBrand, expiresAt: "2026-08", cvv: "1" }), myId: "", surprise: 1 },
    keys: ["Subscription.myId", "Subscription.surprise", ...keysOf("Card", "number expiresAt cvv")]
  },
  {
    name: "an expired card of a brand that nobody takes, and nothing else",
    path: create,
    body: withCard({ number: unknownBrand, expiresAt: "2026-08" }),
    keys: keysOf("Card", "number expiresAt")
  },
  {
    name: "a payment by an expired card, of no value",
    path: add,
    body: { ...payment("p"), value: 0, PaymentMethodCreditCard: { Card: { ...card, expiresAt: "2026-08" } } },
    keys: ["Transaction.value", "Card.expiresAt"]
  },
  {
    name: "a card that is good to the end of this month, beside another fault",
    path: add,
    body: { ...payment("p"), value: 0, PaymentMethodCreditCard: { Card: { ...card, expiresAt: "2026-09" } } },
    keys: ["Transaction.value"]
  },
  {
    name: "an expired card where no card belongs",
    path: hooks,
    body: { url: "http://a.example/", PaymentMethodCreditCard: { Card: { ...card, expiresAt: "2026-08" } } },
    keys: ["Webhook.events", "Webhook.PaymentMethodCreditCard"]
  },
  {
    name: "values outside the lists of allowed ones",
    path: create,
    body: { ...byPix(), mainPaymentMethodId: "cash", PaymentMethodPix: { Deadline: { type: "weeks", value: 1 } } },
    keys: ["Subscription.mainPaymentMethodId", "Deadline.type"]
  },
  {
    name: "amounts that are none: zero, fractions, too large",
    path: add,
    body: { ...payment("p"), value: 0 },
    keys: ["Transaction.value"]
  },
  { name: "a fraction of a cent", path: add, body: { ...payment("p"), value: 19.9 }, keys: ["Transaction.value"] },
  {
    name: "a number beyond every limit",
    path: add,
    body: `{"myId":"p","value":1e400,"payday":"2026-09-21"}`,
    keys: ["Transaction.value"]
  },
  {
    name: "a key that is there twice, of which JSON.parse would take the last",
    path: add,
    body: `{"myId":"p","value":1990,"payday":"2026-09-21","value":199000}`,
    keys: ["Transaction.value"]
  },
  {
    name: "keys that are there twice at every depth",
    path: create,
    body: `{"myId":"a","myId":"a","mainPaymentMethodId":"pix","Customer":{"name":"Ana","Address":{"city":"A","city":"B"},"name":"Bia"}}`,
    keys: ["Subscription.myId", "Address.city", "Customer.name"]
  },
  { name: "12 digits", path: add, body: { ...payment("p"), value: 100_000_000_000 }, keys: ["Transaction.value"] },
  {
    name: "a day that is none",
    path: add,
    body: { ...payment("p"), payday: "2026-02-30" },
    keys: ["Transaction.payday"]
  },
  {
    name: "a day in another form",
    path: add,
    body: { ...payment("p"), payday: "21/09/2026" },
    keys: ["Transaction.payday"]
  },
  {
    name: "percentages and days that are none",
    path: create,
    body: { ...byPix(), PaymentMethodBoleto: { fine: -1, interest: 1.5, deadlineDays: "3", instructions: 7 } },
    keys: keysOf("PaymentMethodBoleto", "fine interest deadlineDays instructions")
  },
  {
    name: "an address that is not http, and unknown events",
    path: hooks,
    body: { url: "ftp://receiver.example/", events: ["transaction.updateStatus", "nonsense"] },
    keys: ["Webhook.url", "Webhook.events"]
  },
  {
    name: "an address with a password",
    path: hooks,
    body: { url: "https://a:b@c.example/", events: [] },
    keys: ["Webhook.url"]
  },
  {
    name: "a script as an address",
    path: hooks,
    body: { url: "javascript:alert(1)", events: [] },
    keys: ["Webhook.url"]
  },
  {
    name: "NUL and lone surrogates",
    path: create,
    body: `{"myId":"a\\u0000","mainPaymentMethodId":"pix","additionalInfo":"\\ud800","Customer":{"name":"\\udc00x"}}`,
    keys: ["Subscription.myId", "Subscription.additionalInfo", "Customer.name"]
  },
  {
    name: "keys of JavaScript's own objects",
    path: create,
    body: `{"__proto__":{"myId":"x"},"constructor":1,"toString":2,"mainPaymentMethodId":"pix","Customer":{"__proto__":1}}`,
    keys: [...keysOf("Subscription", "__proto__ constructor toString myId"), "Customer.__proto__"]
  },
  {
    name: "nesting of 2,500 levels under a key that is unknown",
    path: create,
    body: `{"myId":"a","mainPaymentMethodId":"pix","Customer":{},"x":${`{"a":`.repeat(2_500)}1${"}".repeat(2_500)}}`,
    keys: ["Subscription.body"]
  },
  {
    // Reading it would cost the thread more than it may: the body as a whole is refused.
    name: "nesting of 10,000 levels",
    path: create,
    body: `{"myId":${"[".repeat(10_000)}${"]".repeat(10_000)},"mainPaymentMethodId":"pix","Customer":{}}`,
    keys: ["Subscription.body"]
  },
  { name: "an array", path: create, body: [byPix()], keys: ["Subscription.body"] },
  { name: "null", path: create, body: "null", keys: ["Subscription.body"] },
  { name: "a text", path: create, body: `"x"`, keys: ["Subscription.body"] },
  { name: "nothing", path: create, body: "", keys: ["Subscription.body"] },
  { name: "half a JSON", path: create, body: `{"myId":`, keys: ["Subscription.body"] },
  { name: "JSON with a comment", path: create, body: `{} // x`, keys: ["Subscription.body"] },
  { name: "JSON with NaN", path: add, body: `{"value":NaN}`, keys: ["Transaction.body"] }
]

function keysOf(entity: string, fields: string): ReadonlyArray<string> {
  return fields.split(" ").map((field) => `${entity}.${field}`)
}

layer(server({ strictRequests: true }))("an invalid body", (it) => {
  for (const { body, keys, name, path } of bad) {
    it.effect(`returns a 400 with every problem at once: ${name}`, () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        const answer = yield* call(path === add ? "POST" : path === create ? "POST" : "PUT", path, {
          headers: { "content-type": "application/json" },
          body
        })
        assert.strictEqual(answer.status, 400)
        assert.sameMembers(Object.keys(answer.json.error.details), [...keys])
      })
    )
  }

  it.effect("is not repeated in the response: no card number, no CVV, no long text", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const changes of [
        { number: "4111111111111112", cvv: "95170" },
        { number: 4111111111111111, cvv: 9517 },
        { number: ["4111111111111111"], cvv: { x: "9517" } },
        { "4111111111111111": 1 }
      ]) {
        const answer = yield* call("POST", create, { body: withCard(changes) })
        assert.strictEqual(answer.status, 400)
        assert.notInclude(answer.text.replace(`"Card.4111111111111111"`, ""), "411111111111111")
        assert.notInclude(answer.text, "9517")
      }
      const long = yield* call("POST", create, { body: { ...byPix("x".repeat(500_000)) } })
      assert.isBelow(long.text.length, 1_000)
    })
  )

  it.effect("is refused with the position of the syntax error and the expected token, without its own text", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const reported = (body: string, type = "application/json") =>
        Effect.map(
          call("POST", create, { headers: { "content-type": type }, body }),
          ({ json }) => json.error.details["Subscription.body"][0]
        )
      const missing = `{\n  "myId": "a",\n  "Card": { "number": "4111111111111111" "cvv": "951" }\n}`
      const words = "is not JSON: at line 3, column 42 should be a comma or }"
      assert.strictEqual(yield* reported(missing), words)
      assert.strictEqual(yield* reported(missing, "text/plain"), words)
      assert.strictEqual(
        yield* reported(`{"myId":`),
        "is not JSON: it ends at line 1, column 9, where a value should follow"
      )
      const long = `{"x":${"[1],".repeat(900)}`
      assert.strictEqual(yield* reported(long), "is not JSON: at line 1, column 10 should be a key in double quotes")
    })
  )

  it.effect("gets the name of a field here for a key in the spelling of other deployments", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = { ...byPix(), planGalaxPayId: 1, Customer: { galaxPayId: 1 } }
      assert.deepStrictEqual((yield* call("POST", create, { body })).json.error.details, {
        "Subscription.planGalaxPayId": ["is not a field here: did you mean planSvcPayId?"],
        "Customer.galaxPayId": ["is not a field here: did you mean svcPayId?"]
      })
      const { json } = yield* call("GET", "/v2/transactions?startAt=0&limit=1&galaxPayIds=1")
      assert.deepStrictEqual(json.error.details, {
        "Transaction.galaxPayIds": ["is not a field here: did you mean svcPayIds?"]
      })
      const both = yield* call("POST", create, { body: { ...byPix(), Customer: { galaxPayId: 1, svcPayId: 2 } } })
      assert.deepStrictEqual(both.json.error.details, {
        "Customer.svcPayId": ["is sent under two names with different values: send only one of them"],
        "Customer.galaxPayId": ["is not a field here: did you mean svcPayId?"]
      })
    })
  )

  it.effect("gets every missing field of a new customer", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const answer = yield* call("POST", create, { body: { ...byPix(), Customer: { phones: [11987654321] } } })
      assert.strictEqual(answer.status, 400)
      assert.sameMembers(Object.keys(answer.json.error.details), [...keysOf("Customer", "name document emails")])
    })
  )
})

layer(server({ strictRequests: true }))("an invalid query", (it) => {
  const queries = [
    { query: "", keys: ["startAt", "limit"] },
    { query: "startAt=-1&limit=101", keys: ["startAt", "limit"] },
    { query: "startAt=0&limit=0", keys: ["limit"] },
    { query: "startAt=100000000000&limit=1", keys: ["startAt"] },
    { query: "startAt=1e3&limit=0x10", keys: ["startAt", "limit"] },
    { query: "startAt=0&limit=1&limit=2", keys: ["limit"] },
    {
      query: "startAt=0&limit=1&surprise=1&__proto__=1&constructor=2&constructor=3",
      keys: ["surprise", "__proto__", "constructor"]
    },
    {
      query: "startAt=0&limit=1&status=paid&order=value.asc&payDayFrom=yesterday",
      keys: ["status", "order", "payDayFrom"]
    },
    { query: "startAt=0&limit=1&svcPayIds=1,x,-1&myIds=%00", keys: ["svcPayIds", "myIds"] },
    { query: `startAt=0&limit=1&svcPayIds=${Array.from({ length: 101 }, () => 1).join(",")}`, keys: ["svcPayIds"] }
  ]
  for (const { keys, query } of queries) {
    it.effect(`returns a 400 with every problem at once: ${query.slice(0, 60)}`, () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        const answer = yield* call("GET", `/v2/transactions?${query}`)
        assert.strictEqual(answer.status, 400)
        assert.sameMembers(
          Object.keys(answer.json.error.details),
          keys.map((key) => `Transaction.${key}`)
        )
      })
    )
  }
})
