import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { grant, Scope, scopeText, words } from "../../src/companies/Scope.ts"

const all = Scope.literals

describe("Scope", () => {
  it("has the interface's 21 scopes, which exceed the length of the scope field", () => {
    assert.strictEqual(all.length, 21)
    assert.strictEqual(all.join(" ").length, 308)
  })
})

describe("grant", () => {
  it("returns the scopes that are both requested and allowed", () => {
    assert.deepStrictEqual(grant(["customers.read", "webhooks.write"], ["webhooks.write", "plans.read"]), [
      "webhooks.write"
    ])
  })

  it("returns nothing if no requested scope is allowed", () => {
    assert.deepStrictEqual(grant(["customers.read"], ["plans.read"]), [])
    assert.deepStrictEqual(grant([], []), [])
  })

  it("returns all allowed scopes if none is requested", () => {
    assert.deepStrictEqual(grant(["customers.read", "subscriptions.read"], []), [
      "subscriptions.read",
      "customers.read"
    ])
  })

  it("ignores unknown scopes, in upper and lower case", () => {
    assert.deepStrictEqual(grant(all, ["openid", "CUSTOMERS.READ"]), [])
    assert.deepStrictEqual(grant(all, ["openid", "customers.read"]), ["customers.read"])
  })

  it("returns each scope once, most needed first, in any order of the request", () => {
    assert.deepStrictEqual(grant(all, ["pos.write", "customers.read", "subscriptions.write", "customers.read"]), [
      "subscriptions.write",
      "customers.read",
      "pos.write"
    ])
  })

  it.each(all)("returns the allowed scope %s if it is requested, alone and among all", (scope) => {
    assert.deepStrictEqual(grant([scope], [scope]), [scope])
    assert.deepStrictEqual(grant(all, [scope]), [scope])
    assert.include(grant(all, all), scope)
    assert.notInclude(
      grant(
        all.filter((other) => other !== scope),
        all
      ),
      scope
    )
  })

  it("returns all 21 scopes if all are requested", () => {
    assert.sameMembers([...grant(all, all)], [...all])
  })

  it("omits scopes that withdraw money if no scope is requested", () => {
    assert.sameMembers(
      [...grant(all, [])],
      all.filter((scope) => scope !== "balance.write" && scope !== "pos.write")
    )
    assert.deepStrictEqual(grant(["balance.write", "pos.write"], []), [])
    assert.deepStrictEqual(grant(all, ["pos.write", "balance.write"]), ["balance.write", "pos.write"])
  })

  it("returns exactly the requested and allowed scopes for any input", () => {
    fc.assert(
      fc.property(fc.subarray([...all]), fc.subarray([...all], { minLength: 1 }), (allowed, asked) => {
        assert.sameMembers(
          [...grant(allowed, asked)],
          all.filter((scope) => allowed.includes(scope) && asked.includes(scope))
        )
      })
    )
  })
})

describe("scopeText", () => {
  it("is complete if it fits, up to the last character", () => {
    assert.strictEqual(scopeText([]), "")
    assert.strictEqual(scopeText(["plans.read", "webhooks.write"]), "plans.read webhooks.write")
    const fits = grant(all, all).slice(0, -1)
    for (let count = 0; count <= all.length; count++) {
      const scopes = fits.slice(0, count)
      const text = scopes.join(" ")
      if (text.length <= 255) assert.strictEqual(scopeText(scopes), text)
    }
    // Found by search: these scopes have 255 characters; a further scope is omitted as a whole.
    const most = grant(
      all.filter((scope) => scope !== "plans.write" && scope !== "card-brands.read"),
      all
    ).slice(0, -2)
    assert.strictEqual(most.join(" ").length, 255)
    assert.strictEqual(scopeText(most), most.join(" "))
    assert.strictEqual(scopeText([...most, "pos.write"]), most.join(" "))
  })

  it("is cut to whole scopes above 255 characters, and contains only granted scopes", () => {
    fc.assert(
      fc.property(fc.subarray([...all], { minLength: 15 }), (asked) => {
        const granted = grant(all, asked)
        const text = scopeText(granted)
        assert.isAtMost(text.length, 255)
        assert.deepStrictEqual(words(text), granted.slice(0, words(text).length))
        const next = granted[words(text).length]
        if (next !== undefined) assert.isAbove(`${text} ${next}`.length, 255)
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
