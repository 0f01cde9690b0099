import { assert, describe, it } from "@effect/vitest"
import { Unreadable } from "@parcela/transport/client/ClientError"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { exitCodeMeanings, forPeople } from "../src/Failure.ts"
import { respond } from "./Contracts.ts"
import * as Fake from "./Fake.ts"

/** Runs with as much time as the pauses between tries want. */
const runs = (words: string, play: (request: Fake.SentRequest) => Fake.Played, interruptAt?: string) =>
  Effect.gen(function* () {
    const world = { play, ...(interruptAt === undefined ? {} : { interruptAt }) }
    const fiber = yield* Effect.forkChild(Fake.parcela(words.split(" "), world))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

const refusal =
  (status: number, field?: string, headers: Record<string, string> = {}) =>
  (): Fake.Played => [
    status,
    { error: { message: "Refused", ...(field === undefined ? {} : { details: { [field]: ["says why"] } }) } },
    headers
  ]

const retry = "transactions retry payment-1"

describe("a refusal", () => {
  it.effect("without a field is shown as a state, and a 404 of a control names what to check first", () =>
    Effect.gen(function* () {
      const refused = yield* runs("sandbox payments pay payment-1", refusal(400))
      assert.strictEqual(refused.code, 1)
      assert.match(refused.err, /Nothing was changed/u)
      assert.notInclude(refused.err, "Correct these fields")
      const unknown = yield* runs("sandbox payments pay payment-1", refusal(404))
      assert.match(unknown.err, /identifier.*--client-id.*sandbox/su)
    })
  )

  it.effect.each<readonly [string, string]>([
    ["Transaction.status", "its status does not allow this. To see the status: parcela transactions list."],
    ["Charge.status", "parcela charges list"],
    ["Subscription.status", "parcela subscriptions list"],
    ["Transaction.datetimeLastSentToOperator", "Wait until then"],
    ["AbecsReasonDenied.code", "Try another card"],
    ["Card.expiresAt", "Give another card"],
    ["PaymentMethodCreditCard.Card", "Give another card"],
    ["Charge.myId", "Choose another identifier, or edit the existing entity: parcela charges list finds it"],
    ["Customer.document", "parcela customers list finds it"],
    ["Charge.mainPaymentMethodId", "parcela charges list"],
    ["Subscription.Transactions", "parcela subscriptions list"],
    ["Transaction.value", "Correct these fields"]
  ])("about %s says what to do", ([field, remedy]) =>
    Effect.gen(function* () {
      const { code, err } = yield* runs(retry, refusal(400, field))
      assert.strictEqual(code, 1)
      assert.include(err, remedy)
      assert.strictEqual(err.includes("Correct these fields"), field === "Transaction.value")
    })
  )

  it.effect("of several states shows none as a field, and shows a field that is next to a state", () =>
    Effect.gen(function* () {
      const details =
        (...fields: ReadonlyArray<string>) =>
        (): Fake.Played => [
          400,
          { error: { message: "no", details: Object.fromEntries(fields.map((field) => [field, ["no"]])) } }
        ]
      const states = yield* runs(retry, details("Transaction.status", "Subscription.status"))
      assert.include(states.err, "its status does not allow this. To see the status: parcela transactions list.")
      const mixed = yield* runs(retry, details("Transaction.status", "Transaction.value"))
      assert.include(mixed.err, "Correct these fields")
    })
  )

  it.effect.each([
    [401, "secret in PARCELA_CLIENT_SECRET"],
    [403, "scope"],
    [413, "Send a smaller body"],
    [422, "--idempotency-key belongs to another request"],
    [429, "Try again in 7 s"],
    [501, "This service does not offer the operation"]
  ] as const)("with status %s says what to do", ([status, remedy]) =>
    Effect.gen(function* () {
      // A write that got a 5xx may have happened, so a read is refused for certain.
      const { code, err } = yield* runs("transactions list", refusal(status, undefined, { "retry-after": "7" }))
      assert.strictEqual(code, 1)
      assert.include(err, remedy)
    })
  )

  it.effect("by a server error names the request for the operator", () =>
    Effect.gen(function* () {
      const { err } = yield* runs("customers list", refusal(500, undefined, { "x-request-id": "req-7" }))
      assert.match(err, /Request\.id +req-7/u)
      const refused = yield* runs(retry, refusal(400, "Transaction.status", { "x-request-id": "req-7" }))
      assert.notInclude(refused.err, "req-7")
      const down = yield* runs("customers list", refusal(503, undefined, { "retry-after": "5" }))
      assert.include(down.err, "Try again in 5 s: the service, or a system that it depends on")
    })
  )
})

describe("no response", () => {
  it.effect.each<readonly [string, string, string]>([
    ["ECONNREFUSED", "no program listens there", "npm start"],
    ["ENOTFOUND", "no machine has that name", "base URL"],
    ["CERT_HAS_EXPIRED", "its certificate has expired", "NODE_EXTRA_CA_CERTS"],
    ["ESTRANGE", "ESTRANGE", "Check that the service is running"]
  ])("for %s is shown as a sentence with a remedy", ([code, says, remedy]) =>
    Effect.gen(function* () {
      const ran = yield* runs("customers list", () => ({ code }))
      assert.strictEqual(ran.code, 3)
      for (const part of [says, `(${code})`.replace("(ESTRANGE)", ""), remedy, "Nothing has happened"]) {
        assert.include(ran.err, part)
      }
    })
  )

  it.effect("from another service does not mention the sandbox", () =>
    Effect.gen(function* () {
      const env = { PARCELA_BASE_URL: "https://api.test/v2", PARCELA_CLIENT_ID: "c", PARCELA_CLIENT_SECRET: "s" }
      const { err } = yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Fake.parcela(["customers", "list"], { env, play: () => "refused" }))
        yield* TestClock.adjust("1 minute")
        return yield* Fiber.join(fiber)
      })
      assert.include(err, "Start the service")
      assert.notInclude(err, "npm start")
    })
  )
})

