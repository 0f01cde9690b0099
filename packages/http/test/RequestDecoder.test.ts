import { assert, describe, it } from "@effect/vitest"
import { entityOf } from "@parcela/http/RequestDecoder"
import { Effect } from "effect"

describe("the identifier of a path", () => {
  it.effect.each([
    ["7", "svcPayId", { typeId: "svcPayId", id: 7 }],
    ["7", "myId", { typeId: "myId", id: "7" }],
    ["a/b c", "myId", { typeId: "myId", id: "a/b c" }],
    ["😀".repeat(255), "myId", { typeId: "myId", id: "😀".repeat(255) }]
  ] as const)("is read from %s by its kind %s", ([id, typeId, ref]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* entityOf({ transactionId: id, typeId }), ref)
    })
  )

  it.effect.each([
    ["0", "svcPayId", "Transaction.svcPayId"],
    ["1e3", "svcPayId", "Transaction.svcPayId"],
    [" 7", "svcPayId", "Transaction.svcPayId"],
    ["123456789012", "svcPayId", "Transaction.svcPayId"],
    ["á".repeat(256), "myId", "Transaction.myId"]
  ] as const)("is refused as %s of kind %s, under the name of the field", ([id, typeId, field]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(entityOf({ transactionId: id, typeId }))
      assert.deepStrictEqual(Object.keys(error.details ?? {}), [field])
    })
  )
})
