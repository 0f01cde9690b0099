import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect, Redacted } from "effect"
import { ana } from "@parcela/test-world/Samples"
import { type Answer, basic, call, server, signIn } from "@parcela/test-world/Server"

/** Milliseconds of CPU for which one request may hold the event loop. */
const limit = 50

/** As many items as fit into `size` characters, each made of its number. */
const filled = (size: number, item: (n: string) => string, separator = ",") => {
  const items: Array<string> = []
  for (let length = 0, n = 0; ; n++) {
    const one = item(n.toString(36))
    length += one.length + separator.length
    if (length > size) return items.join(separator)
    items.push(one)
  }
}

const of = (count: number, item: (n: string) => string) =>
  Array.from({ length: count }, (_, n) => item(n.toString(36).padStart(2, "0"))).join(",")

type Shape = readonly [name: string, text: (size: number) => string]

/** The largest body, and one with which more of what is read is checked. */
const sizes = [1_048_000, 60_000]

const json: ReadonlyArray<Shape> = [
  ["one unknown key repeated", (size) => `{${filled(size, () => '"a":1')}}`],
  ["one unknown key repeated with escapes", (size) => `{${filled(size, () => '"\\u0061":1')}}`],
  ["many unknown keys", (size) => `{${filled(size, (n) => `"k${n}":1`)}}`],
  ["many keys that resemble a date", (size) => `{${filled(size, (n) => `"payday${n}":1`)}}`],
  ["many keys of another naming profile", (size) => `{${filled(size, (n) => `"svcPayId${n}":1,"galaxPayId${n}":1`)}}`],
  ["long unknown keys", (size) => `{${of(999, (n) => `"${"payday".padEnd(size / 1_000 - 9, "x")}${n}":1`)}}`],
  ["unknown keys that are quoted", (size) => `{${of(999, (n) => `"${"é ".repeat(size / 4_000)}${n}":1`)}}`],
  ["__proto__ repeated", (size) => `{${filled(size, () => '"__proto__":{"a":1}')}}`],
  ["open lists", (size) => "[".repeat(size)],
  ["nested objects", (size) => `${'{"a":'.repeat(size / 6)}1${"}".repeat(size / 6)}`],
  ["many lists, deep inside", (size) => `{"a":${"[".repeat(60)}${filled(size, () => "[]")}${"]".repeat(60)}}`],
  ["lists of lists", (size) => `{"Customer":{"emails":[${filled(size, () => `[${"[],".repeat(900)}[]]`)}]}}`],
  ["many small objects", (size) => `{"Customer":{"ExtraFields":[${filled(size, (n) => `{"a${n}":1}`)}]}}`],
  [
    "objects of keys that resemble an amount",
    (size) => `{"PlanPrices":[${of(999, () => `{${filled(size / 1_000 - 3, (n) => `"val${n}":1`)}}`)}]}`
  ],
  [
    "prices with wrong fields",
    () => `{"PlanPrices":[${of(999, (n) => `{"payment":"${n}","value":-1,"a":1,"valu":1}`)}]}`
  ],
  ["a long text", (size) => `{"myId":"${"x".repeat(size)}"}`],
  ["a long text of escapes", (size) => `{"myId":"${"\\u0041".repeat(size / 6)}"}`],
  ["a long text of backslashes and quotes", (size) => `{"myId":"${'\\\\\\"'.repeat(size / 4)}"}`],
  ["a text of escaped quotes without an end", (size) => `{"myId":"${'\\"'.repeat(size / 2)}`],
  [
    "long texts in each field",
    (size) => {
      const long = (part: string) => part.repeat(size / 8 / part.length)
      const customer = {
        name: long("x"),
        document: long("5"),
        emails: [long("a."), `a@${long("a-.")}`],
        phones: [long("55")]
      }
      return JSON.stringify({ myId: long("x"), payday: long("2026-09-2"), Customer: customer })
    }
  ],
  ["one long e-mail address", (size) => JSON.stringify({ Customer: { ...ana, emails: ["a.".repeat(size / 2)] } })],
  [
    "many e-mail addresses that are none",
    (size) => `{"Customer":{"emails":[${of(999, (n) => `"${"x".repeat(size / 1_010)}${n}"`)}]}}`
  ],
  ["a card number of blanks", (size) => `{"PaymentMethodCreditCard":{"Card":{"number":"${" ".repeat(size)}"}}}`],
  ["a long address", (size) => JSON.stringify({ url: `http://a/${"a/../".repeat(size / 5)}`, events: [] })],
  ["a long host", (size) => JSON.stringify({ url: `http://${"a.".repeat(size / 2)}`, events: [] })],
  ["a long number", (size) => `{"value":${"9".repeat(size)}}`],
  ["many numbers", (size) => `{"value":[${filled(size, () => "1e400")}]}`],
  ["blanks", (size) => `{${" ".repeat(size)}`],
  ["lines", (size) => `{${"\n".repeat(size)}x`],
  ["blanks before a colon", (size) => `["a"${" ".repeat(size / 2)},"b"${" ".repeat(size / 2)}`],
  ["commas", (size) => `[${",".repeat(size)}`]
]

