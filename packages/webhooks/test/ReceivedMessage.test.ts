import { assert, describe, it } from "@effect/vitest"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { disturbed, isReadingOf, lostIn } from "@parcela/test-world/Readings"
import { Redacted, Result } from "effect"
import { inspect } from "node:util"
import { parseBody, readMessage } from "../src/ReceivedMessage.ts"
import { bodyOf, bytesOf, confirmHash } from "./fixtures/Deliveries.ts"

const read = (body: string | object) =>
  Result.flatMap(parseBody(bytesOf(typeof body === "string" ? body : JSON.stringify(body))), readMessage)
const readOrThrow = (body: string | object) => Result.getOrThrow(read(body))
const problemOf = (body: string | object) =>
  Result.match(read(body), { onFailure: (error) => error.problem, onSuccess: () => "none" })

describe("ReceivedMessage", () => {
  const envelope = { event: "transaction.updateStatus", webhookId: 1, confirmHash: "x" }

  it("has the fields of the transaction and the subscription", () => {
    const message = readOrThrow(bodyOf(42))
    assert.strictEqual(message.webhookId, 42)
    assert.strictEqual(message.transaction?.myId, "pay-1")
    assert.strictEqual(message.transaction?.subscriptionSvcPayId, 5)
    assert.strictEqual(message.subscription?.status, "active")
  })

  it("refuses a body that is nested deeper than 32 levels", () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
    const body = (levels: number) => `{"event":"a","webhookId":1,"more":${nested(levels)}}`
    assert.strictEqual(problemOf(body(31)), "none")
    for (const levels of [32, 100_000]) assert.strictEqual(problemOf(body(levels)), "depth")
  })

  it("has no confirmHash in any visible value", () => {
    const parsed = Result.getOrThrow(parseBody(bytesOf(bodyOf(1))))
    const message = Result.getOrThrow(readMessage(parsed))
    assert.strictEqual(Redacted.value(parsed.confirmHash!), Redacted.value(confirmHash))
    assert.notInclude(
      JSON.stringify([parsed, message]) + inspect([parsed, message], { depth: 9 }),
      Redacted.value(confirmHash)
    )
  })

  it("accepts unknown events and keys and has them in raw", () => {
    const message = readOrThrow({ ...envelope, event: "contract.accepted", Charge: { myId: "c" }, more: [1] })
    assert.strictEqual(message.event, "contract.accepted")
    assert.deepStrictEqual(message.raw, { event: "contract.accepted", webhookId: 1, Charge: { myId: "c" }, more: [1] })
    assert.strictEqual(message.transaction, undefined)
  })

  it("accepts a subscription as an object or a list of one, and leaves out a list of several", () => {
    const one = { myId: "s", svcPayId: "12" }
    assert.strictEqual(readOrThrow({ ...envelope, Subscription: one }).subscription?.svcPayId, 12)
    assert.strictEqual(readOrThrow({ ...envelope, Subscription: [one] }).subscription?.myId, "s")
    for (const other of [[], [one, one], null, "", 0, false]) {
      assert.strictEqual(readOrThrow({ ...envelope, Subscription: other }).subscription, undefined)
    }
  })

  it("converts numbers and digits and lists the values that it leaves out", () => {
    const message = readOrThrow({
      ...envelope,
      webhookId: "42",
      Transaction: { svcPayId: "77", value: "1e3", myId: 5, status: null, tid: {} }
    })
    assert.strictEqual(message.webhookId, 42)
    const { myId, status, svcPayId, tid, value } = message.transaction!
    assert.deepStrictEqual([myId, status, svcPayId, tid, value], ["5", undefined, 77, undefined, undefined])
    assert.deepStrictEqual(
      message.undecoded.map(({ path }) => path),
      ["Delivery.Transaction.value", "Delivery.Transaction.tid"]
    )
  })

  it("parses another naming profile and has the sent names in raw", () => {
    const raw = {
      event: "a",
      webhookId: 1,
      Transaction: { galaxPayId: 7, subscriptionGalaxPayId: 8, payedOutsideGalaxPay: true }
    }
    const parsed = Result.getOrThrow(parseBody(bytesOf(JSON.stringify(raw))))
    const message = Result.getOrThrow(readMessage(parsed, galaxPay))
    assert.deepStrictEqual(message.transaction, { svcPayId: 7, subscriptionSvcPayId: 8, payedOutsideSvcPay: true })
    assert.deepStrictEqual(message.raw, raw)
  })

  it("refuses an id that is not an exact number", () => {
    assert.strictEqual(problemOf(`{"event":"a","webhookId":9007199254740993}`), "webhookId")
    assert.strictEqual(problemOf({ ...envelope, webhookId: "9007199254740993" }), "webhookId")
    assert.strictEqual(readOrThrow({ ...envelope, webhookId: "9007199254740991" }).webhookId, 9007199254740991)
  })

  it("names the problem of an invalid body", () => {
    assert.deepStrictEqual(
      [
        "",
        "{",
        `{"a":1}}`,
        "[]",
        "null",
        `"text"`,
        "1",
        {},
        { ...envelope, event: "" },
        { ...envelope, event: [1] }
      ].map(problemOf),
      ["json", "json", "json", "object", "object", "object", "object", "event", "event", "event"]
    )
    assert.deepStrictEqual(
      [0, -1, 1.5, "", "-1", "1.0", "01", true, null, [1]].map((webhookId) => problemOf({ ...envelope, webhookId })),
      Array(10).fill("webhookId")
    )
    assert.strictEqual(
      Result.getOrThrow(Result.flip(parseBody(new Uint8Array([0x7b, 0xff, 0x7d])))).message,
      "The body is not a delivery: it is not UTF-8"
    )
  })

  it("ignores keys of the object prototype", () => {
    const message = readOrThrow(`{"__proto__":{"Transaction":{"myId":"x"}},"event":"a","webhookId":1}`)
    assert.strictEqual(message.transaction, undefined)
    assert.strictEqual(problemOf(`{"__proto__":{"event":"a","webhookId":1}}`), "event")
  })

  it("accepts a delivery with any single invalid value and lists what it leaves out", () => {
    const { confirmHash: _, ...delivery } = JSON.parse(bodyOf(1))
    const all = disturbed(delivery)
    assert.isAbove(all.length, 150)
    const refused = all.flatMap(({ json, name }) => {
      const result = read(
        Array.isArray(json) || typeof json !== "object" || json === null ? JSON.stringify(json) : json
      )
      if (Result.isFailure(result)) return [name]
      const { event, raw, subscription, transaction, undecoded, webhookId } = result.success
      const value = Object.fromEntries(
        Object.entries({ event, webhookId, Transaction: transaction, Subscription: subscription }).filter(
          ([, part]) => part !== undefined
        )
      )
      assert.isTrue(isReadingOf(value, raw), name)
      assert.deepStrictEqual(lostIn(value, raw, "Delivery", undecoded), [], name)
      return []
    })
    // Only the document itself, its event and its number are required.
    assert.deepStrictEqual(
      refused.filter((name) => !/^: |^event: |^webhookId: /.test(name)),
      []
    )
  })
})
