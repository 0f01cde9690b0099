import { assert, describe, it } from "@effect/vitest"
import { isReadingOf, lostIn } from "@parcela/test-world/Readings"
import { Effect, Redacted, Result, Schema } from "effect"
import * as fc from "fast-check"
import { CardOfTransaction, CardInput } from "../../src/cards/Card.ts"
import { Customer } from "../../src/customers/Customer.ts"
import { ErrorNode } from "../../src/errors/ErrorDetails.ts"
import { PaymentMethodCreditCardInput } from "../../src/paymentMethods/CardTerms.ts"
import { ListedTransaction } from "../../src/transactions/ListedTransaction.ts"
import { decoder, lenientDecoder, type UndecodedPart } from "../../src/json/LenientDecoder.ts"
import { Subscription } from "../../src/subscriptions/Subscription.ts"
import { Transaction, TransactionOfRetry } from "../../src/transactions/Transaction.ts"
import { entities } from "../fixtures/Entities.ts"
import { noisy } from "../fixtures/Noise.ts"
import { withoutNulls } from "../fixtures/Nulls.ts"

// A number whose last digits JavaScript loses when it parses the JSON.
const lossy: unknown = JSON.parse("9007199254740993")

const places = ({ undecoded }: { readonly undecoded: ReadonlyArray<UndecodedPart> }) =>
  undecoded.map(({ path }) => path)

