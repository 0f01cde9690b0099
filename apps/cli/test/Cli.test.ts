import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Fake from "./Fake.ts"

const transaction = {
  svcPayId: 4,
  myId: "payment-1",
  subscriptionMyId: "contract-1",
  subscriptionSvcPayId: 1,
  value: 12990,
  payday: "2026-11-20",
  payedOutsideSvcPay: false,
  installment: 1,
  status: "denied",
  statusDescription: "Denied",
  statusDate: "2026-11-20 10:00:01",
  reasonDenied: "no funds",
  AbecsReasonDenied: { code: "51", message: "no funds" },
  unheardOf: true
}

const subscription = { svcPayId: 1, myId: "contract-1", status: "active", mainPaymentMethodId: "pix" }

const ok = (body: unknown) => () => [200, body] as const
const added = ok({ type: true, Transaction: transaction })
const refused = (status: number, details?: object) => () =>
  [status, { error: { message: "Validation errors", ...(details ? { details } : {}) } }] as const
const basic = (text: string) => `Basic ${btoa(text)}`

/** Runs with as much time as the pauses between tries want. */
const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

describe("parcela", () => {
  it.effect("finds the sandbox of this machine by PARCELA_PORT", () =>
    Effect.gen(function* () {
      const env = { PARCELA_PORT: "8030" }
      const { requests } = yield* Fake.parcela(["transactions", "list"], { env, play: ok({ Transactions: [] }) })
      assert.isTrue(requests[0]?.url.startsWith("http://127.0.0.1:8030/v2/transactions"))
      const free = yield* Fake.parcela(["transactions", "list"], {
        env: { PARCELA_PORT: "0" },
        play: ok({ Transactions: [] })
      })
      assert.isTrue(free.requests[0]?.url.startsWith("http://127.0.0.1:8026/v2/"))
      const wrong = yield* Fake.parcela(["transactions", "list"], { env: { PARCELA_PORT: "http" } })
      assert.strictEqual(wrong.code, 2)
      assert.include(wrong.err, "PARCELA_PORT")
    })
  )

  it.effect("warns about a misspelt PARCELA_ variable and names the variable that was probably meant", () =>
    Effect.gen(function* () {
      const env = { PARCELA_BASE_ULR: "https://billing.example/v2", PARCELA_HOST: "127.0.0.1", PATH: "/bin" }
      const { code, err } = yield* Fake.parcela(["transactions", "list"], { env, play: ok({ Transactions: [] }) })
      assert.deepStrictEqual(
        [code, err],
        [0, "warning: PARCELA_BASE_ULR is no setting: did you mean PARCELA_BASE_URL?"]
      )
    })
  )

  it.effect("has no flag for the client secret", () =>
    Effect.gen(function* () {
      const { code, err } = yield* Fake.parcela(["token", "--client-secret", "x"])
      assert.strictEqual(code, 2)
      assert.include(err, "--client-secret")
    })
  )

  it.effect.each([
    [["transactions", "add"], "Missing required argument"],
    [["transactions", "add", "x", "--value", "lots"], "lots"],
    [["nonsense"], "nonsense"],
    [["transactions", "retry", "x", "--by", "name"], "name"]
  ] as const)("ends with 2 for wrong usage, with a message on stderr only: %s", ([words, output]) =>
    Effect.gen(function* () {
      const people = yield* Fake.parcela(words)
      assert.deepStrictEqual([people.code, people.out], [2, ""])
      assert.include(people.err, output)
      assert.include(people.err, "--help")
      const script = yield* Fake.parcela([...words, "--json"])
      assert.deepStrictEqual([script.code, script.out], [2, ""])
      assert.isString(JSON.parse(script.err).error.message)
    })
  )

  it.effect("suggests a command for a misspelt one in one sentence, wrapped to the terminal", () =>
    Effect.gen(function* () {
      const { code, err } = yield* Fake.parcela(["transactons", "list"], { columns: 60 })
      const question = 'error: Unknown subcommand "transactons" for "parcela". Did\n  you mean this? transactions'
      assert.deepStrictEqual([code, err], [2, `${question}\ntry: parcela --help`])
    })
  )
})

