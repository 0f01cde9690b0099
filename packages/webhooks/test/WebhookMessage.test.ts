import { assert, describe, it } from "@effect/vitest"
import { Cents } from "@parcela/core/money/Cents"
import { galaxPay, svcPay } from "@parcela/core/json/NamingProfile"
import { MyId } from "@parcela/core/values/Identifier"
import { Text } from "@parcela/core/values/Text"
import { Transaction } from "@parcela/core/transactions/Transaction"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { Effect, Redacted, Result, Schema } from "effect"
import { parseBody, readMessage } from "../src/ReceivedMessage.ts"
import { encodeMessage, payloadWriter } from "../src/WebhookMessage.ts"
import { bodyOf, bytesOf, confirmHash, payload, subscription, transaction } from "./fixtures/Deliveries.ts"

const write = payloadWriter(svcPay)

describe("WebhookMessage", () => {
  it("starts with the envelope, followed by the entities", () => {
    const body = JSON.parse(bodyOf(42))
    assert.deepStrictEqual(Object.keys(body), ["event", "webhookId", "confirmHash", "Transaction", "Subscription"])
    assert.strictEqual(body.event, "transaction.updateStatus")
    assert.strictEqual(body.webhookId, 42)
    assert.strictEqual(body.confirmHash, Redacted.value(confirmHash))
    assert.strictEqual(body.Transaction.additionalInfo, "ação 🙂")
    assert.strictEqual(body.Subscription.Customer.name, "Ana")
  })

  it("has the same bytes for any order of the entities", () => {
    const { myId, svcPayId, ...rest } = transaction
    const again = write({ Subscription: subscription, Transaction: { ...rest, svcPayId, myId } as Transaction })
    assert.strictEqual(again, payload)
  })

  it("can have no entities", () => {
    const body = encodeMessage({
      event: "company.cashOut",
      webhookId: 1,
      confirmHash,
      payload: write({})
    })
    assert.strictEqual(
      Result.getOrThrow(body),
      `{"event":"company.cashOut","webhookId":1,"confirmHash":"${Redacted.value(confirmHash)}"}`
    )
  })

  it("has only the keys of its schemas, with null for required keys without a value", () => {
    const more = { ...transaction, cvv: "123" }
    const written = JSON.parse(write({ Transaction: more })).Transaction
    assert.notProperty(written, "cvv")
    assert.notProperty(written, "tid")
    assert.deepInclude(written, { paydayDate: null, chargeMyId: null, ConciliationOccurrences: [] })
  })

  it("uses another naming profile, with null for every absent value", () => {
    const text = payloadWriter(galaxPay)({ Transaction: transaction })
    assert.notMatch(text, /svcPay/iu)
    assert.deepInclude(JSON.parse(text).Transaction, { galaxPayId: transaction.svcPayId, tid: null })
  })

  it("refuses an invalid envelope", () => {
    for (const [webhookId, text] of [
      [0, "{}"],
      [1.5, "{}"],
      [2 ** 53, "{}"],
      [1, "[]"],
      [1, ""]
    ] as const) {
      const body = encodeMessage({ event: "company.cashOut", webhookId, confirmHash, payload: text })
      assert.strictEqual(Result.getOrThrow(Result.flip(body)).part, text === "{}" ? "webhookId" : "payload")
    }
  })

  it.effect.prop(
    "is parsed to the same message",
    [MyId, Cents, Text, TransactionStatus],
    ([myId, value, additionalInfo, status]) =>
      Effect.gen(function* () {
        const written: Transaction = { ...transaction, myId, value, additionalInfo, status }
        const payload = write({ Transaction: written })
        const body = encodeMessage({ event: "chargeback.update", webhookId: 9, confirmHash, payload })
        const bytes = bytesOf(yield* Effect.fromResult(body))
        const message = yield* Effect.fromResult(Result.flatMap(parseBody(bytes), readMessage))
        const read = message.transaction!
        assert.deepStrictEqual([read.myId, read.value, read.status], [myId, value, status])
        assert.deepInclude(yield* Schema.decodeUnknownEffect(Transaction)(message.raw["Transaction"]), written)
      })
  )
})