describe("lenientDecoder", () => {
  const transaction = lenientDecoder(Transaction, "Transaction")
  const customer = lenientDecoder(Customer, "Customer")

  it("ignores unknown keys and keeps them in raw", () => {
    const json = { svcPayId: 1, newField: { a: 1 } }
    const read = transaction(json)
    assert.deepStrictEqual(read, { value: { svcPayId: 1 }, undecoded: [], raw: json })
    assert.strictEqual(read.raw, json)
  })

  it("accepts an unknown status", () => {
    const status: string | undefined = transaction({ status: "capturedLater" }).value.status
    assert.strictEqual(status, "capturedLater")
  })

  it("has no brands and open enums in its type", () => {
    const { value } = transaction({ status: "captured", payday: "2026-11-20", value: 100 })
    const typed: { status?: "captured" | (string & {}); payday?: string; value?: number } = {
      status: value.status ?? "",
      payday: value.payday ?? "",
      value: value.value ?? 0
    }
    assert.deepStrictEqual(typed, { status: "captured", payday: "2026-11-20", value: 100 })
  })

  it("treats null and missing values as absent", () => {
    assert.deepStrictEqual(transaction({ tid: null, AbecsReasonDenied: null, value: null }).value, {})
    assert.deepStrictEqual(transaction({ tid: null, AbecsReasonDenied: null, value: null }).undecoded, [])
  })

  it("lists a placeholder for an object without its text", () => {
    const read = transaction({ svcPayId: 1, CreditCard: "secret placeholder" })
    assert.deepStrictEqual(read.value, { svcPayId: 1 })
    assert.deepStrictEqual(read.undecoded, [{ path: "Transaction.CreditCard", found: "text", expected: "an object" }])
  })

  it.each<readonly [unknown, number | undefined]>([
    ["123", 123],
    ["0", 0],
    ["99999999999", 99_999_999_999],
    ["100000000000", undefined],
    ["0123", undefined],
    ["-1", undefined],
    ["1.0", undefined],
    ["12.5", undefined],
    ["1e2", undefined],
    [" 1", undefined],
    ["", undefined],
    ["R$ 1,00", undefined],
    ["0x10", undefined],
    [123, 123],
    [12.5, undefined],
    [lossy, undefined],
    [true, undefined],
    [[1], undefined],
    // Limits are not checked, so a whole number is returned unchanged.
    [100_000_000_000, 100_000_000_000],
    [-1, -1]
  ])("decodes %j in a field of cents as %s", (given, cents) => {
    const read = transaction({ value: given })
    assert.strictEqual(read.value.value, cents)
    assert.deepStrictEqual(places(read), cents === undefined ? ["Transaction.value"] : [])
  })

  it.each<readonly [unknown, string | undefined]>([
    ["abc", "abc"],
    ["", ""],
    [51, "51"],
    [0, "0"],
    [12.5, "12.5"],
    [-3, "-3"],
    [1e21, undefined],
    [1e-7, undefined],
    [lossy, undefined],
    [true, undefined],
    [["a"], undefined],
    [{}, undefined],
    ["x".repeat(300), "x".repeat(300)]
  ])("decodes %j in a text field as %j", (given, text) => {
    const read = transaction({ tid: given })
    assert.strictEqual(read.value.tid, text)
    assert.deepStrictEqual(places(read), text === undefined ? ["Transaction.tid"] : [])
  })

  it.each<readonly [unknown, boolean | undefined]>([
    [true, true],
    [false, false],
    ["true", true],
    ["false", false],
    [1, undefined],
    [0, undefined],
    ["1", undefined],
    ["yes", undefined],
    ["", undefined]
  ])("decodes %j in a boolean field as %s", (given, flag) => {
    const read = transaction({ payedOutsideSvcPay: given })
    assert.strictEqual(read.value.payedOutsideSvcPay, flag)
    assert.deepStrictEqual(places(read), flag === undefined ? ["Transaction.payedOutsideSvcPay"] : [])
  })

  it("returns the text of a date field unchanged", () => {
    assert.strictEqual(transaction({ payday: "20/11/2026" }).value.payday, "20/11/2026")
    assert.strictEqual(transaction({ statusDate: "" }).value.statusDate, "")
  })

  it("drops an invalid item of a list and keeps the others", () => {
    const read = customer({ phones: [11987654321, "n/a", "11912345678", null] })
    assert.deepStrictEqual(read.value.phones, [11987654321, 11912345678])
    assert.deepStrictEqual(places(read), ["Customer.phones[1]", "Customer.phones[3]"])
  })

  it("accepts one object or number for a list of one, but not text, which may be several joined values", () => {
    assert.deepStrictEqual(customer({ phones: 11987654321 }).value.phones, [11987654321])
    assert.deepStrictEqual(lenientDecoder(Subscription)({ Transactions: { svcPayId: 9 } }).value, {
      Transactions: [{ svcPayId: 9 }]
    })
    const read = customer({ emails: "a@example.com,b@example.com" })
    assert.deepStrictEqual(read.value, {})
    assert.deepStrictEqual(read.undecoded, [{ path: "Customer.emails", found: "text", expected: "a list" }])
  })

  it("refuses an object without any documented key as an item", () => {
    const read = lenientDecoder(Subscription)({ Transactions: { 0: { svcPayId: 1 }, 2: { svcPayId: 2 } } })
    assert.deepStrictEqual(read.value, {})
    assert.deepStrictEqual(places(read), ["Subscription.Transactions"])
  })

  it("accepts a list of one for an object, and reports paths in the list", () => {
    const read = lenientDecoder(Subscription, "Subscription")([{ svcPayId: 1, Customer: { phones: ["x"] } }])
    assert.deepStrictEqual(read.value, { svcPayId: 1, Customer: { phones: [] } })
    assert.deepStrictEqual(places(read), ["Subscription[0].Customer.phones[0]"])
    assert.deepStrictEqual(places(transaction({ Pix: [{}, {}] })), ["Transaction.Pix"])
    assert.deepStrictEqual(places(transaction({ Pix: [] })), ["Transaction.Pix"])
  })

  it.each([null, undefined, 1, "oops", true, [], [1, 2], "<html>"])(
    "returns nothing for %j as a whole response",
    (json) => {
      const read = transaction(json)
      assert.deepStrictEqual(read.value, {})
      assert.deepStrictEqual(places(read), ["Transaction"])
      assert.strictEqual(read.raw, json)
    }
  )

  it("decodes records, and uses their keys in paths", () => {
    const read = lenientDecoder(ErrorNode)({
      error: { message: 1, details: { "Card.number": ["is wrong"], __proto: [7, {}] } }
    })
    assert.deepStrictEqual(read.value, {
      error: { message: "1", details: { "Card.number": ["is wrong"], __proto: ["7"] } }
    })
    assert.deepStrictEqual(places(read), ["response.error.details.__proto[1]"])
    assert.deepStrictEqual(places(lenientDecoder(ErrorNode)({ error: { details: { "Card.number": "is wrong" } } })), [
      'response.error.details["Card.number"]'
    ])
    const odd: unknown = JSON.parse('{"error":{"details":{"__proto__":["x"]}}}')
    const details = lenientDecoder(ErrorNode)(odd).value.error?.details
    assert.strictEqual(JSON.stringify(details), '{"__proto__":["x"]}')
  })

  it("decodes a secret as Redacted, and never reports its value", () => {
    const token = lenientDecoder(Schema.Struct({ token: Schema.RedactedFromValue(Schema.NonEmptyString) }), "Token")
    const { value } = token({ token: "s3cret" })
    assert.strictEqual(value.token === undefined ? "" : Redacted.value(value.token), "s3cret")
    const missed = token({ token: ["s3cret", "s3cret"] }).undecoded
    assert.notInclude(JSON.stringify(missed), "s3cret")
    assert.strictEqual(missed[0]?.path, "Token.token")
    assert.deepStrictEqual(places(token({ token: "" })), ["Token.token"])
  })

  it("decodes recursive schemas", () => {
    interface Tree {
      readonly name: string
      readonly under: ReadonlyArray<Tree>
    }
    const Tree = Schema.Struct({
      name: Schema.String,
      under: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
    })
    const read = lenientDecoder(Tree, "Tree")({ name: 1, under: [{ name: "a", under: [{ name: {} }] }] })
    assert.deepStrictEqual(read.value, { name: "1", under: [{ name: "a", under: [{}] }] })
    assert.deepStrictEqual(places(read), ["Tree.under[0].under[0].name"])
  })

  it("selects the matching member of a union", () => {
    const read = lenientDecoder(
      Schema.Struct({
        id: Schema.Union([Schema.String, Schema.Int]),
        shape: Schema.Union([Schema.Struct({ radius: Schema.Int }), Schema.Struct({ side: Schema.Int })])
      })
    )
    assert.deepStrictEqual(read({ id: 5, shape: { side: "2" } }).value, { id: 5, shape: { side: 2 } })
    assert.deepStrictEqual(read({ id: "5", shape: { radius: 1 } }).value, { id: "5", shape: { radius: 1 } })
  })

  it("does not decode a new card as a reference to a card, and reports the ignored keys", () => {
    const read = lenientDecoder(CardInput, "Card")
    const card = { myId: "c", holder: "ANA", expiresAt: "2030-12", cvv: "123" }
    for (const number of ["4111-1111-1111-1111", "4111111111111112", 4111]) {
      const { undecoded, value } = read({ ...card, number })
      assert.property(value, "holder")
      assert.deepStrictEqual(
        undecoded.map(({ path }) => path),
        ["Card.number"]
      )
    }
    assert.deepStrictEqual(read({ myId: "c" }), { value: { myId: "c" }, undecoded: [], raw: { myId: "c" } })
    assert.deepStrictEqual(places(read({ myId: "c", svcPayId: 7 })), ["Card.svcPayId"])
    assert.deepStrictEqual(read({ myId: "c", svcPayId: null, more: 1 }).undecoded, [])
    assert.deepStrictEqual(places(read([{ myId: "c", svcPayId: 7 }])), ["Card[0].svcPayId"])
  })

  it("starts paths with the schema's identifier", () => {
    assert.deepStrictEqual(places(lenientDecoder(Customer.annotate({ identifier: "Payer" }))({ name: {} })), [
      "Payer.name"
    ])
  })
})

