import { assert, describe, it } from "@effect/vitest"
import { modules } from "../src/ClientTypes.ts"

describe("the generated types of the clients", () => {
  it("document every operation and every field of a request", () => {
    for (const text of modules().values()) {
      assert.match(
        text,
        /\/\*\*[^/]*Adds one payment\.[^/]*\*\/\n {2}readonly add: \(subscription: Ref, body: AddPayment/
      )
      assert.include(text, "  /** Price, in cents, at least 1. */\n  readonly value: number")
    }
  })
})
