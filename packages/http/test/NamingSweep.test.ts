/**
 * Everything that a server says, under both names: no name of the one stands in what the other says. Requests are made
 * from the contract: good ones, ones about what is not there, and ones with a fault in every field.
 */
import { assert, describe, layer } from "@effect/vitest"
import { galaxPay, type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { Effect } from "effect"
import { basic, call, server, signIn } from "@parcela/test-world/Server"
import { requestOf, withToken } from "./fixtures/InterfaceRequests.ts"

/** Returns the first use of the other name in a text, with its surroundings. */
const foreignIn = ({ name }: NamingProfile, text: string): string | undefined => {
  // An expression with the preceding text would start at each character of a document.
  const at = text.search(name === "svcPay" ? /[gG]alaxPay/u : /[sS]vcPay/u)
  return at === -1 ? undefined : text.slice(Math.max(0, at - 60), at + 60)
}

/** A body with a fault in every field. */
const broken = (body: unknown, wrong: unknown): unknown =>
  Array.isArray(body)
    ? body.map((item) => broken(item, wrong))
    : typeof body === "object" && body !== null
      ? Object.fromEntries(Object.entries(body).map(([key, value]) => [key, broken(value, wrong)]))
      : wrong

const faultsOf = (body: unknown): ReadonlyArray<unknown> => [
  ...[{ "": 1 }, "", -1, true].map((wrong) => broken(body, wrong)),
  [],
  {},
  // Keys of which a refusal says what was meant, and nodes that are taken elsewhere.
  { ...Object(body), Value: 1, payDay: 1, paidOutside: true, Transactions: [{ value: 1 }] },
  { ...Object(body), PaymentMethodCreditCard: { Card: { hash: "a" } }, planSvcPayId: 99, Customer: { svcPayId: 99 } }
]

const badQuery =
  "svcPayId=1&statuses=a&status=x&limit=x&svcPayIds=x&customerSvcPayIds=x&subscriptionSvcPayIds=x&order=x"

/** A token's requests with the names of a server, and what of its responses was another's. */
const checking = Effect.fnUntraced(function* (naming: NamingProfile) {
  const { call: own, company } = yield* signIn()
  const foreign: Array<string> = []
  const check = (what: string, text: string, headers: Iterable<string> = []) => {
    const found = foreignIn(naming, [text, ...headers].join("\n"))
    if (found !== undefined) foreign.push(`${what}: ${found}`)
  }
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const wire = `/v2${naming.toWirePath(path.slice("/v2".length))}`
    const answer = yield* own(method, wire, body === undefined ? {} : { body: naming.toWire(body) })
    check(`${method} ${path} ${answer.status}`, answer.text, answer.headers.values())
    return answer.status
  })
  return { company, foreign, check, send }
})

const created = withToken.filter(({ path }) => !path.includes(":typeId"))
const named = withToken.filter(({ path }) => path.includes(":typeId"))

for (const naming of [svcPay, galaxPay]) {
  describe(`a server named ${naming.name}`, () => {
    layer(server({ naming }))((it) => {
      it.effect(
        "uses no other name in a response of an operation, in a refusal, or in a control of the sandbox",
        () =>
          Effect.gen(function* () {
            const { company, foreign, check, send } = yield* checking(naming)
            const done = new Set<string>()
            for (const operation of created) {
              const { body, method, path } = requestOf(operation)
              if ((yield* send(method, path, body)) === 200) done.add(operation.name)
              yield* send(method, path, body)
              yield* send(method, `${path}${path.includes("?") ? "&" : "?"}${badQuery}`)
              if (body !== undefined) for (const fault of faultsOf(body)) yield* send(method, path, fault)
            }
            assert.sameMembers(
              [...done],
              created.map(({ name }) => name)
            )
            for (const operation of named) {
              for (const id of ["contract-1", "payment-1", "order-1", "box", "maria", "none", 1, 99]) {
                const { body, method, path } = requestOf(operation, id)
                yield* send(method, path, body)
                if (body !== undefined && id === 99)
                  for (const fault of faultsOf(body)) yield* send(method, path, fault)
              }
              const { method, path } = requestOf(operation, 1)
              yield* send(method, path.replace("/svcPayId", "/x"), {})
              yield* send(method, path.replace("/1/", "/x/"), {})
              yield* send("GET", path)
            }
            const wrongSecret = { headers: basic(company.clientId, "wrong"), body: {} }
            check("POST /v2/token", (yield* call("POST", "/v2/token", wrongSecret)).text)
            const { paths } = (yield* call("GET", "/sandbox/openapi.json")).json
            for (const [path, item] of Object.entries<object>(paths)) {
              if (!("get" in item)) continue
              const { text } = yield* call("GET", `/sandbox${path.replace("{clientId}", company.clientId)}`)
              // The log of requests contains their paths as the client sent them.
              if (!path.endsWith("/requests")) check(`GET /sandbox${path}`, text)
            }
            const order = { body: { myId: "none" } }
            check("pay", (yield* call("POST", `/sandbox/companies/${company.clientId}/payments`, order)).text)
            assert.deepStrictEqual(foreign, [])
          }),
        60_000
      )

      it.effect.each(["/openapi.json", "/docs", "/sandbox/openapi.json", "/docs/sandbox", "/v2/none"])(
        "uses no other name at %s",
        (path) =>
          Effect.gen(function* () {
            const { text } = yield* call("GET", path)
            assert.isAbove(text.length, 50)
            assert.isUndefined(foreignIn(naming, text))
          })
      )
    })
  })
}
