/**
 * Valid requests with random changes to their form and content. Whatever arrives, the service responds with a success or
 * an error node of the caller's fault, never with a fault of its own, and goes on.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { ana, basic, byCard, byPix, call, cards, onServer, payment, signIn } from "./fixtures/Http.ts"

const prove = inject("prove")
const requests = prove.long ? (prove.count ?? 50_000) : 200

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Whole numbers from 0 to below a limit, the same for the same seed (Lehmer, 2^31 - 1). */
const randomOf = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * limit)
  }
}
type Random = ReturnType<typeof randomOf>

const oneOf = <A>(random: Random, values: ReadonlyArray<A>): A => values[random(values.length)]!

const oddValues: ReadonlyArray<unknown> = [
  null,
  "",
  " ",
  0,
  -1,
  1.5,
  1e308,
  99_999_999_999,
  100_000_000_000,
  true,
  "true",
  [],
  {},
  [[]],
  [null],
  { a: { b: [] } },
  "\u0000",
  "\ud800",
  "é".repeat(300),
  "x".repeat(70_000),
  "2026-02-30",
  "9999-12-31",
  "0000-00-00",
  "4111111111111111",
  "<script>",
  "'; DROP TABLE transactions; --",
  "__proto__",
  "1e3",
  Array.from({ length: 200 }, () => "a@b.c")
]

const oddNames = ["__proto__", "constructor", "toString", "", "myID", "Value", "valor", "ação", "a".repeat(500), "0"]

/** One leaf or branch of a value is another one, is gone, or has company. */
const changed = (random: Random, value: unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || (depth > 0 && random(4) === 0)) return oneOf(random, oddValues)
  if (Array.isArray(value)) {
    const index = random(value.length + 1)
    return value.toSpliced(index, 1, changed(random, value[index], depth + 1))
  }
  const fields = Object.entries(value)
  const [name = "x", own] = fields[random(fields.length)] ?? []
  const rest = fields.filter(([other]) => other !== name)
  const drawn = random(5)
  if (drawn === 0) return Object.fromEntries(rest)
  if (drawn === 1) return Object.fromEntries([...fields, [oneOf(random, oddNames), own]])
  if (drawn === 2) return Object.fromEntries([...rest, [name.toUpperCase(), own]])
  return Object.fromEntries([...rest, [name, changed(random, own, depth + 1)]])
}

const textChanges: ReadonlyArray<(text: string, random: Random) => string> = [
  (text, random) => text.slice(0, random(text.length)),
  (text, random) => {
    const at = random(text.length + 1)
    return (
      text.slice(0, at) +
      oneOf(random, ["{", "}", '"', ",", "\\", "\u0000", "💳", "1e999", "//", "[".repeat(5_000)]) +
      text.slice(at)
    )
  },
  (text) => text + text,
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll(":", " : "),
  (text) => text.replace("{", '{"myId":"twice",')
]

const pathChanges: ReadonlyArray<(path: string, random: Random) => string> = [
  (path) => `${path}/`,
  (path) => path.replace("/v2/", "/V2/"),
  (path) => path.replaceAll("/", "//"),
  (path) => path.replace("myId", "myid"),
  (path, random) =>
    path + oneOf(random, ["?a=b", "&startAt=1", "%", "%00", "%ff", "?limit=", "&order=payday.desc,", "&status=,"]),
  (path, random) =>
    path.replace(/=[^&]*/, `=${encodeURIComponent(String(oneOf(random, oddValues)).slice(0, 2_000).toWellFormed())}`),
  (path, random) => path.replace(/p\d+/, encodeURIComponent(oneOf(random, ["..", " ", "é", "a/b", "x".repeat(3_000)])))
]

const headerChanges: ReadonlyArray<(random: Random) => Readonly<Record<string, string>>> = [
  (random) => ({
    "content-type": oneOf(random, [
      "text/plain",
      "application/json; charset=utf-16",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
      "a"
    ])
  }),
  (random) => ({ authorization: oneOf(random, ["Bearer", "Bearer x", "Basic !!!", "Basic Og==", "", "Digest a=b"]) }),
  (random) => ({ "idempotency-key": oneOf(random, ["", "k", "x".repeat(256), '"quoted"', "same", "é"]) }),
  (random) => ({ accept: oneOf(random, ["text/html", "*/*;q=0", "application/xml"]) })
]