describe("parcela token", () => {
  it.effect("describes the token without printing it", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* Fake.parcela(["token"])
      assert.deepStrictEqual([code, err], [0, ""])
      for (const part of ["Bearer", "600 s", "transactions.read"]) assert.include(out, part)
      assert.notInclude(out, "the-token")
    })
  )

  it.effect("prints it with --show and with --json", () =>
    Effect.gen(function* () {
      assert.include((yield* Fake.parcela(["token", "--show"])).out, "the-token")
      const { out } = yield* Fake.parcela(["token", "--json"])
      assert.deepStrictEqual(JSON.parse(out), (Fake.token as readonly [number, unknown])[1])
    })
  )
})

describe("settings", () => {
  const asks = (env: Record<string, string>, ...flags: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const seen: Array<Fake.SentRequest> = []
      const ran = yield* Fake.parcela(["token", ...flags], {
        env,
        play: (request) => {
          seen.push(request)
          return Fake.token
        }
      })
      return { ...ran, url: seen[0]?.url, authorization: seen[0]?.authorization }
    })
  const profiles = JSON.stringify({
    default: { baseUrl: "https://default.test/v2", clientId: "d", clientSecret: "d-secret" },
    staging: { baseUrl: "https://staging.test/v2", clientId: "s", clientSecret: "s-secret" }
  })

  it.effect("select the sandbox on this machine by default", () =>
    Effect.gen(function* () {
      const { authorization, url } = yield* asks({})
      assert.deepStrictEqual([url, authorization], ["http://127.0.0.1:8026/v2/token", basic("sandbox:sandbox-secret")])
    })
  )

  it.effect("prefer flags to the environment, and that to the profile", () =>
    Effect.gen(function* () {
      const PARCELA_CONFIG = yield* Fake.file(profiles)
      const profile = yield* asks({ PARCELA_CONFIG })
      assert.deepStrictEqual(
        [profile.url, profile.authorization],
        ["https://default.test/v2/token", basic("d:d-secret")]
      )
      const named = yield* asks({ PARCELA_CONFIG }, "--profile", "staging")
      assert.deepStrictEqual([named.url, named.authorization], ["https://staging.test/v2/token", basic("s:s-secret")])
      const env = {
        PARCELA_CONFIG,
        PARCELA_BASE_URL: "https://env.test/v2",
        PARCELA_CLIENT_ID: "e",
        PARCELA_CLIENT_SECRET: "e-secret"
      }
      const fromEnv = yield* asks(env)
      assert.deepStrictEqual([fromEnv.url, fromEnv.authorization], ["https://env.test/v2/token", basic("e:e-secret")])
      const fromFlags = yield* asks(env, "--base-url", "https://flag.test/v2/", "--client-id", "f")
      assert.deepStrictEqual(
        [fromFlags.url, fromFlags.authorization],
        ["https://flag.test/v2/token", basic("f:e-secret")]
      )
    })
  )

  it.effect("send the secret of a profile to its own service only", () =>
    Effect.gen(function* () {
      const PARCELA_CONFIG = yield* Fake.file(profiles)
      const { requests, code, err, url } = yield* asks(
        { PARCELA_CONFIG },
        "--base-url",
        "https://other.test/v2",
        "--client-id",
        "d"
      )
      assert.deepStrictEqual([code, url, requests.length], [2, undefined, 0])
      assert.include(err, "PARCELA_CLIENT_SECRET")
      assert.notInclude(err, "d-secret")
    })
  )

  it.effect("use the sandbox's defaults for this machine only", () =>
    Effect.gen(function* () {
      for (const host of ["localhost:9000", "127.1.2.3", "[::1]:80"]) {
        assert.strictEqual((yield* asks({}, "--base-url", `http://${host}/v2`)).code, 0, host)
      }
      for (const host of ["api.test", "127.evil.test", "10.0.0.1", "localhost.test"]) {
        const { code, url } = yield* asks({}, "--base-url", `http://${host}/v2`)
        assert.deepStrictEqual([code, url], [2, undefined], host)
      }
    })
  )

  it.effect("warn about a profile file that others can read, and about a secret in plain text", () =>
    Effect.gen(function* () {
      const open = yield* Fake.file(profiles, 0o644)
      assert.include((yield* asks({ PARCELA_CONFIG: open })).err, `chmod 600 ${open}`)
      const closed = yield* Fake.file(profiles)
      assert.strictEqual((yield* asks({ PARCELA_CONFIG: closed })).err, "")
      const clear = yield* asks(
        { PARCELA_CLIENT_ID: "c", PARCELA_CLIENT_SECRET: "s" },
        "--base-url",
        "http://api.test/v2"
      )
      assert.include(clear.err, "not encrypted")
    })
  )

  it.effect("list the profiles, and show nothing of an unreadable file", () =>
    Effect.gen(function* () {
      const missing = yield* asks({ PARCELA_CONFIG: yield* Fake.file(profiles) }, "--profile", "prod")
      assert.deepStrictEqual([missing.code, missing.url], [2, undefined])
      assert.include(missing.err, "default, staging")
      const broken = yield* asks({ PARCELA_CONFIG: yield* Fake.file(`{"default":{"clientSecret":"top-secret"`) })
      assert.strictEqual(broken.code, 2)
      assert.notInclude(broken.err, "top-secret")
    })
  )

  it.effect("refuse an invalid base URL", () =>
    Effect.gen(function* () {
      for (const url of ["nonsense", "ftp://x/v2", "https://user:pass@api.test/v2"]) {
        assert.strictEqual((yield* asks({ PARCELA_CLIENT_SECRET: "s" }, "--base-url", url)).code, 2, url)
      }
    })
  )
})

