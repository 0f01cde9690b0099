import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const ok = (body: unknown) => () => [200, body] as const

const endpoint = {
  endpointId: 2,
  isDefault: false,
  url: "https://shop.example/hooks",
  events: ["transaction.updateStatus"],
  state: "off",
  offReason: "It returned 410 Gone",
  offAt: "2026-11-22T10:00:00.000Z",
  unheardOf: true
}
const secret = `whsec_${btoa("s".repeat(32))}`
const secrets = [
  { version: 2, createdAt: "2026-11-22T10:00:00.000Z", secret },
  { version: 1, createdAt: "2026-11-01T10:00:00.000Z", notAfter: "2026-11-22T10:00:00.000Z" }
]
const delivery = {
  webhookId: 7,
  endpointId: 2,
  event: "transaction.updateStatus",
  transactionId: 4,
  state: "abandoned",
  attempts: 6,
  createdAt: "2026-11-20T10:00:00.000Z",
  at: "2026-11-22T10:00:00.000Z",
  problem: "The receiver responded with 500\u001b[31m"
}
const replay = { replayId: 3, of: "abandoned", state: "running", replayed: 500, createdAt: "2026-11-22T10:00:00.000Z" }

const sandbox = "http://127.0.0.1:8026/sandbox/companies/sandbox"