const forms: ReadonlyArray<Shape> = [
  ["short names", (size) => `grant_type=client_credentials&${filled(size, (n) => `${n}a`, "&")}`],
  ["4,100 short names", () => `grant_type=client_credentials&${filled(16_300, (n) => `${n}a`, "&")}`],
  ["one name repeated", (size) => filled(size, () => "grant_type=client_credentials", "&")],
  ["ampersands", (size) => `=${"&".repeat(size)}`],
  ["percent escapes", (size) => `grant_type=${"%41".repeat(size / 3)}`],
  ["escapes that are not UTF-8", (size) => `grant_type=${"%FF".repeat(size / 3)}`],
  ["plus signs", (size) => `grant_type=${"+".repeat(size)}`],
  ["commas", (size) => `grant_type=client_credentials&scope=${",".repeat(size)}`],
  ["many scopes", (size) => `grant_type=client_credentials&scope=${filled(size, (n) => n, "+")}`]
]

const queries: ReadonlyArray<Shape> = [
  ["unknown filters", (size) => filled(size, (n) => `${n}=1`, "&")],
  ["names that resemble a filter", (size) => filled(size, (n) => `createdAt${n}=1`, "&")],
  ["one filter repeated", (size) => filled(size, () => "myIds=1", "&")],
  ["commas", (size) => `myIds=${",".repeat(size)}`],
  ["many values", (size) => `status=${filled(size, (n) => n)}`],
  ["percent escapes", (size) => `myIds=${"%41".repeat(size / 3)}`]
]

/** The CPU time of this thread, which has the server and its client: the least of three. */
const cost = Effect.fnUntraced(function* <E, R>(request: Effect.Effect<Answer, E, R>) {
  let least = Infinity
  for (let round = 0; round < 3 && least > limit / 3; round++) {
    const before = process.threadCpuUsage()
    yield* request
    const { system, user } = process.threadCpuUsage(before)
    least = Math.min(least, (system + user) / 1_000)
  }
  return least
})

const servers = [
  ["a tolerant server", {}],
  ["a strict server", { strictRequests: true }],
  ["a server with other names and texts", { naming: galaxPay, language: "pt" }]
] as const

for (const [name, options] of servers) {
  layer(server(options))(`${name} takes at most ${limit} ms of CPU`, (it) => {
    it.effect.each(json)("for JSON that is %s", ([, text]) =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        for (const [method, path] of [
          ["POST", "/v2/subscriptions/manual"],
          ["POST", "/v2/plans"],
          ["PUT", "/v2/webhooks"]
        ] as const) {
          for (const size of sizes) {
            assert.isBelow(yield* cost(call(method, path, { body: text(size) })), limit, `${path}, ${size} characters`)
          }
        }
      })
    )

    it.effect.each(forms)("for a form of %s", ([, text]) =>
      Effect.gen(function* () {
        const { clientId, clientSecret } = (yield* signIn()).company
        const headers = {
          ...basic(clientId, Redacted.value(clientSecret)),
          "content-type": "application/x-www-form-urlencoded"
        }
        for (const size of sizes) {
          const sent = call("POST", "/v2/token", { headers, body: text(size) })
          assert.isBelow(yield* cost(sent), limit, `${size} characters`)
        }
      })
    )

    it.effect.each(queries)("for a query of %s", ([, text]) =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        const sent = call("GET", `/v2/transactions?startAt=0&limit=10&${text(15_500)}`)
        assert.isBelow(yield* cost(sent), limit)
      })
    )
  })
}