describe("decoder", () => {
  const decode = decoder(Schema.Struct({ Transaction, Subscription }), {
    Transaction: { svcPayId: true, status: true }
  })

  it("decodes a response with other errors, and reports them, if all required keys are present", () => {
    const { undecoded, value } = Result.getOrThrow(
      decode({ Transaction: { svcPayId: "7", status: "new", value: "-", CreditCard: "" }, Subscription: "-" })
    )
    assert.deepStrictEqual(value, { Transaction: { svcPayId: 7, status: "new" } })
    const id: number = value.Transaction.svcPayId
    assert.strictEqual(id, 7)
    assert.deepStrictEqual(places({ undecoded }), [
      "response.Transaction.value",
      "response.Transaction.CreditCard",
      "response.Subscription"
    ])
  })

  it.each<readonly [unknown, ReadonlyArray<string>]>([
    [{ Transaction: { svcPayId: 7 } }, ["response.Transaction.status"]],
    [{ Transaction: { svcPayId: null, status: [] } }, ["response.Transaction.svcPayId", "response.Transaction.status"]],
    [{ Transaction: "-" }, ["response.Transaction"]],
    [{}, ["response.Transaction"]],
    ["oops", ["response.Transaction"]]
  ])("fails for %j, and names the missing key", (json, missing) => {
    assert.deepStrictEqual(Result.getOrThrow(Result.flip(decode(json))).missing, missing)
  })

  it("requires the required keys in every item of a list", () => {
    const list = decoder(Schema.Struct({ items: Schema.Array(Transaction) }), { items: { svcPayId: true } }, "Page")
    assert.isTrue(Result.isSuccess(list({ items: [] })))
    assert.isTrue(Result.isSuccess(list({ items: [{ svcPayId: 1 }] })))
    const error = Result.getOrThrow(Result.flip(list({ items: [{ svcPayId: 1 }, { svcPayId: "-" }] })))
    assert.strictEqual(
      error.message,
      "Page.items[1].svcPayId is missing (Page.items[1].svcPayId is text, expected was an identifier of the service: a whole number from 1 to 99999999999)"
    )
  })

  it("fails if an item of a required list was dropped", () => {
    const list = decoder(Schema.Struct({ items: Schema.Array(Transaction) }), { items: { svcPayId: true } }, "Page")
    for (const items of [
      [{ svcPayId: 1 }, "-"],
      [null, { svcPayId: 1 }]
    ]) {
      assert.isTrue(Result.isFailure(list({ items })))
    }
  })
})

