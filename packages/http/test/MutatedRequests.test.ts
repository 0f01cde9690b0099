/**
 * Valid requests with random changes to their form and content. The service responds with the operation's
 * response or with an error node of the caller's error, never with a defect, and continues.
 */
import { assert, describe, it } from "@effect/vitest"
import { galaxPay, svcPay } from "@parcela/core/json/NamingProfile"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { byCard, byPix, cards, payment } from "@parcela/test-world/Samples"
import { basic, call, onServer, signIn } from "@parcela/test-world/Server"
import { requestsOf } from "./fixtures/InterfaceRequests.ts"
import { problemOf } from "./fixtures/Responses.ts"
import { mutated, oneOf, randomOf, type Sent } from "./fixtures/Mutations.ts"

const prove = inject("prove")
const requests = prove.long ? (prove.count ?? 50_000) : 2_000

describe("a defect that mutated requests found", () => {
  it.effect("does not refuse a payment on the last day of the calendar", () =>
    Effect.gen(function* () {
      const { call: own } = yield* signIn()
      yield* own("POST", "/v2/subscriptions/manual", { body: byCard(cards.captured) })
      const body = { ...payment("p"), payday: "9999-12-31" }
      const answer = yield* own("POST", "/v2/transactions/sub/myId/add", { body })
      assert.deepStrictEqual([answer.status, answer.json.Transaction.status], [200, "notSend"])
    }).pipe(onServer())
  )
})

// A server of another name reads all of them another way; it has its turn where there is time.
const namings = prove.long ? [svcPay, galaxPay] : [svcPay]

describe.each(namings)(`${requests} mutated requests to a server named $name`, (naming) => {
  it.effect(
    "each succeed or return an error node with the caller's error, and the service continues",
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
          { method: "PUT", path: "/v2/transactions/p0/myId/retry", headers },
          // Identifiers rise from 1 on, for each kind of entity: most of these are there.
          ...requestsOf(`p${number}`, 1 + random(1 + Math.floor(number / 30))).map(({ path, ...sent }) => ({
            ...sent,
            path: `/v2${naming.toWirePath(path.slice(3))}`,
            ...("body" in sent ? { body: naming.toWire(sent.body) } : {}),
            headers
          }))
        ]
        const random = randomOf(20_260_921)
        const statuses = new Map<number, number>()
        for (let number = 1; number <= requests; number += 1) {
          const { method, path, ...sent } = mutated(random, oneOf(random, valid(number)))
          const body = method === "GET" || method === "HEAD" ? {} : sent
          const answer = yield* call(method, path, { headers: sent.headers, ...body })
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          // 501 is an operation of the family that is not there.
          assert.isTrue(
            answer.status < 500 || answer.status === 501,
            `${number}: ${answer.status} ${answer.text.slice(0, 300)} to ${method} ${path.slice(0, 200)} ${JSON.stringify(sent).slice(0, 500)}`
          )
          // Under another name every absent field is null, which the contract's schemas do not say.
          if (answer.status < 300 && method !== "HEAD" && naming === svcPay) {
            assert.isNull(
              problemOf(method, path, JSON.parse(answer.text)),
              `${number}: ${method} ${path.slice(0, 200)}`
            )
          }
          if (prove.long && number % 1_000 === 0) console.log(`${number} of ${requests} requests`)
        }
        // Some requests reach the decoder, and some succeed.
        assert.isAbove(statuses.get(400) ?? 0, requests / 10)
        assert.isAbove(statuses.get(200) ?? 0, requests / 40)
        const after = yield* own("POST", "/v2/subscriptions/manual", { body: byPix("after all") })
        assert.strictEqual(after.status, 200)
      }).pipe(onServer({ naming })),
    prove.long ? 3_600_000 : 240_000
  )
})
