import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { byCard, cards, payment } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"

const requestsOf = Effect.fnUntraced(function* (query = "") {
  const { json } = yield* call("GET", `/sandbox/requests${query}`)
  return json as {
    readonly next: number
    readonly requests: ReadonlyArray<{ readonly id: number; readonly [field: string]: unknown }>
  }
})

const eventsOf = Effect.fnUntraced(function* (query = "", company = "sandbox") {
  const { json, status, text } = yield* call("GET", `/sandbox/companies/${company}/events${query}`)
  assert.strictEqual(status, 200, text)
  return json as {
    readonly next?: string
    readonly events: ReadonlyArray<{
      readonly subject: { readonly kind: string; readonly id: string }
      readonly events: ReadonlyArray<{ readonly _tag: string }>
      readonly [field: string]: unknown
    }>
  }
})

const subscribe = (bearer: string) =>
  call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.captured) })

const pay = (bearer: string, myId: string, more: object = {}) =>
  call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: { ...payment(myId), ...more } })

describe("the requests of a sandbox", () => {
  it.effect("are listed with response, company and unknown keys, and followed by their numbers", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const { next } = yield* requestsOf()
      assert.isBelow((yield* requestsOf("?after=500")).next, 9)
      yield* subscribe(bearer)
      const paid = yield* pay(bearer, "p", { colour: "red" })
      const refused = yield* pay(bearer, "p2", { value: -1 })
      const query = `?after=${next}&clientId=sandbox`
      const { requests } = yield* requestsOf(query)
      const { companyId } = (yield* call("GET", "/sandbox/companies/sandbox")).json
      assert.deepStrictEqual(
        requests.map(({ companyId, faultyFields, method, path, requestId, status, unknownKeys }) => ({
          companyId,
          faultyFields,
          method,
          path,
          requestId,
          status,
          unknownKeys
        })),
        [
          { method: "POST", path: "/v2/subscriptions/manual", status: 200, unknownKeys: [], faultyFields: [] },
          {
            method: "POST",
            path: "/v2/transactions/sub/myId/add",
            status: 200,
            unknownKeys: ["colour"],
            faultyFields: []
          },
          {
            method: "POST",
            path: "/v2/transactions/sub/myId/add",
            status: 400,
            unknownKeys: [],
            faultyFields: ["Transaction.value"]
          }
        ].map((one, index) => ({ ...one, companyId, requestId: requests[index]!["requestId"] }))
      )
      assert.strictEqual(requests[1]!["requestId"], paid.headers.get("x-request-id"))
      assert.deepStrictEqual((yield* requestsOf(`${query}&status=400`)).requests, requests.slice(2))
      assert.strictEqual(refused.status, 400)
      const first = yield* requestsOf(`${query}&limit=1`)
      assert.deepStrictEqual(first.requests, requests.slice(0, 1))
      const after = (yield* requestsOf(`?after=${first.next}&clientId=sandbox&limit=1`)).requests
      assert.deepStrictEqual(after, requests.slice(1, 2))
    }).pipe(onServer())
  )

  it.effect("begin with the latest page if `after` is absent", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(Array.from({ length: 120 }), () => call("GET", "/health"))
      const { next, requests } = yield* requestsOf()
      assert.lengthOf(requests, 100)
      assert.isAbove(requests[0]!.id, 20)
      assert.strictEqual(requests.at(-1)!.id, next)
      const ids = requests.map(({ id }) => id)
      assert.deepStrictEqual(
        ids,
        ids.toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual(
        (yield* requestsOf("?limit=2")).requests.map(({ path }) => path),
        ["/health", "/sandbox/requests"]
      )
      // Nothing matches: the next page begins behind the newest request.
      assert.isAtLeast((yield* requestsOf("?status=418")).next, next)
    }).pipe(onServer())
  )

  it.effect("contain no card, secret or token, and are at most a thousand", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      yield* subscribe(bearer)
      yield* Effect.forEach(Array.from({ length: 1_010 }), () => call("GET", "/health"), { concurrency: 16 })
      const { json, text } = yield* call("GET", "/sandbox/requests?after=0")
      for (const secret of [cards.captured, bearer, "sandbox-secret"]) assert.notInclude(text, secret)
      // A random identifier may have four digits like these.
      assert.notMatch(text, /(?<![\w-])9517(?![\w-])/)
      const numbers: Array<number> = json.requests.map(({ id }: { readonly id: number }) => id)
      let next: number = json.next
      while (true) {
        const page = yield* requestsOf(`?after=${next}`)
        const healthy = page.requests.filter(({ path }) => path === "/health")
        if (healthy.length === 0) break
        numbers.push(...page.requests.map(({ id }) => id))
        next = page.next
      }
      assert.isAbove(numbers[0]!, 1)
      assert.isAtMost(numbers.length, 1_020)
      assert.deepStrictEqual(new Set(numbers).size, numbers.length)
    }).pipe(onServer())
  )
})

describe("the events of a company", () => {
  it.effect("contain the change, the actor and the request, without a state", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      yield* subscribe(bearer)
      const { events: before, next } = yield* eventsOf()
      assert.strictEqual(before.find(({ subject }) => subject.kind === "subscription")?.myId, "sub")
      const paid = yield* pay(bearer, "p")
      const { events } = yield* eventsOf(`?after=${next}`)
      const id = String(paid.json.Transaction.svcPayId)
      const added = events.find(({ subject }) => subject.kind === "transaction")!
      assert.deepStrictEqual(added.subject, { kind: "transaction", id })
      assert.deepInclude(added, { actor: "Client", requestId: paid.headers.get("x-request-id") })
      assert.include(added["changed"] as ReadonlyArray<string>, "status")
      assert.deepInclude(added, { myId: "p", value: 1990 })
      const captured = events.find(({ status }) => status === "captured")
      assert.deepInclude(captured, { subject: added.subject, myId: "p", value: 1990 })
      assert.isTrue(events.every(({ myId, subject }) => (myId === "p") === (subject.kind === "transaction")))
      assert.deepStrictEqual(
        events.flatMap((one) => one.events.map(({ _tag }) => _tag)),
        ["TransactionAdded", "TransactionSent", "OperatorResponded", "TransactionStatusChanged"]
      )
      assert.notInclude(JSON.stringify(yield* eventsOf()), "card_")
    }).pipe(onServer())
  )

  it.effect("are returned page by page, each once, and none of another company", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      yield* subscribe(bearer)
      yield* pay(bearer, "p")
      yield* call("POST", "/sandbox/companies", { body: { clientId: "other" } })
      const all = (yield* eventsOf()).events
      const paged: Array<unknown> = []
      let page = yield* eventsOf("?limit=2")
      while (page.events.length > 0) {
        paged.push(...page.events)
        page = yield* eventsOf(`?limit=2&after=${page.next}`)
      }
      assert.deepStrictEqual(paged, [...all])
      const end = yield* eventsOf("?after=end")
      assert.deepStrictEqual([end.events, end.next], [[], page.next])
      assert.isAbove(all.length, 4)
      const others = (yield* eventsOf("", "other")).events
      assert.isTrue(others.every(({ subject }) => subject.kind === "webhook endpoint"))
      // The last one is a cursor of PostgreSQL, which SQLite refuses.
      for (const cursor of ["yesterday", "0-01", "7-3"]) {
        const wrong = yield* call("GET", `/sandbox/companies/sandbox/events?after=${cursor}`)
        assert.deepStrictEqual([wrong.status, Object.keys(wrong.json.error.details)], [400, ["Event.after"]], cursor)
      }
    }).pipe(onServer())
  )
})
