import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { galaxPay, svcPay } from "@parcela/core/json/NamingProfile"
import type { Delivery } from "@parcela/webhooks/Delivery"
import { parseBody, readMessage } from "@parcela/webhooks/ReceivedMessage"
import { Result } from "effect"
import { stripVTControlCharacters } from "node:util"
import { jsonLine, repeatedLine, textLine } from "../src/Lines.ts"
import { bodyOf, confirmHash } from "./fixtures/Deliveries.ts"

const received = (body: string | object, more?: Partial<Delivery>): Delivery => ({
  sender: "shop",
  late: false,
  attempts: 1,
  ...more,
  message: Result.getOrThrow(
    Result.flatMap(
      parseBody(new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))),
      readMessage
    )
  ),
  receivedAt: MachineTime.make(1_785_585_600_000)
})

const plain = { colour: false, columns: Infinity, naming: svcPay }

const text = (fields: object, more?: Partial<Delivery>) =>
  textLine(received({ event: "company.cashOut", webhookId: 1, ...fields }, more), plain)

describe("textLine", () => {
  it("contains time, event, number, payment, status and amount", () => {
    assert.strictEqual(
      textLine(received(bodyOf(42)), plain),
      "2026-08-01 09:00:00  transaction.updateStatus  #42  pay-1 (svcPayId 77)  captured  R$ 1.234,56"
    )
  })

  it("is shortened to the time of day and one id for a terminal of 80 columns", () => {
    assert.strictEqual(
      textLine(received(bodyOf(42)), { ...plain, columns: 80 }),
      "09:00:00  transaction.updateStatus  #42  pay-1  captured  R$ 1.234,56"
    )
  })

  it("contains only the end of a long id for a terminal of 80 columns", () => {
    const myId = "01980f2e-5b9e-7c3a-9d1c-4f2a6b8e0d17"
    const fields = { event: "subscription.addTransaction", webhookId: 1234 }
    const paid = { ...fields, Transaction: { myId, status: "pendingBoleto", value: 123_456 } }
    for (const colour of [false, true]) {
      const line = textLine(received(paid, { late: true }), { ...plain, colour, columns: 80 })
      assert.strictEqual(
        stripVTControlCharacters(line),
        "09:00:00  subscription.addTransaction  #1234  …b8e0d17  pendingBoleto  R$ 1.234,56  late"
      )
    }
    const added = { ...fields, Subscription: { myId } }
    assert.lengthOf(textLine(received(added), { ...plain, columns: 80 }), 80)
    assert.include(textLine(received(paid), { ...plain, columns: 130 }), myId)
  })

  it("names the id with the naming profile of the sender", () => {
    assert.include(textLine(received(bodyOf(42)), { ...plain, naming: galaxPay }), "pay-1 (galaxPayId 77)")
  })

  it("leaves out absent values", () => {
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

  it("is dim for a repeated delivery", () => {
    const repeated = { ...received({ event: "company.cashOut", webhookId: 1 }), _tag: "Repeated" as const }
    const line = "2026-08-01 09:00:00  company.cashOut  #1  repeated, not new"
    assert.strictEqual(repeatedLine(repeated, plain), line)
    assert.strictEqual(stripVTControlCharacters(repeatedLine(repeated, { ...plain, colour: true })), line)
    assert.strictEqual(repeatedLine(repeated, { ...plain, columns: 80 }), line.slice("2026-08-01 ".length))
  })

  it("ends with late after a newer delivery and with again for a repeated attempt", () => {
    assert.strictEqual(text({}, { late: true }), "2026-08-01 09:00:00  company.cashOut  #1  late")
    assert.strictEqual(text({}, { attempts: 2 }), "2026-08-01 09:00:00  company.cashOut  #1  again")
  })

  it("has the same text with and without colours", () => {
    for (const status of ["captured", "denied", "pendingPix", "cancel", "unheard-of"]) {
      for (const late of [true, false]) {
        const delivery = received({ event: "e", webhookId: 1, Transaction: { myId: "a", status } }, { late })
        const coloured = textLine(delivery, { ...plain, colour: true })
        assert.notStrictEqual(coloured, textLine(delivery, plain))
        assert.strictEqual(stripVTControlCharacters(coloured), textLine(delivery, plain))
      }
    }
  })

  it("replaces control characters of the sender", () => {
    const line = text({
      event: "a\u001b[2J\u202eb\nc",
      Transaction: { myId: `x\r\u2028${"y".repeat(200)}`, status: "\u0007" }
    })
    assert.match(line, /a\?\[2J\?b\?c {2}#1 {2}x\?\?y{76}… {2}\?$/)
    assert.notMatch(line, /[\p{C}\u2028]/u)
  })
})

describe("jsonLine", () => {
  it("is one line of JSON without confirmHash and card data", () => {
    const line = jsonLine(received(bodyOf(42)), svcPay)
    assert.deepStrictEqual(JSON.parse(line), {
      receivedAt: "2026-08-01T12:00:00.000Z",
      sender: "shop",
      event: "transaction.updateStatus",
      webhookId: 42,
      transaction: { svcPayId: 77, myId: "pay-1", status: "captured", value: 123456 }
    })
    assert.notInclude(line, confirmHash)
    assert.notInclude(line, "4111")
    assert.notInclude(jsonLine(received({ event: "a\nb", webhookId: 1 }), svcPay), "\n")
    const late = JSON.parse(jsonLine(received(bodyOf(42), { late: true, attempts: 3 }), svcPay))
    assert.deepStrictEqual([late.late, late.attempts], [true, 3])
  })
})

describe("a line of either form", () => {
  it("uses only names of the sender's naming profile", () => {
    const owner = { svcPayId: 1, myId: "s", status: "active" }
    const ids = { svcPayId: 4, subscriptionSvcPayId: 1, chargeSvcPayId: 2, payedOutsideSvcPay: true }
    for (const entities of [{ Transaction: ids, Subscription: owner }, { Subscription: owner }, { Charge: owner }]) {
      const delivery = received({ event: "transaction.updateStatus", webhookId: 1, ...entities })
      const own = textLine(delivery, plain) + jsonLine(delivery, svcPay)
      const other = textLine(delivery, { ...plain, naming: galaxPay }) + jsonLine(delivery, galaxPay)
      assert.notMatch(own, /galaxPay/iu)
      assert.notMatch(other, /svcPay/iu)
      assert.strictEqual(other, galaxPay.toWireName(own))
    }
  })
})