describe("responses of public deployments", () => {
  it("with a refusal contain an ABECS code as two characters or as a number", () => {
    const read = lenientDecoder(TransactionOfRetry)
    const retried = read({
      svcPayId: 70,
      status: "captured",
      statusDescription: "Capturada na Operadora",
      reasonDenied: "Saldo insuficiente",
      AbecsReasonDenied: { code: "51", message: "Saldo insuficiente" }
    })
    assert.deepStrictEqual(retried.undecoded, [])
    assert.strictEqual(retried.value.AbecsReasonDenied?.code, "51")
    assert.strictEqual(read({ AbecsReasonDenied: { code: 51 } }).value.AbecsReasonDenied?.code, "51")
    assert.deepStrictEqual(places(read({ AbecsReasonDenied: "" })), ["TransactionOfRetry.AbecsReasonDenied"])
  })

  it("with a payment link instead of a card are decoded", () => {
    const read = lenientDecoder(PaymentMethodCreditCardInput)({
      Link: { minInstallment: 1, maxInstallment: "12" },
      Card: null
    })
    assert.deepStrictEqual(read.value, { Link: { minInstallment: 1, maxInstallment: 12 } })
    assert.deepStrictEqual(read.undecoded, [])
  })

  it.each(["5451*********1515", "4716********4539"])("with the mask %s are decoded", (number) => {
    const read = lenientDecoder(CardOfTransaction)({ number, Brand: { id: "master", operatorIds: "getnet,cielo" } })
    assert.deepStrictEqual(read.value, { number, Brand: { id: "master", operatorIds: "getnet,cielo" } })
  })

  it("with phones as text, and a bank's number as a number, are decoded", () => {
    assert.deepStrictEqual(
      lenientDecoder(Customer)({ phones: ["3140201512", 31983890110] }).value.phones,
      [3140201512, 31983890110]
    )
    assert.strictEqual(
      lenientDecoder(ListedTransaction)({ Boleto: { bankNumber: "341" } }).value.Boleto?.bankNumber,
      341
    )
  })

  it("with subscription and charge as an object or a list are decoded", () => {
    const read = lenientDecoder(ListedTransaction, "Transaction")
    for (const Subscription of [{ svcPayId: 3 }, [{ svcPayId: 3 }]]) {
      assert.deepStrictEqual(read({ Subscription }).value, { Subscription: { svcPayId: 3 } })
    }
    assert.deepStrictEqual(read({ Charge: [{ svcPayId: 4, status: "closed" }] }).value.Charge, {
      svcPayId: 4,
      status: "closed"
    })
  })

  it("with fields beyond the interface are decoded", () => {
    const json = {
      svcPayId: 1,
      periodicity: "monthly",
      quantity: 0,
      ExtraFields: [{ tagName: "SELLER", tagValue: "7" }],
      Contract: { acceptedAt: null, pdf: "https://example.com/c.pdf" },
      Split: { type: "percent", value: 1000 }
    }
    const read = lenientDecoder(Subscription)(json)
    assert.deepStrictEqual(read.undecoded, [])
    assert.deepStrictEqual(read.value, { ...json, Contract: { pdf: "https://example.com/c.pdf" } })
  })
})