describe("parcela transactions", () => {
  it.effect("adds a payment that is due today in Brazil by default", () =>
    Effect.gen(function* () {
      // 02:00 UTC on the 21st is still the 20th in São Paulo.
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 2))
      const { requests, code, out } = yield* Fake.parcela(
        [
          "transactions",
          "add",
          "contract-1",
          "--my-id",
          "payment-1",
          "--value",
          "12990",
          "--test-card",
          "denied",
          "--idempotency-key",
          "k-1"
        ],
        { play: added }
      )
      assert.strictEqual(code, 0)
      // The company's day was requested from the controls, which this service lacks.
      assert.deepInclude(requests.at(-1), {
        method: "POST",
        url: "http://127.0.0.1:8026/v2/transactions/contract-1/myId/add",
        key: "k-1",
        authorization: "Bearer the-token",
        body: {
          myId: "payment-1",
          value: 12990,
          payday: "2026-11-20",
          PaymentMethodCreditCard: {
            Card: { number: "4000000000000002", holder: "SANDBOX CARD", expiresAt: "2030-12", cvv: "123" }
          }
        }
      })
      for (const part of ["denied", "129,90", "payment-1", "51 no funds"]) assert.include(out, part)
    })
  )

  it.effect("adds a payment that is due on the company's day if its clock is ahead", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21, 12))
      const clock = { business: "2027-03-01T01:00:00.000Z", today: "2027-02-28", machine: "2026-11-21T12:00:00.000Z" }
      const play = ({ url }: Fake.SentRequest) => (url.includes("/sandbox/") ? ([200, clock] as const) : added())
      const words = ["transactions", "add", "contract-1", "--my-id", "p", "--value", "1", "--client-id", "sandbox"]
      const today = yield* Fake.parcela(words, { play })
      // 01:00 UTC is still the day before in Brazil.
      assert.deepInclude(today.requests.at(-1)?.body, { payday: "2027-02-28" })
      const given = yield* Fake.parcela([...words, "--payday", "2027-05-05"], { play })
      assert.deepStrictEqual(
        given.requests.map(({ body }) => body),
        [{ myId: "p", value: 1, payday: "2027-05-05" }]
      )
    })
  )

  it.effect("prints exactly the JSON of the response with --json", () =>
    Effect.gen(function* () {
      const { err, out } = yield* Fake.parcela(["transactions", "retry", "4", "--by", "svcPayId", "--json"], {
        play: ok({ Transaction: transaction, PaymentMethodCreditCard: { Card: { svcPayId: 3 } } })
      })
      assert.deepStrictEqual(JSON.parse(out), {
        Transaction: transaction,
        PaymentMethodCreditCard: { Card: { svcPayId: 3 } }
      })
      assert.strictEqual(err, "")
    })
  )

  it.effect("converts flags to the query of a list and shows a table", () =>
    Effect.gen(function* () {
      const { requests, out } = yield* Fake.parcela(
        [
          "transactions",
          "list",
          "--status",
          "denied,notSend",
          "--my-id",
          "a",
          "--my-id",
          "b",
          "--id",
          "1,2",
          "--order",
          "payday.desc",
          "--limit",
          "1",
          "--payday-from",
          "2026-11-01"
        ],
        { play: ok({ totalQtdFoundInPage: 1, Transactions: [transaction] }) }
      )
      const query = Object.fromEntries(new URL(requests[0]?.url ?? "").searchParams)
      assert.deepStrictEqual(query, {
        startAt: "0",
        limit: "1",
        myIds: "a,b",
        svcPayIds: "1,2",
        status: "denied,notSend",
        order: "payday.desc",
        payDayFrom: "2026-11-01"
      })
      const [head, row, more] = out.split("\n")
      assert.match(head ?? "", /^ID +MY ID +STATUS +VALUE +DUE/)
      assert.strictEqual(row?.indexOf("denied"), head?.indexOf("STATUS"))
      assert.include(more, "--start-at 1")
    })
  )

  it.effect("colours a table on a terminal only, and escapes control characters of a response", () =>
    Effect.gen(function* () {
      const play = ok({ Transactions: [{ ...transaction, myId: "a\u001b[2Jb\u202ec" }] })
      const list = ["transactions", "list"]
      const coloured = yield* Fake.parcela(list, { play, colour: true })
      assert.include(coloured.out, "\u001b[31mdenied")
      assert.notInclude(coloured.out, "\u001b[2J")
      const plain = yield* Fake.parcela(list, { play })
      assert.notInclude(plain.out, "\u001b")
      assert.notInclude(plain.out, "\u202e")
    })
  )

  it.effect("reports every wrong field before anything is sent", () =>
    Effect.gen(function* () {
      const { requests, code, err } = yield* Fake.parcela([
        "transactions",
        "add",
        "x",
        "--value",
        "0",
        "--payday",
        "2026-02-30"
      ])
      assert.deepStrictEqual([code, requests.length], [2, 0])
      for (const field of ["Transaction.myId", "Transaction.value", "Transaction.payday"]) assert.include(err, field)
      for (const words of [
        ["--status", "paid"],
        ["--order", "name.up"],
        ["--limit", "0"],
        ["--id", "x"]
      ]) {
        assert.strictEqual((yield* Fake.parcela(["transactions", "list", ...words])).code, 2, words.join(" "))
      }
    })
  )

  it.effect("reports what the service refused, where, and what to try, with exit code 1", () =>
    Effect.gen(function* () {
      const play = refused(400, { "Transaction.status": ["captured cannot be retried"] })
      const people = yield* Fake.parcela(["transactions", "retry", "x"], { play })
      assert.strictEqual(people.code, 1)
      for (const part of ["refused (400)", "Transaction.status", "captured cannot be retried", "try:"]) {
        assert.include(people.err, part)
      }
      const script = yield* Fake.parcela(["transactions", "retry", "x", "--json"], { play })
      assert.deepStrictEqual([script.code, script.out], [1, ""])
      assert.deepStrictEqual(JSON.parse(script.err), {
        error: { message: "Validation errors", details: { "Transaction.status": ["captured cannot be retried"] } }
      })
    })
  )

  it.effect("reports an unreachable service with exit code 3", () =>
    Effect.gen(function* () {
      const { code, err } = yield* patiently(Fake.parcela(["transactions", "list"], { play: () => "refused" }))
      assert.strictEqual(code, 0 + 3)
      assert.include(err, "http://127.0.0.1:8026/v2")
      assert.include(err, "ECONNREFUSED")
    })
  )

  it.effect("reports a write with a lost response as unknown with exit code 3, and the key for a repeat", () =>
    Effect.gen(function* () {
      const words = ["transactions", "retry", "x", "--idempotency-key", "k-1"]
      const { requests, code, err } = yield* patiently(Fake.parcela(words, { play: () => "lost" }))
      assert.strictEqual(code, 3)
      assert.include(err, "may or may not have happened")
      assert.include(err, "--idempotency-key k-1")
      assert.deepStrictEqual(
        requests.map(({ key }) => key),
        ["k-1", "k-1", "k-1"]
      )
    })
  )
})