describe("an unknown outcome", () => {
  it.effect.each<readonly [string, () => Fake.Played]>([
    ["a lost response", () => "lost"],
    ["a 504", refusal(504)],
    ["a service that is silent", () => "silent"]
  ])("after %s prints the key for a repeat", ([, play]) =>
    Effect.gen(function* () {
      const { requests, code, err } = yield* runs(retry, play)
      assert.strictEqual(code, 3)
      const key = requests[0]?.key ?? "none"
      for (const part of ["may or may not have happened", `Run the command again with --idempotency-key ${key}`]) {
        assert.include(err, part)
      }
    })
  )

  it.effect("of an interrupted write prints its key, and of a read prints nothing", () =>
    Effect.gen(function* () {
      const { requests, code, err, out } = yield* runs(retry, () => "silent", "/retry")
      assert.deepStrictEqual([code, out, requests.length], [130, "", 1])
      assert.include(err, `--idempotency-key ${requests[0]?.key}`)
      const read = yield* runs("customers list", () => "silent", "/customers")
      assert.deepStrictEqual([read.code, read.err, read.out], [130, "", ""])
    })
  )
})

describe("a control with an unknown outcome", () => {
  it.effect.each([500, 504])("is not reported as refused when the response is a %s", (status) =>
    Effect.gen(function* () {
      const message = "The payment may have been made"
      const play = () => [status, { error: { message } }] as const
      const { code, err } = yield* Fake.parcela(["sandbox", "payments", "pay", "p"], { play })
      assert.strictEqual(code, 3)
      assert.include(err, `It may or may not have happened: ${message}`)
      assert.notInclude(err, "refused")
    })
  )
})

describe("an exit code", () => {
  it.effect.each<readonly [number, string, (request: Fake.SentRequest) => Fake.Played]>([
    [0, "customers list", respond],
    [1, "customers list", refusal(401)],
    [2, "customers list --limit 0", respond],
    [3, "customers list", () => "refused"],
    [
      70,
      "customers list",
      () => {
        throw new Error("a defect")
      }
    ]
  ])("%s is as documented", ([expected, words, play]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* runs(words, play)).code, expected)
    })
  )

  it("is documented in the README", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const listed = [...readme.matchAll(/^\|(\d+)\|(.*)\|$/gmu)]
    assert.deepStrictEqual(
      listed.map(([, code, says = ""]) => [code, says.split(/[;:(]/u)[0]?.trim()]),
      Object.entries(exitCodeMeanings).map(([code, says]) => [code, says.split(/[;:(]/u)[0]?.trim()])
    )
  })
})

const unreadable = (body: string, idempotencyKey?: string) =>
  forPeople(
    Object.assign((_: string, text: string) => text, { columns: Number.POSITIVE_INFINITY }),
    new Unreadable({
      status: 200,
      reason: "response.Transaction.svcPayId is missing",
      body: Redacted.make(body),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey })
    })
  )

describe("a response that cannot be read", () => {
  it("to a read does not report a write", () => {
    const output = unreadable("{}")
    assert.include(output, "try: Nothing was changed. Check that the base URL")
  })

  it("to a write reports that the write happened, and its key", () => {
    assert.include(unreadable("{}", "key-1"), "The write did happen, under --idempotency-key key-1")
  })

  it("of a server with another naming profile names that setting", () => {
    const output = unreadable(`{"Transaction":{"galaxPayId":7}}`, "key-1")
    assert.include(
      output,
      "The service calls itself galaxPay (its setting PARCELA_NAMING): run the command with --naming galaxPay"
    )
    assert.notInclude(output, "base URL")
  })
})