describe("for any response", () => {
  const readers = Object.entries<Schema.Codec<object, unknown>>(entities).map(
    ([name, schema]) => [name, schema, lenientDecoder(schema, name)] as const
  )

  for (const [name, schema, read] of readers) {
    it.effect.prop(
      `${name} is decoded as it was encoded, and noise adds no values and is reported`,
      [schema, Schema.Int],
      ([entity, seed]) =>
        Effect.gen(function* () {
          const written = yield* Schema.encodeUnknownEffect(schema)(entity)
          assert.deepStrictEqual<unknown>(read(written), { value: withoutNulls(written), undecoded: [], raw: written })
          const json = noisy(written, seed)
          const { raw, undecoded, value } = read(json)
          assert.strictEqual(raw, json)
          const isWhole = typeof json === "object" && json !== null && (!Array.isArray(json) || json.length === 1)
          assert.isTrue(isWhole ? isReadingOf(value, json) : Object.keys(value).length === 0, JSON.stringify(json))
          // The keys of an error's details are arbitrary, so this oracle cannot predict their paths.
          if (isWhole && name !== "ErrorNode") assert.deepStrictEqual(lostIn(value, json, name, undecoded), [])
        }),
      { arbitrary: { runs: 40 } }
    )
  }

  it("never throws and never invents values, for any JSON", () => {
    const names = [...new Set(Object.values(entities).flatMap((schema) => Object.keys(schema.fields)))]
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom("12", "true", "active", 7, 0, -1, Infinity, null),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string()), tie("json"), {
          maxKeys: 12
        })
      )
    }))
    fc.assert(
      fc.property(json, (given) => {
        for (const [name, , read] of readers) {
          const { raw, undecoded, value } = read(given)
          assert.strictEqual(raw, given)
          assert.isTrue(Object.keys(value).length === 0 || isReadingOf(value, given), name)
          for (const { path } of undecoded) assert.isTrue(path.startsWith(name))
        }
      }),
      { numRuns: 300 }
    )
  })
})