describe("parcela subscriptions", () => {
  const created = ok({ type: true, Subscription: subscription })

  it.effect("creates a subscription from flags", () =>
    Effect.gen(function* () {
      const { requests, code, out } = yield* Fake.parcela(
        [
          "subscriptions",
          "create-manual",
          "--my-id",
          "contract-1",
          "--method",
          "pix",
          "--customer-my-id",
          "maria",
          "--customer-name",
          "Maria",
          "--customer-document",
          "52998224725",
          "--customer-email",
          "a@x.test",
          "--customer-email",
          "b@x.test",
          "--customer-phone",
          "11987654321"
        ],
        { play: created }
      )
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(requests[0]?.body, {
        myId: "contract-1",
        mainPaymentMethodId: "pix",
        Customer: {
          myId: "maria",
          name: "Maria",
          document: "52998224725",
          emails: ["a@x.test", "b@x.test"],
          phones: [11987654321]
        }
      })
      assert.include(out, "contract-1 (1)")
    })
  )

  it.effect.each(["stdin", "file"])("creates a subscription from the JSON of a %s", (kind) =>
    Effect.gen(function* () {
      const json = JSON.stringify({ myId: "contract-1", mainPaymentMethodId: "boleto", Customer: { myId: "maria" } })
      const source = kind === "stdin" ? "-" : yield* Fake.file(json)
      const ran = yield* Fake.parcela(["subscriptions", "create-manual", "--body", source], {
        play: created,
        stdin: json
      })
      assert.strictEqual(ran.code, 0, ran.err)
      assert.deepStrictEqual(ran.requests[0]?.body, JSON.parse(json))
    })
  )

  it.effect("reads a card from stdin and never prints it, also on failure", () =>
    Effect.gen(function* () {
      const card = { number: "4111111111111112", holder: "M", expiresAt: "2030-12", cvv: "987" }
      const create = [
        "subscriptions",
        "create-manual",
        "--my-id",
        "c",
        "--method",
        "creditcard",
        "--customer-my-id",
        "m"
      ]
      const wrong = yield* Fake.parcela([...create, "--card-file", "-"], { stdin: JSON.stringify(card) })
      const cut = yield* Fake.parcela([...create, "--card-file", "-"], { stdin: JSON.stringify(card).slice(0, -1) })
      assert.deepStrictEqual([wrong.code, cut.code], [2, 2])
      assert.include(wrong.err, "Card.number")
      for (const { err, out } of [wrong, cut]) {
        for (const secret of [card.number, card.cvv]) assert.notInclude(err + out, secret)
      }
    })
  )

  it.effect("accepts a card number as a flag for this machine only", () =>
    Effect.gen(function* () {
      const create = [
        "subscriptions",
        "create-manual",
        "--my-id",
        "c",
        "--method",
        "creditcard",
        "--customer-my-id",
        "m",
        "--card-number",
        "4111111111111111"
      ]
      assert.strictEqual((yield* Fake.parcela(create, { play: created })).code, 0)
      const away = yield* Fake.parcela([...create, "--base-url", "https://api.test/v2", "--client-id", "c"], {
        play: created,
        env: { PARCELA_CLIENT_SECRET: "s" }
      })
      assert.deepStrictEqual([away.code, away.requests.length], [2, 0])
      assert.include(away.err, "--card-file -")
    })
  )

  it.effect("refuses two cards, and flags together with a body", () =>
    Effect.gen(function* () {
      const two = yield* Fake.parcela([
        "subscriptions",
        "create-manual",
        "--test-card",
        "approved",
        "--card-my-id",
        "x"
      ])
      assert.deepStrictEqual([two.code, two.requests.length], [2, 0])
      assert.include(two.err, "more than one card")
      const mixed = yield* Fake.parcela(["subscriptions", "create-manual", "--body", "-", "--my-id", "x"], {
        stdin: "{}"
      })
      assert.deepStrictEqual([mixed.code, mixed.requests.length], [2, 0])
      assert.include(mixed.err, "myId came with it")
    })
  )

  it.effect("lists subscriptions", () =>
    Effect.gen(function* () {
      const { out } = yield* Fake.parcela(["subscriptions", "list"], {
        play: ok({ totalQtdFoundInPage: 1, Subscriptions: [subscription] })
      })
      assert.include(out, "contract-1")
      const none = yield* Fake.parcela(["subscriptions", "list"], { play: ok({ Subscriptions: [] }) })
      assert.strictEqual(none.out, "No subscriptions.")
    })
  )
})

