import { assert, layer } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { inPortuguese } from "@parcela/core/language/Translation"
import { Effect, Redacted } from "effect"
import { ana, byCard, byPix, cards, charge, payment } from "@parcela/test-world/Samples"
import { basic, call, server, signIn } from "@parcela/test-world/Server"

/** Matches the messages of schema libraries. */
const technical =
  /\bexpected\b|\bstring\b|\barray\b|\binteger\b|template literal|<|>|\bat index\b|\bdecoded\b|\bregexp\b|\bschema\b|\bunexpected\b|\bmissing key\b|\bexcess\b|\bundefined\b|\bNaN\b|\[object|code points/iu

const isPlain = (text: string): void => {
  assert.notMatch(text, technical)
  assert.match(text, /^[A-Za-z0-9"]/u)
  assert.isAtMost(text.length, 400, text)
  assert.isDefined(inPortuguese(text), text)
}

/** Values of every wrong kind. */
const wrong: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e15,
  2 ** 99,
  "",
  "x",
  "x".repeat(3000),
  "\u0000",
  "2026-02-30",
  {},
  { x: 1 },
  { "": 1 },
  [],
  [null],
  ["x"],
  [{}],
  [[]]
]

/** One of each kind, where it does not matter what is wrong with it. */
const wrongKinds: ReadonlyArray<unknown> = [null, 1.5, "x", {}, [[]]]

/** Copies of a body, each with one value at one place changed. */
const broken = (body: unknown, values = wrong): ReadonlyArray<unknown> => {
  if (typeof body !== "object" || body === null) return values
  return Object.entries(body).flatMap(([key, value]) =>
    broken(value, values).map((changed) =>
      Array.isArray(body)
        ? body.map((item, place) => (String(place) === key ? changed : item))
        : { ...body, [key]: changed }
    )
  )
}

const address = {
  zipCode: "01310100",
  street: "Paulista",
  number: "1",
  complement: "ap 2",
  neighborhood: "Bela Vista",
  city: "São Paulo",
  state: "SP"
}

const full = (card: object) => ({
  ...byPix(),
  mainPaymentMethodId: "nothing",
  additionalInfo: "a",
  Customer: { ...ana, svcPayId: 99, phones: [1], Address: address },
  PaymentMethodCreditCard: { Card: card },
  PaymentMethodBoleto: { fine: 1, interest: 1, instructions: "a", deadlineDays: 1 },
  PaymentMethodPix: { fine: 1, interest: 1, instructions: "a", Deadline: { type: "days", value: 1 } }
})

const newCard = byCard(cards.captured).PaymentMethodCreditCard.Card
const paid = { ...payment("p"), payday: "2000-01-01", payedOutsideSvcPay: false, additionalInfo: "a" }
const hooks = { url: "no address", events: ["transaction.updateStatus"] }
const bodies: ReadonlyArray<readonly [string, string, object]> = [
  ["POST", "/v2/subscriptions/manual", full(newCard)],
  ["POST", "/v2/subscriptions/manual", full({ svcPayId: 1 })],
  ["POST", "/v2/subscriptions/manual", full({ myId: "a" })],
  ["POST", "/v2/transactions/nobody/myId/add", { ...paid, PaymentMethodCreditCard: { Card: newCard } }],
  ["PUT", "/v2/webhooks", hooks],
  ["POST", "/v2/token", { grant_type: "nothing", scope: "a" }]
]

const names = (
  "startAt limit myIds svcPayIds customerMyIds customerSvcPayIds createdAtFrom createdAtTo createdOrUpdatedAtFrom " +
  "createdOrUpdatedAtTo subscriptionMyIds subscriptionSvcPayIds payDayFrom payDayTo updateStatusFrom updateStatusTo " +
  "status order surprise"
).split(" ")
const values = [
  "",
  "x",
  "-1",
  "1.5",
  "1e3",
  "99999999999999",
  "%00",
  "a,b,c",
  ",",
  "2026-02-30",
  "createdAt",
  "1,".repeat(150)
]

/** The sentences of an error node. */
const sentences = (text: string): ReadonlyArray<string> => {
  const { error } = JSON.parse(text) as { error: { message: string; details?: Record<string, ReadonlyArray<string>> } }
  return [error.message, ...Object.values(error.details ?? {}).flat()]
}

const entityField = /^[A-Z]\w*\.(?:[\p{L}\p{N}_$…-]+|".*")$/u

layer(server())("every message of a refused request", (it) => {
  it.effect(
    "is in plain words for every problem of a body",
    () =>
      Effect.gen(function* () {
        const { call, company } = yield* signIn()
        let read = 0
        for (const [method, path, body] of bodies) {
          const all =
            path === "/v2/token" ? { headers: basic(company.clientId, Redacted.value(company.clientSecret)) } : {}
          for (const changed of [...broken(body), ...wrong]) {
            const { json, status, text } = yield* call(method, path, { ...all, body: JSON.stringify(changed) })
            if (status < 400) continue
            for (const sentence of sentences(text)) isPlain(sentence)
            for (const key of Object.keys(json.error.details ?? {})) assert.match(key, entityField)
            read += 1
          }
        }
        assert.isAbove(read, 900)
      }),
    60_000
  )

  it.effect(
    "is in plain words for every problem of a query, a path or a header",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        for (const path of ["/v2/transactions", "/v2/subscriptions"]) {
          for (const value of values) {
            const query = names.map((name) => `${name}=${value}`).join("&")
            const { status, text } = yield* call("GET", `${path}?${query}`)
            assert.strictEqual(status, 400)
            for (const sentence of sentences(text)) isPlain(sentence)
          }
        }
        for (const kind of ["svcPayId", "myId", "x", "SVCPAYID"]) {
          for (const id of ["0", "x", "1e3", "99999999999", "%00", "a".repeat(256)]) {
            for (const [method, path] of [
              ["POST", `/v2/transactions/${id}/${kind}/add`],
              ["PUT", `/v2/transactions/${id}/${kind}/retry`]
            ] as const) {
              const body = method === "POST" ? { body: payment("p") } : {}
              const { status, text } = yield* call(method, path, body)
              assert.isAtLeast(status, 400)
              for (const sentence of sentences(text)) isPlain(sentence)
            }
          }
        }
        for (const key of ["", "x".repeat(256), "é"]) {
          const { text } = yield* call("PUT", "/v2/webhooks", { headers: { "idempotency-key": key }, body: hooks })
          for (const sentence of sentences(text)) isPlain(sentence)
        }
        for (const body of [`{"a":`, "", "[", "\u0000", `{"a":1}}`]) {
          const { text } = yield* call("PUT", "/v2/webhooks", { body })
          for (const sentence of sentences(text)) isPlain(sentence)
        }
      }),
    60_000
  )

  it.effect("lists the valid orders for an invalid order", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json } = yield* call("GET", "/v2/transactions?startAt=0&limit=1&order=payday")
      assert.deepStrictEqual(json.error.details, {
        "Transaction.order": ["item 1: must be one of createdAt.asc, createdAt.desc, payday.asc, payday.desc"]
      })
    })
  )

  it.effect("names the entity of the path", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const add = yield* call("POST", "/v2/transactions/a/x/add", { body: payment("p") })
      assert.deepStrictEqual(add.json.error.details, { "Subscription.typeId": ["must be one of svcPayId, myId"] })
      const retry = yield* call("PUT", "/v2/transactions/a/x/retry")
      assert.deepStrictEqual(retry.json.error.details, { "Transaction.typeId": ["must be one of svcPayId, myId"] })
    })
  )

  it.effect("distinguishes missing credentials from wrong ones", () =>
    Effect.gen(function* () {
      const ask = (headers: Record<string, string>) =>
        Effect.map(
          call("POST", "/v2/token", { headers, body: { grant_type: "client_credentials" } }),
          ({ json, status }) => [status, json.error.message]
        )
      const send = "Send client id and client secret as HTTP Basic authentication"
      assert.deepStrictEqual(yield* ask({}), [401, send])
      assert.deepStrictEqual(yield* ask({ authorization: "Bearer abc" }), [401, send])
      assert.deepStrictEqual(yield* ask({ authorization: "Basic" }), [401, send])
      assert.deepStrictEqual(yield* ask(basic("nobody", "wrong")), [401, "Client id or client secret is wrong"])
    })
  )

  it.effect("explains how to create an unknown customer", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { document } = ana
      const advice = [
        [{ svcPayId: 99 }, "omit it and send name, document and emails"],
        [{ svcPayId: 99, document }, "omit it and send name, document and emails"],
        [{ myId: "nobody" }, "also send name, document and emails"],
        [{ document }, "also send name and emails"],
        [{ myId: "nobody", document }, "also send name and emails"]
      ] as const
      for (const [Customer, says] of advice) {
        const { json, status } = yield* call("POST", "/v2/charges", { body: { ...charge(byPix()), Customer } })
        const words = `no customer of this company has that identifier: to create a customer, ${says}`
        const [first = ""] = Object.keys(Customer)
        const named = "svcPayId" in Customer ? [first] : Object.keys(Customer)
        assert.deepStrictEqual(
          [status, json.error],
          [
            404,
            {
              message: `Customer.${first}: ${words}`,
              details: Object.fromEntries(named.map((field) => [`Customer.${field}`, [words]]))
            }
          ]
        )
      }
    })
  )

  it.effect("names the list of customers for an unknown customer in the path", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const card = { myId: "card", number: "4111111111111111", holder: "ANA", expiresAt: "2099-12", cvv: "123" }
      const requests = [
        ["PUT", "/v2/customers/nobody/myId", { name: "Ana" }],
        ["DELETE", "/v2/customers/nobody/myId", undefined],
        ["POST", "/v2/cards/nobody/myId", card]
      ] as const
      for (const [method, path, body] of requests) {
        const { json, status } = yield* call(method, path, body === undefined ? {} : { body })
        assert.strictEqual(status, 404)
        assert.deepStrictEqual(json.error.details, {
          "Customer.myId": [
            "no customer of this company has that identifier: GET /customers lists all customers, POST /customers creates one"
          ]
        })
      }
    })
  )
})

