import { assert, describe, it } from "@effect/vitest"
import { Cents } from "@parcela/core/money/Cents"
import { MyId } from "@parcela/core/values/Identifier"
import { Text } from "@parcela/core/values/Text"
import { Transaction } from "@parcela/core/transactions/Transaction"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { Effect, Redacted, Result, Schema } from "effect"
import { parseBody, readMessage } from "../src/ReceivedMessage.ts"
import { encodeMessage, encodePayload } from "../src/WebhookMessage.ts"
import { bodyOf, bytesOf, confirmHash, payload, subscription, transaction } from "./fixtures/Deliveries.ts"

describe("WebhookMessage", () => {
  it("writes the envelope first, then the entities", () => {
    const body = JSON.parse(bodyOf(42))
    assert.deepStrictEqual(Object.keys(body), ["event", "webhookId", "confirmHash", "Transaction", "Subscription"])
    assert.strictEqual(body.event, "transaction.updateStatus")
    assert.strictEqual(body.webhookId, 42)
    assert.strictEqual(body.confirmHash, Redacted.value(confirmHash))
    assert.strictEqual(body.Transaction.additionalInfo, "ação 🙂")
    assert.strictEqual(body.Subscription.Customer.name, "Ana")
  })

  it("writes the same bytes each time, in whatever order the entities were put together", () => {
    const { myId, svcPayId, ...rest } = transaction
    const again = encodePayload({ Subscription: subscription, Transaction: { ...rest, svcPayId, myId } as Transaction })
    assert.strictEqual(Result.getOrThrow(again), payload)
  })

  it("writes an event without entities", () => {
    const body = encodeMessage({
      event: "company.cashOut",
      webhookId: 1,
      confirmHash,
      payload: Result.getOrThrow(encodePayload({}))
    })
    assert.strictEqual(
      Result.getOrThrow(body),
      `{"event":"company.cashOut","webhookId":1,"confirmHash":"${Redacted.value(confirmHash)}"}`
    )
  })

  it("refuses what its schemas refuse, and drops what they do not know", () => {
    const encode = (fields: object) => encodePayload({ Transaction: { ...transaction, ...fields } as Transaction })
    assert.isTrue(Result.isFailure(encode({ status: "paid" })))
    assert.isTrue(Result.isFailure(encode({ value: 12.5 })))
    assert.notInclude(Result.getOrThrow(encode({ cvv: "123" })), "cvv")
  })

  it("refuses an envelope that could not be read", () => {
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
    "is read again as it was written",
    [MyId, Cents, Text, TransactionStatus],
    ([myId, value, additionalInfo, status]) =>
      Effect.gen(function* () {
        const written: Transaction = { ...transaction, myId, value, additionalInfo, status }
        const payload = yield* Effect.fromResult(encodePayload({ Transaction: written }))
        const body = encodeMessage({ event: "chargeback.update", webhookId: 9, confirmHash, payload })
        const bytes = bytesOf(yield* Effect.fromResult(body))
        const message = yield* Effect.fromResult(Result.flatMap(parseBody(bytes), readMessage))
        const read = message.transaction!
        assert.deepStrictEqual([read.myId, read.value, read.status], [myId, value, status])
        assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(Transaction)(message.raw["Transaction"]), written)
      })
  )
})
