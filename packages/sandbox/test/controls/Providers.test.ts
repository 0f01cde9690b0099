import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { join } from "node:path"
import { byCard, cards, cvv, payment, start } from "@parcela/test-world/Samples"
import { call, onServer, token, tokenOf } from "@parcela/test-world/Server"
import { temporaryFolder } from "@parcela/test-world/TemporaryFile"

const send = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
  const answer = yield* call(method, `/v2${path}`, { token: yield* token, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, transaction: answer.json.Transaction, text: answer.text }
})

const subscribe = (number: string, myId = "sub") => send("POST", "/subscriptions/manual", byCard(number, myId))

const pay = (myId: string, sub = "sub") => send("POST", `/transactions/${sub}/myId/add`, payment(myId))

const subscribeBy = (mainPaymentMethodId: "boleto" | "pix") =>
  send("POST", "/subscriptions/manual", {
    myId: mainPaymentMethodId,
    mainPaymentMethodId,
    Customer: byCard(cards.captured).Customer
  })

interface Entry {
  readonly id: number
  readonly attemptId: string | null
  readonly companyId: number
  readonly call: string
  readonly outcome: string | null
  readonly effect: string
  readonly reference: string | null
  readonly transactionMyId?: string
}

const ledger = Effect.fnUntraced(function* (query = "") {
  const answer = yield* call("GET", `/sandbox/ledger${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json as { readonly entries: ReadonlyArray<Entry>; readonly next: number | null }
})

const plan = (body: object) => call("POST", "/sandbox/faults", { body })

describe("the ledger of the providers", () => {
  it.effect("contains the caller, the request, its time and its outcome", () =>
    Effect.gen(function* () {
      yield* subscribe(cards.denied)
      const { transaction } = yield* pay("p")
      const { entries, next } = yield* ledger()
      assert.isNull(next)
      assert.deepStrictEqual(
        entries.map(({ call, effect, outcome }) => `${call}: ${outcome}, ${effect}`),
        ["tokenize: Tokenized, tokenized", "charge: Denied, none"]
      )
      const { attemptId, companyId, id, reference, ...charge } = entries[1]!
      assert.isString(attemptId)
      assert.isNumber(companyId)
      assert.isNumber(id)
      assert.strictEqual(reference, transaction.tid)
      assert.deepStrictEqual<object>(charge, {
        provider: "card operator",
        call: "charge",
        transactionId: transaction.svcPayId,
        transactionMyId: "p",
        value: 1990,
        outcome: "Denied",
        code: "51",
        effect: "none",
        isRepeat: false,
        fault: null,
        at: new Date(start).toISOString(),
        receivedAt: new Date(start).toISOString()
      })
    }).pipe(onServer())
  )

  it.effect("contains no card number, no CVV and no part of a number, in whichever field it was sent", () =>
    Effect.gen(function* () {
      for (const number of Object.values(cards)) yield* subscribe(number, number)
      const { text } = yield* call("GET", "/sandbox/ledger")
      assert.include(text, '"call":"tokenize"')
      for (const number of Object.values(cards)) {
        for (const part of [number, number.slice(0, 6), number.slice(-4), cvv]) {
          assert.notInclude(text.replace(/"attemptId":"[^"]*"/g, ""), part)
        }
      }
    }).pipe(onServer())
  )

  it.effect("is filtered by company, attempt and transaction, and returned in pages", () =>
    Effect.gen(function* () {
      yield* subscribe(cards.captured)
      yield* pay("one")
      const second = yield* pay("two")
      const all = (yield* ledger()).entries
      assert.lengthOf(all, 3)
      assert.deepStrictEqual((yield* ledger("?clientId=sandbox")).entries, all)
      yield* call("POST", "/sandbox/companies", { body: { clientId: "another" } })
      assert.deepStrictEqual((yield* ledger("?clientId=another")).entries, [])
      const ofSecond = yield* ledger(`?transactionId=${second.transaction.svcPayId}`)
      assert.deepStrictEqual(ofSecond.entries, [all[2]!])
      assert.deepStrictEqual((yield* ledger(`?attemptId=${all[1]!.attemptId}`)).entries, [all[1]!])
      const first = yield* ledger("?limit=2")
      assert.deepStrictEqual(first, { entries: all.slice(0, 2), next: all[1]!.id })
      assert.deepStrictEqual(yield* ledger(`?limit=2&after=${first.next}`), { entries: all.slice(2), next: null })
    }).pipe(onServer())
  )

  it.effect("has the myId of transactions of every company", () =>
    Effect.gen(function* () {
      yield* subscribe(cards.captured)
      yield* pay("ours")
      const { clientSecret } = (yield* call("POST", "/sandbox/companies", { body: { clientId: "another" } })).json
      const bearer = yield* tokenOf({ clientId: "another", clientSecret: Redacted.make(clientSecret) })
      for (const [path, body] of [
        ["/subscriptions/manual", byCard(cards.captured)],
        ["/transactions/sub/myId/add", payment("theirs")]
      ] as const) {
        assert.strictEqual((yield* call("POST", `/v2${path}`, { token: bearer, body })).status, 200)
      }
      assert.deepStrictEqual(
        (yield* ledger()).entries.map(({ call, transactionMyId }) => [call, transactionMyId]),
        [
          ["tokenize", undefined],
          ["charge", "ours"],
          ["tokenize", undefined],
          ["charge", "theirs"]
        ]
      )
    }).pipe(onServer())
  )

  it.effect("refuses unknown parameters, and every method except GET", () =>
    Effect.gen(function* () {
      for (const query of [
        "limit=0",
        "limit=101",
        "after=-1",
        "after=x",
        "transactionId=x",
        "company=1",
        "limit=1&limit=2"
      ]) {
        const answer = yield* call("GET", `/sandbox/ledger?${query}`)
        assert.strictEqual(answer.status, 400, query)
        assert.hasAllKeys(answer.json.error.details, [`Ledger.${query.split("=")[0]}`])
      }
      assert.strictEqual((yield* call("GET", "/sandbox/ledger?clientId=nobody")).status, 404)
      const refused = yield* call("POST", "/sandbox/ledger", { body: {} })
      assert.strictEqual(refused.status, 405)
      assert.strictEqual(refused.headers.get("allow"), "GET")
    }).pipe(onServer())
  )

  it.effect("and the planned failures are accessible to programs on this machine only", () =>
    Effect.gen(function* () {
      const headers = { "x-forwarded-for": "203.0.113.9" }
      for (const [method, path] of [
        ["GET", "/sandbox/ledger"],
        ["GET", "/sandbox/faults"],
        ["POST", "/sandbox/faults"],
        ["DELETE", "/sandbox/faults"]
      ] as const) {
        assert.strictEqual((yield* call(method, path, { headers })).status, 403, `${method} ${path}`)
      }
    }).pipe(onServer())
  )
})

describe("planned failures", () => {
  it.effect("apply to the given company and number of requests, and are listed until then", () =>
    Effect.gen(function* () {
      yield* subscribe(cards.captured)
      const planned = {
        call: "charge",
        fault: { type: "Denied", code: "57", message: "Not allowed" },
        clientId: "sandbox",
        times: 2
      }
      const { clientId: _, ...asked } = planned
      const shown = { ...asked, isOfOneCard: false }
      const { companyId } = (yield* call("GET", "/sandbox/companies/sandbox")).json
      assert.deepStrictEqual((yield* plan(planned)).json, { ...shown, companyId })
      const first = (yield* pay("first")).transaction
      assert.strictEqual(first.status, "denied")
      assert.deepStrictEqual(first.AbecsReasonDenied, { code: "57", message: "Not allowed" })
      assert.deepStrictEqual((yield* call("GET", "/sandbox/faults")).json, {
        faults: [{ ...shown, companyId, times: 1 }]
      })
      assert.strictEqual((yield* pay("second")).transaction.status, "denied")
      assert.deepStrictEqual((yield* call("GET", "/sandbox/faults")).json, { faults: [] })
      assert.strictEqual((yield* pay("third")).transaction.status, "captured")
    }).pipe(onServer())
  )

  it.effect("apply to one card, by its identifier of the interface", () =>
    Effect.gen(function* () {
      const body = byCard(cards.captured, "a")
      const bearer = yield* token
      const subscribed = yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body })
      yield* subscribe("5555555555554444", "b")
      const cardId = subscribed.json.Subscription.PaymentMethodCreditCard.Card.svcPayId
      const fault = { type: "Denied", code: "54", message: "Expired card" }
      const planned = yield* plan({ call: "charge", fault, clientId: "sandbox", cardId, times: 1_000 })
      assert.isTrue(planned.json.isOfOneCard)
      assert.strictEqual((yield* pay("of b", "b")).transaction.status, "captured")
      assert.strictEqual((yield* pay("of a", "a")).transaction.status, "denied")
      const ofNobody = yield* plan({ call: "charge", fault, cardId })
      assert.deepStrictEqual([ofNobody.status, Object.keys(ofNobody.json.error.details)], [400, ["Fault.clientId"]])
      assert.strictEqual(
        (yield* plan({ call: "charge", fault, clientId: "sandbox", cardId: cardId + 1_000 })).status,
        404
      )
    }).pipe(onServer())
  )

  it.effect.each([
    { fault: { type: "Unavailable" }, moved: 0 },
    { fault: { type: "RequestLost" }, moved: 0 },
    { fault: { type: "ResponseLost" }, moved: 1 },
    { fault: { type: "Hang", isDone: true }, moved: 1 },
    { fault: { type: "Hang", isDone: false }, moved: 0 },
    { fault: { type: "Slow", milliseconds: 3_600_000 }, moved: 1 },
    { fault: { type: "Duplicated" }, moved: 1 }
  ])("of a charge move the money once in the end: $fault", ({ fault, moved }) =>
    Effect.gen(function* () {
      yield* subscribe(cards.captured)
      yield* plan({ call: "charge", fault })
      const captures = Effect.map(
        ledger(),
        ({ entries }) => entries.filter(({ effect }) => effect === "captured").length
      )
      const paying = yield* Effect.forkChild(pay("p"))
      // A caller that waits gives up in time; that its charge was done shows before.
      while ((yield* call("GET", "/sandbox/faults")).json.faults.length > 0) yield* Effect.yieldNow
      while (paying.pollUnsafe() === undefined) {
        assert.isAtMost(yield* captures, moved)
        yield* TestClock.adjust("1 second")
      }
      while ((yield* send("GET", "/transactions?startAt=0&limit=1&myIds=p")).text.includes('"status":"notSend"')) {
        yield* TestClock.adjust("10 seconds")
      }
      assert.strictEqual(yield* captures, 1)
    }).pipe(onServer())
  )

  it.effect.each([
    { method: "boleto", requested: "register", status: "notCompensated" },
    { method: "pix", requested: "open", status: "unavailablePix" }
  ] as const)("that refuse the registration of a $method for good end it without another request", (one) =>
    Effect.gen(function* () {
      yield* subscribeBy(one.method)
      yield* plan({ call: one.requested, fault: { type: "Denied", code: "422", message: "The payer is blocked" } })
      const { transaction } = yield* pay("p", one.method)
      assert.strictEqual(transaction.status, one.status)
      yield* TestClock.adjust("2 minutes")
      assert.lengthOf((yield* ledger()).entries, 1)
      assert.notStrictEqual((yield* pay("another", one.method)).transaction.status, one.status)
    }).pipe(onServer())
  )

  it.effect("apply for a span of the company's time, with the wording of ABECS by default", () =>
    Effect.gen(function* () {
      yield* subscribe(cards.captured)
      for (const month of ["10", "11", "12"]) {
        yield* send("POST", "/transactions/sub/myId/add", payment(month, `2026-${month}-21`))
      }
      const span = { from: "2026-11-01T00:00:00.000Z", until: "2026-12-01T00:00:00.000Z" }
      const fault = { type: "Denied", code: "91" }
      const planned = (yield* plan({ clientId: "sandbox", fault, ...span })).json
      assert.deepInclude(planned, { fault: { ...fault, message: "The issuer cannot be reached" }, ...span })
      assert.notProperty(planned, "times")
      yield* call("POST", "/sandbox/companies/sandbox/clock/advance", { body: { bySeconds: 365 * 86_400 } })
      const { text } = yield* send("GET", "/transactions?startAt=0&limit=9&order=payday.asc")
      const statuses = (JSON.parse(text) as { Transactions: ReadonlyArray<{ status: string }> }).Transactions
      assert.deepStrictEqual(
        statuses.map(({ status }) => status),
        ["captured", "denied", "captured"]
      )
    }).pipe(onServer())
  )

  it.effect("survive a restart", () =>
    Effect.gen(function* () {
      const database = join(yield* temporaryFolder, "sandbox.db")
      const shown = yield* plan({ call: "charge", fault: { type: "ResponseLost" }, times: 3 }).pipe(
        onServer({ database })
      )
      const { json } = yield* call("GET", "/sandbox/faults").pipe(onServer({ database }))
      assert.deepStrictEqual(json, { faults: [shown.json] })
    })
  )

  it.effect("are removed for one company or all, and refused if they are invalid", () =>
    Effect.gen(function* () {
      const fault = { type: "Unavailable" }
      yield* call("POST", "/sandbox/companies", { body: { clientId: "another" } })
      for (const clientId of ["sandbox", "another"]) yield* plan({ call: "open", fault, clientId, times: 3 })
      const left = (yield* call("DELETE", "/sandbox/faults?clientId=sandbox")).json.faults
      assert.lengthOf(left, 1)
      assert.deepStrictEqual((yield* call("DELETE", "/sandbox/faults")).json, { faults: [] })
      for (const wrong of [
        {},
        { call: "pay", fault },
        { call: "charge", fault: { type: "Explode" } },
        { call: "charge", fault: { type: "Slow" } },
        { call: "charge", fault, from: "2026-10-01T00:00:00Z" },
        { call: "charge", fault, clientId: "sandbox", from: "2026-10-01T00:00:00Z", until: "2026-10-01T00:00:00Z" },
        { call: "charge", fault, times: 0 },
        { call: "charge", fault, card: "card_1" }
      ]) {
        assert.strictEqual((yield* plan(wrong)).status, 400, JSON.stringify(wrong))
      }
      assert.strictEqual((yield* plan({ call: "charge", fault, clientId: "nobody" })).status, 404)
      assert.deepStrictEqual((yield* call("GET", "/sandbox/faults")).json, { faults: [] })
      const refused = yield* call("PUT", "/sandbox/faults")
      assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, POST, DELETE"])
    }).pipe(onServer())
  )
})
