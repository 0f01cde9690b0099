import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const ok = (body: unknown) => () => [200, body] as const

const sandbox = "http://127.0.0.1:8026/sandbox"
const payee = { name: "Suite 7", legalName: "Padaria Sete Ltda", document: "11444777000161", city: "Recife" }

const keys = { companyId: 2, clientId: "suite-7", confirmHash: "the-hash", webhookSecret: "whsec_secret" }
const fault = {
  call: "charge",
  fault: { type: "Denied", code: "51", message: "No\u001b[31m" },
  companyId: 1,
  isOfOneCard: false,
  times: 2
}
const entry = {
  id: 2,
  provider: "card operator",
  call: "charge",
  attemptId: "an-attempt",
  companyId: 1,
  transactionId: 4,
  value: 12990,
  outcome: "Denied",
  code: "51",
  reference: "tid-1",
  effect: "none",
  isRepeat: true,
  fault: "Denied",
  at: "2027-01-01T10:00:00.000Z",
  receivedAt: "2026-11-22T10:00:00.000Z"
}

describe("parcela sandbox fixtures apply", () => {
  it.effect("reports the result for each entity, and fails if an entity differs from the file", () =>
    Effect.gen(function* () {
      const file = yield* Fake.file("{}")
      const words = ["sandbox", "fixtures", "apply", file]
      const applied = [
        { kind: "customers", name: "ana", outcome: "alreadyThere" },
        { kind: "charges", name: "c-1", outcome: "differs", fields: ["value", "Customer.name"] },
        { kind: "charges", name: "c-2", outcome: "refused", problem: "Charge.payday: is past" }
      ]
      const off = yield* Fake.parcela(words, { play: () => [200, { applied }] })
      assert.strictEqual(off.code, 1)
      assert.match(off.out, /^customers +ana +already there *$/mu)
      assert.match(off.out, /^charges +c-1 +differs +value, Customer\.name$/mu)
      assert.match(off.out, /^charges +c-2 +refused +Charge\.payday: is past$/mu)
      assert.include(off.err, "2 of the file's fixtures")
      const fine = yield* Fake.parcela(words, { play: () => [200, { applied: applied.slice(0, 1) }] })
      assert.deepStrictEqual([fine.code, fine.err], [0, ""])
      const broken = yield* Fake.parcela(["sandbox", "fixtures", "apply", yield* Fake.file("{")])
      assert.deepStrictEqual([broken.code, broken.requests], [2, []])
    })
  )
})

