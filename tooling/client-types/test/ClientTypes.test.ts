import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { modules } from "../src/ClientTypes.ts"

const root = join(import.meta.dirname, "../../..")

describe("the generated types of the clients", () => {
  for (const [name, text] of modules()) {
    it(`${name} is what the contract says; if not, run npm run client-types`, () => {
      assert.strictEqual(readFileSync(join(root, name), "utf8"), text)
    })
  }

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