const mutated = (random: Random, sent: Sent): Sent => {
  const drawn = random(10)
  if (drawn === 0) return { ...sent, method: oneOf(random, ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) }
  if (drawn <= 2) return { ...sent, path: oneOf(random, pathChanges)(sent.path, random) }
  if (drawn === 3) return { ...sent, headers: { ...sent.headers, ...oneOf(random, headerChanges)(random) } }
  if (sent.body === undefined) return { ...sent, path: oneOf(random, pathChanges)(sent.path, random) }
  if (drawn === 4) return { ...sent, body: oneOf(random, textChanges)(JSON.stringify(sent.body), random) }
  return { ...sent, body: changed(random, sent.body) }
}

describe("what mutated requests found", () => {
  it.effect("a payment on the last day of the calendar is taken", () =>
    Effect.gen(function* () {
      const { call: own } = yield* signIn()
      yield* own("POST", "/v2/subscriptions/manual", { body: byCard(cards.captured) })
      const body = { ...payment("p"), payday: "9999-12-31" }
      const answer = yield* own("POST", "/v2/transactions/sub/myId/add", { body })
      assert.deepStrictEqual([answer.status, answer.json.Transaction.status], [200, "notSend"])
    }).pipe(onServer())
  )
})

describe(`${requests} mutated requests`, () => {
  it.effect(
    "are each a success or the caller's fault, said in an error node, and the service goes on",
    () =>
      Effect.gen(function* () {
        const { call: own, company, token } = yield* signIn()
        yield* own("POST", "/v2/subscriptions/manual", { body: byCard(cards.denied) })
        yield* own("POST", "/v2/subscriptions/manual", { body: byPix("pix") })
        yield* own("POST", "/v2/transactions/sub/myId/add", { body: payment("p0") })
        const headers = { authorization: `Bearer ${token}` }
        const valid = (number: number): ReadonlyArray<Sent> => [
          {
            method: "POST",
            path: "/v2/token",
            headers: basic(company.clientId, Redacted.value(company.clientSecret)),
            body: { grant_type: "client_credentials", scope: "transactions.read" }
          },
          { method: "POST", path: "/v2/subscriptions/manual", headers, body: byCard(cards.captured, `s${number}`) },
          {
            method: "POST",
            path: "/v2/subscriptions/manual",
            headers,
            body: {
              ...byPix(`s${number}`),
              additionalInfo: "notes",
              PaymentMethodPix: { fine: 100, interest: 200, instructions: "pay", Deadline: { type: "days", value: 3 } },
              PaymentMethodBoleto: { fine: 100, interest: 200, instructions: "pay", deadlineDays: 5 },
              Customer: {
                ...ana,
                phones: [11_987_654_321],
                Address: {
                  zipCode: "01001000",
                  street: "Praça da Sé",
                  number: "1",
                  neighborhood: "Sé",
                  city: "São Paulo",
                  state: "SP"
                }
              }
            }
          },
          { method: "POST", path: "/v2/transactions/sub/myId/add", headers, body: payment(`p${number}`) },
          { method: "POST", path: "/v2/transactions/pix/myId/add", headers, body: payment(`p${number}`) },
          { method: "PUT", path: "/v2/transactions/p0/myId/retry", headers },
          { method: "GET", path: "/v2/transactions?startAt=0&limit=3&status=denied&payDayFrom=2026-01-01", headers },
          {
            method: "GET",
            path: "/v2/subscriptions?startAt=0&limit=3&customerMyIds=ana&order=createdAt.desc",
            headers
          },
          {
            method: "PUT",
            path: "/v2/webhooks",
            headers,
            body: { url: "http://127.0.0.1:9/", events: [] }
          }
        ]
        const random = randomOf(20_260_921)
        const statuses = new Map<number, number>()
        for (let number = 1; number <= requests; number += 1) {
          const { method, path, ...sent } = mutated(random, oneOf(random, valid(number)))
          const body = method === "GET" ? {} : sent
          const answer = yield* call(method, path, { headers: sent.headers, ...body })
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          // 501 is an operation of the family that is not there.
          assert.isTrue(
            answer.status < 500 || answer.status === 501,
            `${number}: ${answer.status} ${answer.text.slice(0, 300)} to ${method} ${path.slice(0, 200)} ${JSON.stringify(sent).slice(0, 500)}`
          )
          if (answer.status < 300) JSON.parse(answer.text)
          if (prove.long && number % 1_000 === 0) console.log(`${number} of ${requests} requests`)
        }
        // Neither is everything refused before it is looked at, nor does nothing pass.
        assert.isAbove(statuses.get(400) ?? 0, requests / 10)
        assert.isAbove(statuses.get(200) ?? 0, requests / 40)
        const after = yield* own("POST", "/v2/transactions/pix/myId/add", { body: payment("after all") })
        assert.strictEqual(after.status, 200)
      }).pipe(onServer()),
    prove.long ? 3_600_000 : 60_000
  )
})
