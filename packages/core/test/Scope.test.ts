import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { grant, Scope, words } from "../src/Scope.ts"

const all = Scope.literals

describe("Scope", () => {
  it("has the interface's 21 scopes, which are too long for its own field", () => {
    assert.strictEqual(all.length, 21)
    assert.strictEqual(all.join(" ").length, 308)
  })
})

describe("grant", () => {
  it("gives what is asked for and allowed", () => {
    assert.deepStrictEqual(grant(["customers.read", "webhooks.write"], ["webhooks.write", "plans.read"]), [
      "webhooks.write"
    ])
  })

  it("gives nothing when they have nothing in common", () => {
    assert.deepStrictEqual(grant(["customers.read"], ["plans.read"]), [])
    assert.deepStrictEqual(grant([], []), [])
  })

  it("gives all that is allowed when nothing is asked for", () => {
    assert.deepStrictEqual(grant(["customers.read", "subscriptions.read"], []), [
      "subscriptions.read",
      "customers.read"
    ])
  })

  it("does not know words that are no scopes, in either capitals", () => {
    assert.deepStrictEqual(grant(all, ["openid", "CUSTOMERS.READ"]), [])
    assert.deepStrictEqual(grant(all, ["openid", "customers.read"]), ["customers.read"])
  })

  it("gives each once, most needed first, however it is asked", () => {
    assert.deepStrictEqual(grant(all, ["pos.write", "customers.read", "subscriptions.write", "customers.read"]), [
      "subscriptions.write",
      "customers.read",
      "pos.write"
    ])
  })

  it("leaves catalogues out when all do not fit, from pos.write up", () => {
    const granted = grant(all, [])
    assert.strictEqual(granted.join(" ").length, 246)
    assert.deepStrictEqual(
      all.filter((scope) => !granted.includes(scope)),
      ["card-brands.read", "payment-methods.read", "pos.write", "releases.read"]
    )
  })

  it("gives a catalogue that is asked for by name", () => {
    assert.deepStrictEqual(grant(all, ["pos.write", "releases.read"]), ["releases.read", "pos.write"])
  })

  it("fills the field to its last character and no further", () => {
    const lengthWithout = (left: Scope) =>
      grant(
        all.filter((scope) => scope !== left),
        []
      ).join(" ").length
    // What is left without `plans.write` has room for ` payment-methods.read`; `plans.read` is a character shorter.
    assert.strictEqual(lengthWithout("plans.write"), 255)
    assert.strictEqual(lengthWithout("plans.read"), 235)
  })

  it("always fits into the token answer, and holds nothing that was not asked for and allowed", () => {
    fc.assert(
      fc.property(fc.subarray([...all]), fc.subarray([...all]), (allowed, asked) => {
        const granted = grant(allowed, asked)
        assert.isAtMost(granted.join(" ").length, 255)
        assert.isTrue(
          granted.every((scope) => allowed.includes(scope) && (asked.length === 0 || asked.includes(scope)))
        )
        assert.strictEqual(new Set(granted).size, granted.length)
      })
    )
  })
})

describe("words", () => {
  it.each([
    [undefined, []],
    ["", []],
    ["  \n ", []],
    ["customers.read", ["customers.read"]],
    [" customers.read   plans.read\tx\n", ["customers.read", "plans.read", "x"]]
  ])("%j", (text, expected) => {
    assert.deepStrictEqual(words(text), expected)
  })
})
