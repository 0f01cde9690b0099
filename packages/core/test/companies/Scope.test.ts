import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { grant, Scope, scopeText, words } from "../../src/companies/Scope.ts"

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

  it.each(all)("gives %s to whoever asks for it and may have it, alone and among all", (scope) => {
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

  it("gives all 21 when all are asked for", () => {
    assert.sameMembers([...grant(all, all)], [...all])
  })

  it("gives all but what moves money out when nothing is asked for", () => {
    assert.sameMembers(
      [...grant(all, [])],
      all.filter((scope) => scope !== "balance.write" && scope !== "pos.write")
    )
    assert.deepStrictEqual(grant(["balance.write", "pos.write"], []), [])
    assert.deepStrictEqual(grant(all, ["pos.write", "balance.write"]), ["balance.write", "pos.write"])
  })

  it("gives exactly what is asked for and allowed, whatever that is", () => {
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
  it("is whole where it fits, to the last character", () => {
    assert.strictEqual(scopeText([]), "")
    assert.strictEqual(scopeText(["plans.read", "webhooks.write"]), "plans.read webhooks.write")
    const fits = grant(all, all).slice(0, -1)
    for (let count = 0; count <= all.length; count++) {
      const scopes = fits.slice(0, count)
      const text = scopes.join(" ")
      if (text.length <= 255) assert.strictEqual(scopeText(scopes), text)
    }
    // Found by trying: these are 255 characters, and one word more is cut off whole.
    const most = grant(
      all.filter((scope) => scope !== "plans.write" && scope !== "card-brands.read"),
      all
    ).slice(0, -2)
    assert.strictEqual(most.join(" ").length, 255)
    assert.strictEqual(scopeText(most), most.join(" "))
    assert.strictEqual(scopeText([...most, "pos.write"]), most.join(" "))
  })

  it("is cut to whole words beyond 255 characters, and names nothing that was not granted", () => {
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
