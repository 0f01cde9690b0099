import { assert, describe, it } from "@effect/vitest"
import { EpochMillis } from "@parcela/core/EpochMillis"
import type { Received } from "@parcela/webhooks/Receiver"
import { parseBody, readMessage } from "@parcela/webhooks/ReceivedMessage"
import { Result } from "effect"
import { stripVTControlCharacters } from "node:util"
import { jsonLine, textLine } from "../src/Lines.ts"
import { bodyOf, confirmHash } from "./fixtures/Deliveries.ts"

const received = (body: string | object, _tag: Received["_tag"] = "New"): Received => ({
  _tag,
  message: Result.getOrThrow(
    Result.flatMap(
      parseBody(new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))),
      readMessage
    )
  ),
  receivedAt: EpochMillis.make(1_785_585_600_000)
})

const text = (fields: object, tag?: Received["_tag"]) =>
  textLine(received({ event: "company.cashOut", webhookId: 1, ...fields }, tag), false)

describe("textLine", () => {
  it("says when, what, which payment, its status and its amount", () => {
    assert.strictEqual(
      textLine(received(bodyOf(42)), false),
      "2026-08-01 09:00:00  transaction.updateStatus  #42  pay-1 (svcPayId 77)  captured  R$ 1.234,56"
    )
  })

  it("leaves out what did not come", () => {
    assert.strictEqual(text({}), "2026-08-01 09:00:00  company.cashOut  #1")
    assert.strictEqual(text({ Transaction: {} }), "2026-08-01 09:00:00  company.cashOut  #1  without id")
    assert.strictEqual(text({ Transaction: { svcPayId: 7 } }), "2026-08-01 09:00:00  company.cashOut  #1  svcPayId 7")
    assert.strictEqual(
      text({ Transaction: { myId: "a", value: -1, status: "new" } }),
      "2026-08-01 09:00:00  company.cashOut  #1  a  new"
    )
    assert.strictEqual(
      text({ Subscription: [{ myId: "s" }] }),
      "2026-08-01 09:00:00  company.cashOut  #1  subscription s"
    )
  })

  it("is quiet about a repetition", () => {
    assert.strictEqual(text({}, "Repeated"), "2026-08-01 09:00:00  company.cashOut  #1  repeated, not new")
  })

  it("colours without changing what it says", () => {
    for (const status of ["captured", "denied", "pendingPix", "cancel", "unheard-of"]) {
      for (const tag of ["New", "Repeated"] as const) {
        const delivery = received({ event: "e", webhookId: 1, Transaction: { myId: "a", status } }, tag)
        const coloured = textLine(delivery, true)
        assert.notStrictEqual(coloured, textLine(delivery, false))
        assert.strictEqual(stripVTControlCharacters(coloured), textLine(delivery, false))
      }
    }
  })

  it("lets a sender neither move the cursor nor forge a line", () => {
    const line = text({
      event: "a\u001b[2J\u202eb\nc",
      Transaction: { myId: `x\r\u2028${"y".repeat(200)}`, status: "\u0007" }
    })
    assert.match(line, /a\?\[2J\?b\?c {2}#1 {2}x\?\?y{76}… {2}\?$/)
    assert.notMatch(line, /[\p{C}\u2028]/u)
  })
})

describe("jsonLine", () => {
  it("is one line of what programs ask for, without confirmHash and card data", () => {
    const line = jsonLine(received(bodyOf(42)))
    assert.deepStrictEqual(JSON.parse(line), {
      receivedAt: "2026-08-01T12:00:00.000Z",
      event: "transaction.updateStatus",
      webhookId: 42,
      transaction: { svcPayId: 77, myId: "pay-1", status: "captured", value: 123456 }
    })
    assert.notInclude(line, confirmHash)
    assert.notInclude(line, "4111")
    assert.notInclude(jsonLine(received({ event: "a\nb", webhookId: 1 })), "\n")
  })
})
