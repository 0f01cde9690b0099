import { assert, describe, it } from "@effect/vitest"
import { MachineTime } from "@parcela/core/time/Instant"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { Effect, Option, Result } from "effect"
import { applyIfNewer, type Delivery, fromLeased, mask } from "../src/Delivery.ts"
import type { LeasedEntry } from "../src/Inbox.ts"
import { bodyOf, confirmHash } from "./fixtures/Deliveries.ts"

const leased: LeasedEntry = {
  sender: "shop",
  webhookId: 1,
  event: "transaction.updateStatus",
  subject: "transaction/77",
  receivedAt: MachineTime.make(0),
  body: mask(bodyOf(1), confirmHash),
  signedAt: 0,
  signature: "v1,AA==",
  attempts: 2,
  late: true
}

const read = (entry: LeasedEntry): Delivery => Result.getOrThrow(fromLeased(entry))

describe("Delivery", () => {
  it("is parsed from the stored body", () => {
    const { late, message, sender, attempts } = read(leased)
    assert.deepStrictEqual([sender, attempts, late], ["shop", 2, true])
    assert.deepStrictEqual([message.webhookId, message.transaction?.status], [1, "captured"])
    assert.notProperty(message.raw, "confirmHash")
  })

  it("is parsed with the naming profile of its sender", () => {
    const body = leased.body.replaceAll("svcPay", "galaxPay")
    const delivery = Result.getOrThrow(fromLeased({ ...leased, body }, galaxPay))
    assert.strictEqual(delivery.message.transaction?.svcPayId, 77)
  })

  it("is an error if the stored body is not a delivery", () => {
    assert.isTrue(Result.isFailure(fromLeased({ ...leased, body: "{" })))
  })

  it.effect("is applied if it is not late", () =>
    Effect.gen(function* () {
      const apply = Effect.succeed("applied")
      assert.deepStrictEqual(yield* applyIfNewer({ ...read(leased), late: false }, apply), Option.some("applied"))
      assert.deepStrictEqual(yield* applyIfNewer(read(leased), apply), Option.none())
    })
  )
})