describe("parcela sandbox endpoints and deliveries", () => {
  it.effect("list endpoints with pending and dead deliveries and the last problem", () =>
    Effect.gen(function* () {
      const listed = { ...endpoint, waiting: 3, dead: 10_000, lastProblem: "The receiver responded with 500" }
      const { requests, code, out } = yield* Fake.parcela(["sandbox", "endpoints", "list"], {
        play: ok({ endpoints: [listed] })
      })
      assert.deepStrictEqual(
        [code, requests.map(({ method, url }) => `${method} ${url}`)],
        [0, [`GET ${sandbox}/endpoints`]]
      )
      assert.match(
        out,
        /^2 +off +3 +10000 +transaction\.updateStatus +https:\/\/shop\.example\/hooks +It returned 410 Gone$/mu
      )
      const many = yield* Fake.parcela(["sandbox", "endpoints", "list"], {
        columns: 120,
        play: ok({ endpoints: [{ ...listed, events: [...endpoint.events, "company.cashOut", "chargeback.update"] }] })
      })
      assert.match(many.out, /transaction\.updateStatus \+ 2 +https/u)
      const { offReason: _off, lastProblem: _last, ...healthy } = { ...endpoint, ...listed }
      const narrow = yield* Fake.parcela(["sandbox", "endpoints", "list"], {
        columns: 80,
        play: ok({ endpoints: [{ ...healthy, events: [...endpoint.events, "company.cashOut", "chargeback.update"] }] })
      })
      assert.match(narrow.out, /DEAD +EVENTS +URL\n.* 3 of 6 /u)
      const none = yield* Fake.parcela(["sandbox", "endpoints", "list"], { play: ok({ endpoints: [] }) })
      assert.include(none.out, "There are no endpoints")
    })
  )

  it.effect("send the given values to the contract's address, without credentials", () =>
    Effect.gen(function* () {
      for (const [words, expected, body] of [
        [
          ["sandbox", "endpoints", "create", "https://a.example/", "--event", "transaction.updateStatus"],
          "POST /endpoints",
          { url: "https://a.example/", events: ["transaction.updateStatus"] }
        ],
        [["sandbox", "endpoints", "edit", "2", "--none"], "PATCH /endpoints/2", { events: [] }],
        [
          ["sandbox", "endpoints", "edit", "2", "--url", "https://b.example/"],
          "PATCH /endpoints/2",
          { url: "https://b.example/" }
        ],
        [["sandbox", "endpoints", "on", "2"], "POST /endpoints/2/switch-on", undefined],
        [["sandbox", "endpoints", "off", "2"], "POST /endpoints/2/switch-off", undefined]
      ] as const) {
        const { requests, code } = yield* Fake.parcela(words, { play: ok({ endpoint, secrets }) })
        assert.strictEqual(code, 0, words.join(" "))
        assert.strictEqual(`${requests[0]?.method} ${requests[0]?.url.replace(sandbox, "")}`, expected)
        assert.deepStrictEqual(requests[0]?.body, body)
        assert.isUndefined(requests[0]?.authorization)
      }
      const deleted = yield* Fake.parcela(["sandbox", "endpoints", "delete", "2"], { play: ok({ deleted: true }) })
      assert.deepStrictEqual([deleted.requests[0]?.method, deleted.code], ["DELETE", 0])
    })
  )

  it.effect("rotate with the requested overlap, and print secrets only on request", () =>
    Effect.gen(function* () {
      const play = ok({ secrets })
      const hidden = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "2", "--overlap", "2h"], { play })
      assert.deepStrictEqual(hidden.requests[0]?.body, { overlapSeconds: 7_200 })
      assert.notInclude(hidden.out, "whsec_")
      const shown = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "2", "--show"], { play })
      assert.deepStrictEqual(shown.requests[0]?.body, {})
      assert.include(shown.out, secret)
      assert.match(shown.out, /^1 .*ended$/mu)
      const ended = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "2", "--end"], { play })
      assert.isTrue(ended.requests[0]?.url.endsWith("/endpoints/2/secrets/end-overlap"))
      const listed = yield* Fake.parcela(["sandbox", "endpoints", "secrets", "2"], { play })
      assert.notInclude(listed.out, "whsec_")
    })
  )

  it.effect("list deliveries, dead letters and attempts without control characters", () =>
    Effect.gen(function* () {
      const page = { deliveries: [delivery] }
      const words = [
        "sandbox",
        "deliveries",
        "list",
        "--endpoint-id",
        "2",
        "--from",
        "2026-11-20T07:00:00-03:00",
        "--before",
        "9"
      ]
      const listed = yield* Fake.parcela(words, { play: ok(page) })
      const query = new URL(listed.requests[0]!.url).searchParams
      assert.deepStrictEqual(Object.fromEntries(query), {
        endpointId: "2",
        from: "2026-11-20T10:00:00.000Z",
        before: "9"
      })
      assert.match(
        listed.out,
        /^7 +abandoned +transaction\.updateStatus +4 +2 +6 +2026-11-22T07:00:00-03:00 +The receiver/mu
      )
      assert.notInclude(listed.out, "\u001b")
      const dead = yield* Fake.parcela(["sandbox", "deliveries", "dead"], { play: ok(page) })
      assert.include(dead.requests[0]!.url, "state=abandoned")
      const attempts = [
        {
          startedAt: "2026-11-22T10:00:00.000Z",
          duration: 12,
          status: 500,
          problem: "The receiver responded with 500"
        },
        { startedAt: "2026-11-22T10:00:30.000Z", duration: 5_000, problem: "The receiver did not respond within 5 s" }
      ]
      const tried = yield* Fake.parcela(["sandbox", "deliveries", "attempts", "7"], { play: ok({ attempts }) })
      assert.match(tried.out, /^2026-11-22T07:00:00-03:00 +12 ms +500 +The receiver responded with 500$/mu)
      assert.match(tried.out, /^2026-11-22T07:00:30-03:00 +5000 ms +none /mu)
      const many = { deliveries: Array.from({ length: 100 }, (_, index) => ({ ...delivery, webhookId: 200 - index })) }
      assert.include((yield* Fake.parcela(["sandbox", "deliveries", "list"], { play: ok(many) })).out, "--before 101")
    })
  )

  it.effect("replay one, some or all deliveries, and report the progress", () =>
    Effect.gen(function* () {
      const one = yield* Fake.parcela(["sandbox", "deliveries", "replay", "7"], { play: ok({ replayed: true }) })
      assert.strictEqual(one.requests[0]?.url, `${sandbox}/deliveries/7/replay`)
      const replaying =
        (deliveries: ReadonlyArray<typeof delivery>, replayed = 500) =>
        ({ url }: Fake.SentRequest): Fake.Played =>
          url.includes("/deliveries") ? [200, { deliveries }] : [200, { replay: { ...replay, replayed } }]
      const play = replaying([delivery])
      const all = yield* Fake.parcela(["sandbox", "deliveries", "replay", "--all"], { play })
      assert.deepStrictEqual(
        [all.requests.at(-1)?.url, all.requests.at(-1)?.body],
        [`${sandbox}/replays`, { state: "abandoned" }]
      )
      assert.include(all.out, "parcela sandbox deliveries replay-status 3")
      assert.match(all.out, /^sends again +dead letters$/mu)
      const nothing = yield* Fake.parcela(["sandbox", "deliveries", "replay", "--all"], { play: replaying([], 0) })
      assert.strictEqual(
        nothing.out,
        "Nothing is sent again: there are no dead letters. What was delivered is sent again with --delivered."
      )
      assert.isTrue(nothing.requests[0]?.url.endsWith("/deliveries?state=abandoned&limit=1"), nothing.requests[0]?.url)
      const some = yield* Fake.parcela(["sandbox", "deliveries", "replay", "--transaction-id", "4", "--delivered"], {
        play
      })
      assert.deepStrictEqual(some.requests.at(-1)?.body, { transactionId: 4, state: "delivered" })
      const status = yield* Fake.parcela(["sandbox", "deliveries", "replay-status", "3"], { play })
      assert.strictEqual(status.requests[0]?.url, `${sandbox}/replays/3`)
      assert.include(status.out, "500")
      assert.match(status.out, /^sends again +dead letters$/mu)
      const json = yield* Fake.parcela(["sandbox", "deliveries", "replay-status", "3", "--json"], { play })
      assert.deepStrictEqual(JSON.parse(json.out), { replay })
    })
  )

  it.effect("send nothing if the target is ambiguous or the sandbox is remote", () =>
    Effect.gen(function* () {
      for (const words of [
        ["sandbox", "deliveries", "replay"],
        ["sandbox", "deliveries", "replay", "7", "--all"],
        ["sandbox", "deliveries", "replay", "--all", "--endpoint-id", "2"],
        ["sandbox", "deliveries", "list", "--from", "yesterday"],
        ["sandbox", "deliveries", "list", "--from", "2026-11-20T10:00:00"],
        ["sandbox", "endpoints", "rotate", "2", "--overlap", "1 fortnight"],
        ["sandbox", "endpoints", "rotate", "2", "--overlap", "1h", "--end"],
        ["sandbox", "endpoints", "create", "https://a.example/", "--all", "--none"],
        ["--base-url", "https://billing.example/v2", "--client-id", "shop", "sandbox", "endpoints", "list"]
      ]) {
        const { requests, code, err } = yield* Fake.parcela(words, { play: ok({}) })
        assert.deepStrictEqual([code, requests], [2, []], words.join(" "))
        assert.include(err, "try")
      }
    })
  )

  it.effect("report a lost response as unknown, not as a failure", () =>
    Effect.gen(function* () {
      const lost = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "2"], { play: () => "lost" })
      assert.strictEqual(lost.code, 3)
      assert.include(lost.err, "may or may not have happened")
      const unreached = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "2"], { play: () => "refused" })
      assert.strictEqual(unreached.code, 3)
      assert.include(unreached.err, "Nothing has happened")
      const refused = yield* Fake.parcela(["sandbox", "endpoints", "rotate", "9"], {
        play: () => [404, { error: { message: "The company has no webhook endpoint 9" } }]
      })
      assert.strictEqual(refused.code, 1)
      assert.include(refused.err, "no webhook endpoint 9")
    })
  )
})