layer(server({ naming: galaxPay }))("a server named galaxPay", (it) => {
  const hasOnlyItsNames = ({ text }: { readonly text: string }) => assert.notMatch(text, /svcPay/iu)

  it.effect(
    "uses its own names in every message and key",
    () =>
      Effect.gen(function* () {
        const { call } = yield* signIn()
        for (const [method, path, body] of bodies) {
          for (const changed of [...broken(body, wrongKinds), ...wrong]) {
            hasOnlyItsNames(yield* call(method, path, { body: JSON.stringify(changed) }))
          }
        }
        for (const value of values) {
          const query = names.map((name) => `${name.replace("svcPay", "galaxPay")}=${value}`).join("&")
          hasOnlyItsNames(yield* call("GET", `/v2/transactions?${query}`))
          hasOnlyItsNames(yield* call("GET", `/v2/subscriptions?${query}`))
        }
      }),
    60_000
  )

  it.effect("uses its names for an unknown entity and for a wrong kind of identifier", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const missing = yield* call("PUT", "/v2/transactions/99/galaxPayId/retry")
      const words = "nenhuma transação desta empresa tem esse identificador"
      assert.deepStrictEqual(missing.json, {
        error: { message: `Transaction.galaxPayId: ${words}`, details: { "Transaction.galaxPayId": [words] } }
      })
      const kind = yield* call("PUT", "/v2/transactions/99/x/retry")
      assert.deepStrictEqual(kind.json.error.details, {
        "Transaction.typeId": ["deve ser um destes: galaxPayId, myId"]
      })
      const nobody = yield* call("POST", "/v2/subscriptions/manual", { body: { ...byPix(), Customer: { myId: "x" } } })
      assert.include(nobody.json.error.message, "para criar um, envie também name, document e emails")
    })
  )

  it.effect("names both spellings of a field that is given twice", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const both = yield* call("POST", "/v2/subscriptions/manual", {
        body: { ...byPix(), Customer: { galaxPayId: 1, svcPayId: 2 } }
      })
      const words = ["foi enviado com dois nomes e valores diferentes: envie um só"]
      assert.deepStrictEqual(both.json.error.details, { "Customer.galaxPayId": words, "Customer.svcPayId": words })
    })
  )

  it.effect("uses its names in its document and on its page", () =>
    Effect.gen(function* () {
      for (const path of ["/openapi.json", "/docs", "/", "/health", "/v2/nothing"]) {
        const shown = yield* call("GET", path)
        hasOnlyItsNames(shown)
        if (path.length === 5 || path.length > 8)
          assert.match(shown.text, /galaxPayId|Não há operação neste endereço/u, path)
      }
    })
  )

  it.effect("does not change texts of a client", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const body = byPix("my svcPayId")
      yield* call("POST", "/v2/subscriptions/manual", { body })
      const again = yield* call("POST", "/v2/subscriptions/manual", { body })
      assert.deepStrictEqual(again.json.error.details, { "Subscription.myId": ['"my svcPayId" já está em uso'] })
    })
  )
})