describe("a list with --all", () => {
  const pageOf = (count: number) => ({
    totalQtdFoundInPage: count,
    Transactions: Array.from({ length: count }, (_, index) => ({ ...transaction, svcPayId: index + 1 }))
  })
  const play = ({ url }: Fake.SentRequest) => [200, pageOf(url.includes("startAt=0&") ? 100 : 3)] as const

  it.effect("requests pages of the maximum size, and shows every item", () =>
    Effect.gen(function* () {
      const { requests, code, out } = yield* Fake.parcela(["transactions", "list", "--all", "--limit", "5"], { play })
      assert.deepStrictEqual(
        requests.map(({ url }) => new URL(url).search),
        ["?startAt=0&limit=100", "?startAt=100&limit=100"]
      )
      assert.deepStrictEqual([code, out.split("\n").length], [0, 1 + 103])
      assert.notInclude(out, "There may be more")
    })
  )

  it.effect("returns one page to a script", () =>
    Effect.gen(function* () {
      const { out } = yield* Fake.parcela(["transactions", "list", "--all", "--json"], { play })
      const { totalQtdFoundInPage, Transactions } = JSON.parse(out)
      assert.deepStrictEqual([totalQtdFoundInPage, Transactions.length], [103, 103])
      assert.isTrue(Transactions[0].unheardOf)
    })
  )
})