describe("parcela sandbox", () => {
  it.effect("lists companies, and shows how to list more", () =>
    Effect.gen(function* () {
      const company = { companyId: 2, clientId: "suite-7", name: "Suite 7", createdAt: "2026-11-22T10:00:00.000Z" }
      const { requests, code, out } = yield* Fake.parcela(["sandbox", "companies", "list"], {
        play: ok({ companies: [company], next: "suite-7" })
      })
      assert.deepStrictEqual([code, requests[0]?.url], [0, `${sandbox}/companies`])
      assert.match(out, /^2 +suite-7 +Suite 7 +2026-11-22T07:00:00-03:00$/mu)
      assert.include(out, "--after suite-7")
    })
  )

  it.effect("creates a company from flags and prints its client secret, and other secrets on request", () =>
    Effect.gen(function* () {
      const words = ["sandbox", "companies", "create", "suite-7", "--scope", "transactions.read,webhooks.write"]
      const created = yield* Fake.parcela(words, { play: ok({ ...keys, clientSecret: "the-secret" }) })
      assert.deepStrictEqual(created.requests[0]?.body, {
        clientId: "suite-7",
        scopes: ["transactions.read", "webhooks.write"]
      })
      assert.match(created.out, /the-secret/)
      assert.notMatch(created.out, /whsec_|the-hash/)
      const all = yield* Fake.parcela([...words, "--show"], { play: ok({ ...keys, clientSecret: "the-secret" }) })
      assert.match(all.out, /the-secret[\s\S]*whsec_secret[\s\S]*the-hash/)
      const wrong = yield* Fake.parcela(["sandbox", "companies", "create", "--scope", "nonsense"])
      assert.deepStrictEqual([wrong.code, wrong.requests], [2, []])
      assert.include(wrong.err, "Company.scopes")
      const hidden = yield* Fake.parcela(["sandbox", "companies", "show"], { play: ok({ ...keys, ...payee }) })
      assert.strictEqual(hidden.requests[0]?.url, `${sandbox}/companies/sandbox`)
      assert.notMatch(hidden.out, /whsec_|the-hash/)
      const shown = yield* Fake.parcela(["sandbox", "companies", "show", "suite-7", "--show"], {
        play: ok({ ...keys, ...payee })
      })
      assert.strictEqual(shown.requests[0]?.url, `${sandbox}/companies/suite-7`)
      assert.match(shown.out, /whsec_secret/)
      assert.match(shown.out, /legal name +Padaria Sete Ltda[^]*document +11444777000161[^]*city +Recife/)
      const flags = ["--legal-name", "Padaria Sete Ltda", "--document", "11444777000161", "--city", "Recife"]
      const edited = yield* Fake.parcela(["sandbox", "companies", "edit", ...flags], {
        play: ok({ companyId: 2, clientId: "sandbox", ...payee })
      })
      const { name: _, ...identity } = payee
      assert.deepInclude(edited.requests[0], { url: `${sandbox}/companies/sandbox`, method: "PATCH", body: identity })
      const cpf = yield* Fake.parcela(["sandbox", "companies", "create", "--document", "52998224725"])
      assert.deepStrictEqual([cpf.code, cpf.requests], [2, []])
      assert.include(cpf.err, "Company.document")
    })
  )

  it.effect("plans each failure of the contract, for the company of the connection or for all", () =>
    Effect.gen(function* () {
      for (const [words, planned] of [
        [["denied"], { type: "Denied", code: "51" }],
        [["denied", "--advice", "03"], { type: "Denied", code: "51", merchantAdviceCode: "03" }],
        [["denied", "--code", "57", "--message", "No"], { type: "Denied", code: "57", message: "No" }],
        [["unavailable"], { type: "Unavailable" }],
        [["request-lost"], { type: "RequestLost" }],
        [["response-lost"], { type: "ResponseLost" }],
        [["duplicated"], { type: "Duplicated" }],
        [["hang"], { type: "Hang", isDone: false }],
        [["hang-done"], { type: "Hang", isDone: true }],
        [["slow", "--delay", "2min"], { type: "Slow", milliseconds: 120_000 }]
      ] as const) {
        const { requests, code, out } = yield* Fake.parcela(["sandbox", "faults", "plan", "charge", ...words], {
          play: ok(fault)
        })
        assert.strictEqual(code, 0, words.join(" "))
        assert.deepStrictEqual(requests[0]?.body, { call: "charge", fault: planned, clientId: "sandbox" })
        assert.notInclude(out, "\u001b")
      }
      const all = ["sandbox", "faults", "plan", "open", "unavailable", "--all-companies", "--times", "3"]
      const { requests } = yield* Fake.parcela(all, { play: ok(fault) })
      assert.deepStrictEqual(requests[0]?.body, { call: "open", fault: { type: "Unavailable" }, times: 3 })
      const span = [
        "sandbox",
        "faults",
        "plan",
        "any",
        "unavailable",
        "--from",
        "2027-03-01",
        "--until",
        "2027-03-01T12:00:00Z"
      ]
      const spanned = yield* Fake.parcela(span, {
        play: ok({ ...fault, call: undefined, from: "2027-03-01T03:00:00.000Z" })
      })
      assert.deepStrictEqual(spanned.requests[0]?.body, {
        fault: { type: "Unavailable" },
        clientId: "sandbox",
        // Midnight in Brazil.
        from: "2027-03-01T03:00:00.000Z",
        until: "2027-03-01T12:00:00Z"
      })
      assert.match(spanned.out, /^any .* 2027-03-01T00:00:00-03:00$/mu)
      const cleared = yield* Fake.parcela(["sandbox", "faults", "clear"], { play: ok({ faults: [] }) })
      assert.strictEqual(cleared.requests[0]?.url, `${sandbox}/faults?clientId=sandbox`)
      assert.include(cleared.out, "No faults are planned")
    })
  )

  it.effect("shows the ledger by the contract's filters, and names every invalid flag", () =>
    Effect.gen(function* () {
      const words = ["sandbox", "ledger", "--transaction-id", "4", "--after", "0"]
      const listed = yield* Fake.parcela(words, { play: ok({ entries: [entry], next: 2 }) })
      assert.deepStrictEqual(Object.fromEntries(new URL(listed.requests[0]!.url).searchParams), {
        clientId: "sandbox",
        transactionId: "4",
        after: "0"
      })
      assert.match(
        listed.out,
        /^2 +2027-01-01T07:00:00-03:00 +card operator +charge +4 +R\$ 129,90 +Denied 51 +none +tid-1 +fault Denied, repeated +an-attempt +2026-11-22T07:00:00-03:00$/mu
      )
      assert.include(listed.out, "--after 2")
      const past = yield* Fake.parcela(["sandbox", "ledger", "--after", "9"], { play: ok({ entries: [], next: null }) })
      assert.include(past.out, "no later entries")
      const none = yield* Fake.parcela(["sandbox", "ledger"], { play: ok({ entries: [], next: null }) })
      assert.include(none.out, "received no request")
      const wrong = yield* Fake.parcela(["sandbox", "ledger", "--limit", "0", "--transaction-id", "x"])
      assert.deepStrictEqual([wrong.code, wrong.requests], [2, []])
      assert.match(wrong.err, /--limit.*1 to 100/)
      assert.match(wrong.err, /--transaction-id/)
      const json = yield* Fake.parcela(["sandbox", "ledger", "--json"], { play: ok({ entries: [entry], next: null }) })
      assert.deepStrictEqual(JSON.parse(json.out), { entries: [entry], next: null })
    })
  )

  it.effect.each([
    ["1mo", "2027-02-28T13:00:00.000Z"],
    ["13mo", "2028-02-29T13:00:00.000Z"]
  ] as const)("advances by %s to the same day of that month, or to its last", ([duration, to]) =>
    Effect.gen(function* () {
      const instant = "2027-01-31T13:00:00.000Z"
      const advanced = { from: instant, reached: to, steps: 0, work: [], changes: [], waitingWork: [] }
      const { requests, code } = yield* Fake.parcela(["sandbox", "advance", duration], {
        play: ({ method }) => [
          200,
          method === "GET" ? { business: instant, today: instant.slice(0, 10), machine: instant } : advanced
        ]
      })
      assert.deepStrictEqual(
        [code, requests.map(({ method }) => method), requests.at(-1)?.body],
        [0, ["GET", "POST"], { to }]
      )
    })
  )

  it.effect("lists test cards by the flags of the contract", () =>
    Effect.gen(function* () {
      const card = {
        number: "4000000000000002",
        name: "no funds",
        brand: "visa",
        group: "often used",
        result: "denied, 51"
      }
      const { requests, out } = yield* Fake.parcela(["sandbox", "test-cards", "--brand", "visa", "--code", "51"], {
        play: ok({ testCards: [card] })
      })
      assert.strictEqual(requests[0]?.url, `${sandbox}/test-cards?brand=visa&code=51`)
      assert.match(out, /^4000000000000002 +visa +often used +denied, 51$/mu)
      const none = yield* Fake.parcela(["sandbox", "test-cards", "--code", "00"], { play: ok({ testCards: [] }) })
      assert.include(none.out, "no such test card")
    })
  )

  it.effect("pays a transaction by its identifier, and shows the result", () =>
    Effect.gen(function* () {
      const payment = {
        id: "E9",
        method: "boleto",
        transactionId: 4,
        value: 500,
        paidAt: "2026-11-22T10:00:00.000Z",
        reportAt: "2026-11-23T10:00:00.000Z",
        isAcknowledged: false
      }
      const play = ok({ payments: [payment], earlierPayments: 0, status: "pendingBoleto" })
      const order = ["--value", "500", "--times", "2", "--name", "first"]
      const paid = yield* Fake.parcela(["sandbox", "payments", "pay", "payment-1", ...order], { play })
      assert.deepStrictEqual(paid.requests[0]?.body, { myId: "payment-1", value: 500, times: 2, name: "first" })
      assert.include(paid.out, "The transaction is pendingBoleto.")
      assert.match(
        paid.out,
        /^4 +boleto +R\$ 5,00 +2026-11-22T07:00:00-03:00 +2026-11-23T07:00:00-03:00 +not yet +E9$/mu
      )
      assert.match(paid.out, /next business day.*\nparcela sandbox advance --to 2026-11-23T07:00:00-03:00$/u)
      const taken = yield* Fake.parcela(["sandbox", "payments", "pay", "payment-1"], {
        play: ok({
          payments: [{ ...payment, isAcknowledged: true, transactionMyId: "payment-1" }],
          earlierPayments: 0,
          status: "payedPix"
        })
      })
      assert.notInclude(taken.out, "advance")
      assert.match(taken.out, /^payment-1 +boleto/mu)
      // A generated name is long, and is not typed.
      const made = yield* Fake.parcela(["sandbox", "payments", "pay", "4", "--by", "svcPayId"], {
        play: ok({
          payments: [{ ...payment, transactionMyId: "01980f2e-5b9e-7c3a-9d1c-4f2a6b8e0d17" }],
          earlierPayments: 0,
          status: "payedPix"
        })
      })
      assert.match(made.out, /^4 +boleto/mu)
      const numbered = yield* Fake.parcela(["sandbox", "payments", "pay", "4", "--by", "svcPayId"], { play })
      assert.deepStrictEqual(numbered.requests[0]?.body, { transactionId: 4 })
      assert.notInclude(numbered.out, "before")
      const again = yield* Fake.parcela(["sandbox", "payments", "pay", "payment-1"], {
        columns: 80,
        play: ok({ payments: [payment], earlierPayments: 2, status: "pendingBoleto" })
      })
      assert.match(again.out, /^It was paid 2 times before\..*paidDuplicityBoleto/msu)
      // In 80 columns: when it is reported, and whether it was.
      assert.match(again.out, /^4 +R\$ 5,00 +2026-11-23T07:00:00-03:00 +not yet +E9$/mu)
      for (const line of again.out.split("\n")) assert.isAtMost(line.length, 80, line)
      const report = {
        number: 1,
        id: "E9",
        method: "pix",
        reference: "txid",
        value: 700,
        paidAt: "2026-11-22T10:00:00.000Z",
        standing: "unmatched",
        problem: "no transaction has it",
        receivedAt: "2026-11-22T10:00:00.000Z"
      }
      const words = ["sandbox", "payments", "reported", "--standing", "unmatched", "--after", "0"]
      const reported = yield* Fake.parcela(words, { play: ok({ payments: [report], next: 1 }) })
      assert.isTrue(reported.requests[0]?.url.endsWith("/payments/reported?after=0&standing=unmatched"))
      assert.match(reported.out, /^1 +unmatched +pix +R\$ 7,00 .* no transaction has it$/mu)
      assert.include(reported.out, "--after 1")
    })
  )

  it.effect.each<readonly [words: string, reached: string, remedy: RegExp, to?: string]>([
    [
      "advance 30d",
      "2026-11-24T03:00:00Z",
      /stands at 2026-11-24T00:00:00-03:00.*stays done.*advance --to 2026-12-22T0/su
    ],
    ["advance 30d --name month", "2026-11-24T03:00:00Z", /stands at 2026-11-24T.*same command again.*month/su],
    // The same instant again, and none before it.
    [
      "advance 30d",
      "2026-11-24T03:00:00Z",
      /advance --to 2026-12-22T07:00:00\.250-03:00 /su,
      "2026-12-22T10:00:00.250Z"
    ],
    // The last advance has ended: it is another one.
    ["advance 30d", "2026-12-22T10:00:00Z", /^(?!.*stands at).*last-advance shows the time/su]
  ])("prints on Ctrl+C how to continue `%s`", ([words, reached, remedy, to]) =>
    Effect.gen(function* () {
      const last = {
        from: "2026-11-22T10:00:00Z",
        to: to ?? "2026-12-22T10:00:00Z",
        reached,
        isRunning: true,
        steps: 1,
        changes: []
      }
      const { requests, code, err, out } = yield* Fake.parcela(["sandbox", ...words.split(" ")], {
        play: ({ method }) => (method === "POST" ? "silent" : [200, last]),
        interruptAt: "clock/advance"
      })
      assert.deepStrictEqual([code, out], [130, ""])
      assert.match(err.replaceAll(/\s+/gu, " "), remedy)
      assert.deepStrictEqual(
        requests.map(({ method }) => method),
        ["POST", "GET"]
      )
    })
  )

  it.effect("shows the results of an advance, and the journal and the requests after a number", () =>
    Effect.gen(function* () {
      const at = "2027-01-21T03:00:00.000Z"
      const changes = [{ event: "TransactionStatusChanged", to: "captured", count: 3 }]
      const advance = { from: at, to: at, reached: at, isRunning: true, steps: 3, changes, eventsAfter: "0-7" }
      const last = yield* Fake.parcela(["sandbox", "last-advance"], { play: ok(advance) })
      assert.match(last.out, /^under way +yes$/mu)
      assert.match(last.out, /^see +parcela sandbox events --after 0-7$/mu)
      assert.match(last.out, /^TransactionStatusChanged +captured +3$/mu)
      const event = {
        subject: { kind: "transaction", id: "4" },
        at,
        businessAt: at,
        myId: "p-4",
        status: "captured",
        value: 1990,
        events: [{ _tag: "TransactionStatusChanged" }],
        work: "send payment",
        changed: ["status"]
      }
      const events = yield* Fake.parcela(["sandbox", "events", "--after", "0-7"], {
        play: ok({ events: [event], next: "0-8" })
      })
      assert.isTrue(events.requests[0]?.url.endsWith("/companies/sandbox/events?after=0-7"))
      assert.match(
        events.out,
        /^2027-01-21T00:00:00-03:00 +transaction p-4 +captured +R\$ 19,90 +send payment +TransactionStatusChanged$/mu
      )
      assert.include(events.out, "--after 0-8")
      const request = {
        id: 12,
        at,
        method: "POST",
        path: "/v2/charges",
        status: 400,
        milliseconds: 6.2,
        requestId: "r-1",
        unknownKeys: ["payDay"],
        faultyFields: ["Charge.value"]
      }
      const requests = yield* Fake.parcela(["sandbox", "requests", "--status", "400"], {
        play: ok({ requests: [request], next: 12 })
      })
      assert.deepStrictEqual(Object.fromEntries(new URL(requests.requests[0]!.url).searchParams), {
        clientId: "sandbox",
        status: "400"
      })
      assert.match(requests.out, /^12 .* 400 +6 ms +POST +\/v2\/charges +r-1 +Charge\.value, payDay \(unknown\)$/mu)
    })
  )

  it.effect("lists and releases quarantined jobs", () =>
    Effect.gen(function* () {
      const quarantined = {
        kind: "send payment",
        companyId: 1,
        subject: "4",
        quarantinedAt: "2026-11-22T10:00:00.000Z",
        failures: 1,
        problem: "A defect"
      }
      const listed = yield* Fake.parcela(["sandbox", "work", "list"], { play: ok({ quarantinedWork: [quarantined] }) })
      assert.match(listed.out, /^send payment +4 +1 +2026-11-22T07:00:00-03:00 +1 +A defect$/mu)
      const released = yield* Fake.parcela(["sandbox", "work", "release", "send payment", "4"], {
        play: ok({ released: true })
      })
      assert.deepStrictEqual(released.requests[0]?.body, { kind: "send payment", subject: "4" })
    })
  )

  it.effect("accepts a remote sandbox only with a controls token, which it sends and does not print", () =>
    Effect.gen(function* () {
      const elsewhere = ["--base-url", "https://sandbox.example/v2", "--client-id", "shop", "sandbox", "work", "list"]
      const refused = yield* Fake.parcela(elsewhere)
      assert.deepStrictEqual([refused.code, refused.requests], [2, []])
      assert.include(refused.err, "PARCELA_CONTROLS_TOKEN")
      const env = { PARCELA_CONTROLS_TOKEN: "a-token-of-24-characters" }
      const { requests, code, err, out } = yield* Fake.parcela(elsewhere, { env, play: ok({ quarantinedWork: [] }) })
      assert.strictEqual(code, 0)
      assert.strictEqual(requests[0]?.url, "https://sandbox.example/sandbox/quarantined-work")
      assert.strictEqual(requests[0]?.authorization, "Bearer a-token-of-24-characters")
      assert.notInclude(out + err, "a-token")
      const inTheClear = yield* Fake.parcela(
        elsewhere.map((word) => word.replace("https:", "http:")),
        { env, play: ok({ quarantinedWork: [] }) }
      )
      assert.include(inTheClear.err, "not encrypted")
    })
  )
})

