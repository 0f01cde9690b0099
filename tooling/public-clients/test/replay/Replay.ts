/** Sends what a public code base sends, over a socket, and holds what comes back against what that code reads. */
import {
  type Call,
  type Expected,
  type Flow,
  type Import,
  type Json,
  type Payment,
  type PublicCode,
  type Reads,
  json
} from "./PublicCode.ts"
import { receiver } from "./Receiver.ts"
import { assert } from "@effect/vitest"
import { cpfCheckDigits } from "@parcela/core/customers/Document"
import * as SandboxServer from "@parcela/sandbox/SandboxServer"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as http from "node:http"

/** 2026-09-21, 11:13:20 in Brazil. */
export const start = 1_790_000_000_000

/** The initial values; the days belong to `start`. */
const days = { yesterday: "2026-09-20", today: "2026-09-21", nextWeek: "2026-09-28", nextMonth: "2026-10-28" }

type Known = Map<string, unknown>
type Send = (call: Pick<Call, "method" | "path" | "body">) => Effect.Effect<Answer>

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Runs a flow as a company of its own. */
export const replay = Effect.fnUntraced(function* (code: PublicCode, flow: Flow) {
  const { baseUrl, clientId, clientSecret } = yield* SandboxServer.companyOf()
  const { next, url } = yield* receiver
  const known: Known = new Map(Object.entries({ ...days, receiver: url }))
  const basic = Buffer.from(`${clientId}:${Redacted.value(clientSecret)}`).toString("base64")
  const login = yield* request(baseUrl, { authorization: `Basic ${basic}`, ...code.login.headers })({
    method: "POST",
    path: "/token",
    body: { grant_type: "authorization_code", scope: code.login.scope }
  })
  assert.strictEqual(login.status, 200, JSON.stringify(login.body))
  const authorization = `${read(login.body, "token_type")} ${read(login.body, "access_token")}`
  const asAnybody = request(baseUrl, { authorization, ...json })
  const asTheCode = request(baseUrl, { authorization, ...code.headers })

  for (const call of flow.given ?? []) yield* send(asAnybody, call, known)
  for (const step of flow.steps) {
    if ("event" in step) taken(yield* Effect.raceFirst(next(step.event), timeGoesOn), step, known)
    else if ("imports" in step) yield* importAll(asTheCode, step, known)
    else if ("pays" in step) yield* pay(step, clientId, known)
    else yield* send(asTheCode, step, known)
  }
  for (const call of flow.ends ?? []) yield* send(asAnybody, call, known)
})

/** By `node:http`: some of them send a body with a GET, which `fetch` refuses. */
const request =
  (baseUrl: string, headers: { readonly [name: string]: string }): Send =>
  ({ body, method, path }) =>
    Effect.callback<Answer>((resume) => {
      const text = body === undefined ? "" : JSON.stringify(body)
      const length = text === "" ? {} : { "content-length": String(Buffer.byteLength(text)) }
      const outgoing = http.request(baseUrl + path, { method, headers: { ...headers, ...length } }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () =>
          resume(
            Effect.succeed({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
          )
        )
      })
      outgoing.on("error", (error) => resume(Effect.die(error)))
      outgoing.end(text)
    })

const send = Effect.fnUntraced(function* (asked: Send, call: Call, known: Known) {
  for (let count = 1; count <= (call.times ?? 1); count += 1) {
    const base = String(100_000_000 + count)
    known.set("count", count).set("document", base + cpfCheckDigits(base))
    const { body, method, path } = call
    const { body: answered, status } = yield* asked({
      method,
      path: String(filled(path, known)),
      ...(body === undefined ? {} : { body: filled(body, known) })
    })
    assert.strictEqual(status, call.status ?? 200, `${call.does}: ${JSON.stringify(answered)}`)
    taken(answered, call, known)
  }
})

const importAll = Effect.fnUntraced(function* (asked: Send, step: Import, known: Known) {
  let [items, pages] = [0, 0]
  for (;;) {
    known.set("startAt", items)
    const { body, status } = yield* asked({ method: "GET", path: String(filled(step.path, known)) })
    assert.strictEqual(status, 200, `${step.does}: ${JSON.stringify(body)}`)
    const found = Number(read(body, "totalQtdFoundInPage"))
    for (let item = 0; item < found; item += 1)
      holds(step.does, read(body, `${step.imports}.${item}`), step.reads, known)
    items += found
    pages += 1
    if (step.until === "empty" ? found === 0 : found < step.limit) break
  }
  assert.deepStrictEqual({ items, pages }, step.ends, step.does)
})

/** As the payer does, at the simulated bank or Pix provider. */
const pay = Effect.fnUntraced(function* ({ does, pays }: Payment, clientId: string, known: Known) {
  const { status } = yield* request(
    `${yield* SandboxServer.url}/sandbox`,
    json
  )({
    method: "POST",
    path: `/companies/${clientId}/payments`,
    body: { transactionId: filled(pays, known) }
  })
  assert.strictEqual(status, 200, does)
})

/** Deliveries go out when their time comes. */
const timeGoesOn = Effect.gen(function* () {
  yield* TestClock.adjust("1 second")
  yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
}).pipe(Effect.forever)

const taken = (
  body: unknown,
  { does, keeps = {}, reads = {} }: Pick<Call, "does" | "keeps" | "reads">,
  known: Known
) => {
  holds(does, body, reads, known)
  for (const [name, place] of Object.entries(keeps)) known.set(name, read(body, place))
}

const holds = (does: string, body: unknown, reads: Reads, known: Known) => {
  for (const [place, expected] of Object.entries(reads)) {
    const value = read(body, place)
    const where = `${does}: ${place} of ${JSON.stringify(body).slice(0, 500)}`
    if (isMark(expected, "there")) assert.isDefined(value, where)
    else if (isMark(expected, "some")) assert.exists(value, where)
    // What is no mark is a value.
    else assert.deepStrictEqual(value, filled(expected as Json, known), where)
  }
}

const isMark = (expected: Expected, mark: string): boolean =>
  typeof expected === "object" && expected !== null && "expected" in expected && expected.expected === mark

/** The value at a path, or undefined. A key of a validation error contains a dot. */
const read = (body: unknown, place: string): unknown => {
  if (typeof body !== "object" || body === null) return undefined
  if (Object.hasOwn(body, place)) return Reflect.get(body, place)
  const dot = place.indexOf(".")
  return dot < 0 ? undefined : read(Reflect.get(body, place.slice(0, dot)), place.slice(dot + 1))
}

/** With what is known in the place of its names. */
const filled = (value: Json, known: Known): Json => {
  if (typeof value === "string") {
    const name = /^\{(\w+)\}$/u.exec(value)?.[1]
    // What was read of a response is JSON.
    if (name !== undefined && known.has(name)) return known.get(name) as Json
    return value.replace(/\{(\w+)\}/gu, (text, inner: string) => (known.has(inner) ? String(known.get(inner)) : text))
  }
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, known))
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, known)]))
    : value
}
