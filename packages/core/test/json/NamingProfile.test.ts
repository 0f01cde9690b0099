import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import { galaxPay, profile, ServiceName, svcPay } from "../../src/json/NamingProfile.ts"

const name = (text: string) => ServiceName.make(text)

describe("toWire and fromWire", () => {
  const ours = {
    svcPayId: 1,
    payedOutsideSvcPay: false,
    subscriptionSvcPayId: 2,
    additionalInfo: "svcPayId of SvcPay",
    Customer: { svcPayId: 3, ExtraFields: [{ tagName: "svcPayId", tagValue: "svcPay" }] },
    InvoiceConfig: { svcPaySubAccountId: 4 },
    Transactions: [{ svcPayId: 5, status: "svcPay" }],
    error: { message: "svcPayId is wrong", details: { "Transaction.svcPayId": ["svcPayId must be a number"] } }
  }
  const theirs = {
    galaxPayId: 1,
    payedOutsideGalaxPay: false,
    subscriptionGalaxPayId: 2,
    additionalInfo: "svcPayId of SvcPay",
    Customer: { galaxPayId: 3, ExtraFields: [{ tagName: "svcPayId", tagValue: "svcPay" }] },
    InvoiceConfig: { galaxPaySubAccountId: 4 },
    Transactions: [{ galaxPayId: 5, status: "svcPay" }],
    error: { message: "svcPayId is wrong", details: { "Transaction.galaxPayId": ["svcPayId must be a number"] } }
  }

  it("rename keys at every depth and leave values unchanged, in both directions", () => {
    assert.deepStrictEqual(galaxPay.toWire(ours), theirs)
    assert.deepStrictEqual(galaxPay.fromWire(theirs), ours)
  })

  it("leave keys unchanged that already contain the other name", () => {
    assert.deepStrictEqual(galaxPay.toWire({ galaxPayId: 1 }), { galaxPayId: 1 })
    assert.deepStrictEqual(galaxPay.fromWire({ svcPayId: 1 }), { svcPayId: 1 })
    assert.deepStrictEqual(galaxPay.toWire({ svcPayOfGalaxPay: 1 }), { svcPayOfGalaxPay: 1 })
  })

  it("swap the names of two colliding keys, so that no value is lost and the inverse exists", () => {
    const both = { svcPayId: "ours", galaxPayId: "theirs" }
    assert.deepStrictEqual(galaxPay.toWire(both), { galaxPayId: "ours", svcPayId: "theirs" })
    assert.deepStrictEqual(galaxPay.fromWire(galaxPay.toWire(both)), both)
    // galaxPayId in a response is the identifier, whatever other field is named svcPayId there.
    assert.deepStrictEqual(galaxPay.fromWire({ galaxPayId: 7, svcPayId: 8 }), { svcPayId: 7, galaxPayId: 8 })
  })

  it("rename a typeId value that is exactly the service's, and no other text", () => {
    assert.deepStrictEqual(galaxPay.toWire({ typeId: "svcPayId" }), { typeId: "galaxPayId" })
    assert.deepStrictEqual(galaxPay.fromWire({ typeId: "galaxPayId" }), { typeId: "svcPayId" })
    assert.deepStrictEqual(galaxPay.toWire({ typeId: "myId" }), { typeId: "myId" })
    assert.deepStrictEqual(galaxPay.toWire({ typeId: "svcPayIds", myId: "svcPayId" }), {
      typeId: "svcPayIds",
      myId: "svcPayId"
    })
  })

  it("match the name only as a whole word", () => {
    assert.deepStrictEqual(galaxPay.toWire({ svcPayment: 1, xsvcPay: 2, SvcPayer: 3 }), {
      svcPayment: 1,
      xsvcPay: 2,
      SvcPayer: 3
    })
  })

  it("keep a key named __proto__ a plain key", () => {
    const json: unknown = JSON.parse('{"__proto__":{"svcPayId":1}}')
    assert.strictEqual(JSON.stringify(galaxPay.toWire(json)), '{"__proto__":{"galaxPayId":1}}')
  })

  it("preserve the order of keys", () => {
    assert.deepStrictEqual(Object.keys(galaxPay.toWire({ b: 1, svcPayId: 2, a: 3 }) as object), [
      "b",
      "galaxPayId",
      "a"
    ])
  })

  it("accept JSON deeper than the call stack", () => {
    let json: unknown = { svcPayId: 1 }
    for (let depth = 0; depth < 200_000; depth += 1) json = [json]
    let renamed = galaxPay.toWire(json)
    while (Array.isArray(renamed)) renamed = renamed[0]
    assert.deepStrictEqual(renamed, { galaxPayId: 1 })
  })

  it("change nothing in the interface's own profile", () => {
    assert.deepStrictEqual(svcPay.toWire(ours), ours)
    assert.deepStrictEqual(svcPay.fromWire(ours), ours)
  })

  const names = ["svcPayId", "subscriptionSvcPayId", "svcPayIds", "Transaction.svcPayId", "svcPay", "SvcPay", "svcPay2"]
  const jsonOf = (key: fc.Arbitrary<string>) =>
    fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 0 }),
        fc.constantFrom("svcPayId", "svcPay"),
        fc.array(tie("json"), { maxLength: 4 }),
        fc.dictionary(key, tie("json"), { maxKeys: 5 })
      )
    })).json

  it.each(["galaxPay", "acme", "pagIt2", "x9"])("restore any JSON that contains no name of %s", (service) => {
    const there = profile(name(service))
    const key = fc
      .oneof(fc.constantFrom(...names, "typeId"), fc.string())
      .filter((text) => !text.toLowerCase().includes(service.toLowerCase()))
    fc.assert(
      fc.property(jsonOf(key), (json) => {
        assert.deepStrictEqual(there.fromWire(there.toWire(json)), json)
      }),
      { numRuns: 300 }
    )
  })

  it("restore any JSON in which every name of the service collides", () => {
    const pair = fc.tuple(fc.jsonValue({ maxDepth: 0 }), fc.jsonValue({ maxDepth: 0 }))
    fc.assert(
      fc.property(pair, ([ours, theirs]) => {
        const json = { svcPayId: ours, other: 1, galaxPayId: theirs }
        assert.deepStrictEqual(galaxPay.fromWire(galaxPay.toWire(json)), json)
      })
    )
  })
})