describe("a table", () => {
  const long = "a reason that is much longer than a terminal of eighty columns has room for beside the rest"
  const play = ok({
    totalQtdFoundInPage: 1,
    Transactions: [{ ...transaction, AbecsReasonDenied: { code: "51", message: long } }]
  })

  it.effect("is as wide as the terminal, and its last column wraps", () =>
    Effect.gen(function* () {
      const { out } = yield* Fake.parcela(["transactions", "list"], { play, columns: 80 })
      for (const line of out.split("\n")) assert.isAtMost(line.length, 80)
      assert.match(out, /^\d+ +payment-1 +denied +R\$ 129,90 +2026-11-20 +51 \S.*$/mu)
      assert.include(out.replace(/\s+/gu, " "), long)
      assert.include(out, "also: BELONGS TO")
    })
  )

  it.effect("is as wide as needed in a pipe", () =>
    Effect.gen(function* () {
      assert.include((yield* Fake.parcela(["transactions", "list"], { play })).out, long)
    })
  )
})

describe("a 404", () => {
  it.effect("names the identifiers for an entity, and a missing version in the base URL for an address", () =>
    Effect.gen(function* () {
      const words = ["transactions", "retry", "x"]
      const entity = yield* Fake.parcela(words, { play: refused(404, { "Transaction.myId": ["no transaction"] }) })
      assert.include(entity.err, "--by")
      const over = yield* Fake.parcela(words, {
        play: refused(404, { "Subscription.status": ["is canceled already"] })
      })
      assert.include(over.err, "Check with the list command")
      assert.notInclude(over.err, "base URL")
      const address = yield* Fake.parcela([...words, "--base-url", "http://127.0.0.1:8026"], { play: refused(404) })
      assert.include(address.err, "http://127.0.0.1:8026/v2")
      assert.notInclude(address.err, "--by")
      const control = yield* Fake.parcela(["sandbox", "clock"], { play: refused(404) })
      assert.include(control.err, "--client-id")
      assert.notInclude(control.err, "--by")
      assert.deepStrictEqual([entity.code, address.code, control.code], [1, 1, 1])
    })
  )
})