describe("parcela admin", () => {
  it.effect(
    "needs the operator token for a remote service, sends it without company secrets, and never prints it",
    () =>
      Effect.gen(function* () {
        const words = [
          "--base-url",
          "https://pay.example/v2",
          "--client-id",
          "shop",
          "admin",
          "transactions",
          "waive",
          "p"
        ]
        const refused = yield* Fake.parcela(words, { env: { PARCELA_CONTROLS_TOKEN: "a-token-of-24-characters" } })
        assert.deepStrictEqual([refused.code, refused.requests], [2, []])
        assert.include(refused.err, "PARCELA_OPERATOR_TOKEN")
        const env = { PARCELA_OPERATOR_TOKEN: "operator-of-24-characters", PARCELA_CLIENT_SECRET: "secret-of-shop" }
        const { requests, code, err, out } = yield* Fake.parcela(words, { env, play: ok({ status: "free" }) })
        assert.deepStrictEqual([code, out], [0, "The transaction is free."])
        assert.deepStrictEqual(
          requests.map(({ authorization, body, url }) => [url, authorization, body]),
          [
            [
              "https://pay.example/admin/companies/shop/transactions/waive",
              "Bearer operator-of-24-characters",
              { myId: "p" }
            ]
          ]
        )
        assert.notInclude(out + err, "operator-of")
        const wrong = yield* Fake.parcela(words, { env, play: () => [401, { error: { message: "no" } }] })
        assert.deepStrictEqual([wrong.code, wrong.err.includes("PARCELA_CLIENT_SECRET")], [1, false])
        assert.include(wrong.err, "PARCELA_OPERATOR_TOKEN must be the token of the running service")
      })
  )
})