describe("toWireName and fromWireName", () => {
  it.each([
    ["svcPayId", "galaxPayId"],
    ["svcPayIds", "galaxPayIds"],
    ["customerSvcPayIds", "customerGalaxPayIds"],
    ["payedOutsideSvcPay", "payedOutsideGalaxPay"],
    ["Transaction.svcPayId", "Transaction.galaxPayId"],
    ["myId", "myId"]
  ])("rename %s to %s", (ours, theirs) => {
    assert.strictEqual(galaxPay.toWireName(ours), theirs)
    assert.strictEqual(galaxPay.fromWireName(theirs), ours)
  })
})

describe("toWirePath and fromWirePath", () => {
  it.each([
    ["/transactions/7/svcPayId/retry", "/transactions/7/galaxPayId/retry"],
    ["/transactions/pay-1/myId/retry", "/transactions/pay-1/myId/retry"],
    ["/subscriptions/7/svcPayId", "/subscriptions/7/galaxPayId"],
    ["/webhooks", "/webhooks"],
    [
      "/transactions?svcPayIds=1,2&subscriptionSvcPayIds=3&startAt=0",
      "/transactions?galaxPayIds=1,2&subscriptionGalaxPayIds=3&startAt=0"
    ],
    ["/transactions?myIds=svcPayId&x", "/transactions?myIds=svcPayId&x"],
    // An identifier chosen by the client may be any text.
    ["/transactions/svcPayId/myId/retry", "/transactions/svcPayId/myId/retry"],
    ["/transactions/svcPayId/svcPayId/retry", "/transactions/svcPayId/galaxPayId/retry"]
  ])("rename %s to %s", (ours, theirs) => {
    assert.strictEqual(galaxPay.toWirePath(ours), theirs)
    assert.strictEqual(galaxPay.fromWirePath(theirs), ours)
  })

  it("swap colliding names of a query as in JSON", () => {
    const path = "/customers?svcPayIds=1&galaxPayIds=2"
    assert.strictEqual(galaxPay.fromWirePath(path), "/customers?galaxPayIds=1&svcPayIds=2")
  })
})

describe("a sentence", () => {
  it.each([
    ["must be one of svcPayId, myId", "must be one of galaxPayId, myId"],
    ["Transaction.svcPayId: no transaction has that", "Transaction.galaxPayId: no transaction has that"],
    [
      "svcPayIds, subscriptionSvcPayId and payedOutsideSvcPay",
      "galaxPayIds, subscriptionGalaxPayId and payedOutsideGalaxPay"
    ],
    ["a svcPayment is another word", "a svcPayment is another word"],
    // Text in quotes was sent by the client.
    ['"svcPayId" is already in use: svcPayId', '"svcPayId" is already in use: galaxPayId'],
    ["nothing", "nothing"]
  ])("converts %s to %s and back", (ours, theirs) => {
    assert.strictEqual(galaxPay.toWireSentence(ours), theirs)
    assert.strictEqual(galaxPay.fromWireSentence(theirs), ours)
  })
})

describe("ServiceName", () => {
  it.each(["galaxPay", "acme", "svcPay", "pay2go"])("accepts %s", (text) => {
    assert.isTrue(Schema.is(ServiceName)(text))
  })

  it.each(["", "Pay", "galax-pay", "galax.*", "svc", "pay", "svcpay", "mySvcPay", "svcPays", "x".repeat(51)])(
    "refuses %j",
    (text) => {
      assert.isFalse(Schema.is(ServiceName)(text))
    }
  )
})