describe("parcela webhooks get", () => {
  it.effect("shows address and events, and hides the hash", () =>
    Effect.gen(function* () {
      const play = ok({ url: "https://shop.test/hooks", confirmHash: "the-hash", events: ["chargeback.update"] })
      const { requests, code, out } = yield* Fake.parcela(["webhooks", "get"], { play })
      assert.deepStrictEqual([code, requests[0]?.method], [0, "GET"])
      for (const part of ["https://shop.test/hooks", "chargeback.update"]) assert.include(out, part)
      assert.notInclude(out, "the-hash")
      assert.include((yield* Fake.parcela(["webhooks", "get", "--show"], { play })).out, "the-hash")
      const unset = yield* Fake.parcela(["webhooks", "get"], { play: ok({ confirmHash: "the-hash", events: [] }) })
      assert.match(unset.out, /url\s+none\nevents\s+none/)
    })
  )
})

describe("parcela webhooks set", () => {
  const answer = { type: true, confirmHash: "the-hash", events: ["transaction.updateStatus"] }

  it.effect("sets address and events, and hides the hash", () =>
    Effect.gen(function* () {
      const set = ["webhooks", "set", "https://shop.test/hooks", "--event", "transaction.updateStatus"]
      const { requests, code, out } = yield* Fake.parcela(set, { play: ok(answer) })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(requests[0]?.body, {
        url: "https://shop.test/hooks",
        events: ["transaction.updateStatus"]
      })
      assert.include(out, "transaction.updateStatus")
      assert.notInclude(out, "the-hash")
      assert.include((yield* Fake.parcela([...set, "--show"], { play: ok(answer) })).out, "the-hash")
    })
  )

  it.effect("requires the whole list of events: an empty list must be explicit", () =>
    Effect.gen(function* () {
      const url = "https://shop.test/hooks"
      for (const words of [[], ["--all", "--none"], ["--event", "x", "--all"]]) {
        const { requests, code } = yield* Fake.parcela(["webhooks", "set", url, ...words], { play: ok(answer) })
        assert.deepStrictEqual([code, requests.length], [2, 0], words.join(" "))
      }
      const none = yield* Fake.parcela(["webhooks", "set", url, "--none"], { play: ok({ ...answer, events: [] }) })
      assert.deepStrictEqual(none.requests[0]?.body, { url, events: [] })
      const all = yield* Fake.parcela(["webhooks", "set", url, "--all"], { play: ok(answer) })
      assert.lengthOf((all.requests[0]!.body as { events: Array<string> }).events, 6)
    })
  )
})
