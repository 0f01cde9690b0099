import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaIssue } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { AddPayment } from "../../src/transactions/PaymentRequests.ts"
import { CreateManualSubscription } from "../../src/subscriptions/Subscription.ts"
import { EditWebhooks } from "../../src/webhooks/EditWebhooks.ts"
import { type ErrorDetails, detailsOf } from "../../src/errors/ErrorDetails.ts"
import { EntityRef } from "../../src/values/Identifier.ts"
import { plain } from "../../src/errors/ExpectedValue.ts"
import { LocalDate } from "../../src/time/LocalDate.ts"
import { int } from "../../src/values/Text.ts"

const faults = <A>(schema: Schema.ConstraintDecoder<A>, input: unknown, entity = "Root"): ErrorDetails =>
  Result.match(Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(input), {
    onFailure: ({ issue }) => detailsOf(issue, entity),
    onSuccess: () => ({})
  })
const problem = (schema: Schema.ConstraintDecoder<unknown>, input: unknown) =>
  faults(Schema.Struct({ field: schema }), { field: input })["Root.field"]

describe("the words", () => {
  it.each([
    ["text", Schema.String, 1, "must be text"],
    ["text of a certain form", LocalDate, 1, "must be text"],
    ["the form", LocalDate, "x", "must be a date written YYYY-MM-DD"],
    ["the meaning", LocalDate, "2026-02-30", "must be a day that exists in the calendar"],
    ["a number", Schema.Finite, "1", "must be a number"],
    ["a whole number", Schema.Int, 1.5, "must be a whole number"],
    [
      "a whole number that is too large to be exact",
      int(30),
      2 ** 99,
      "must be a whole number from 0 to 9007199254740991"
    ],
    ["a number in an address", Schema.toCodecStringTree(Schema.Int), "x", "must be a number"],
    ["yes or no", Schema.Boolean, "true", "must be true or false"],
    ["an object", Schema.Struct({ a: Schema.optionalKey(Schema.String) }), 5, "must be an object"],
    ["a list", Schema.Array(Schema.String), "a", "must be a list"],
    [
      "a word of several",
      Schema.Literals(["creditcard", "boleto", "pix"]),
      "x",
      "must be one of creditcard, boleto, pix"
    ],
    ["a word of several, by kind", Schema.Literals(["a", "b"]), 5, "must be one of a, b"],
    ["one word", Schema.Literal("days"), "x", "must be days"],
    ["one of one", Schema.Literals(["days"]), "x", "must be days"],
    ["either kind", Schema.Union([Schema.String, Schema.Finite]), true, "must be text or a number"],
    ["or nothing", Schema.NullOr(Schema.Boolean), 1, "must be true or false or null"],
    ["objects that a field tells apart", EntityRef, 4, "must be an object whose typeId is one of svcPayId, myId"],
    ["what has no words of its own", Schema.Date, 1, "must be a value of another type"]
  ] as const)("%s", (_, schema, input, expected) => {
    assert.deepStrictEqual(problem(schema as Schema.ConstraintDecoder<unknown>, input), [expected])
  })
})

describe("the library's words", () => {
  /** Every phrase that the library's sources can put into a message, with 7 for each inserted value. */
  const phrases = ["Schema", "SchemaAST", "SchemaGetter", "SchemaIssue", "SchemaTransformation"].flatMap((module) =>
    Array.from(
      readFileSync(fileURLToPath(import.meta.resolve(`effect/${module}`)), "utf8").matchAll(
        /expected: (?:"([^"]+)"|`([^`]+)`)|"(Expected [^"]+)"|`(Expected [^`]+)`/gu
      ),
      (found) => found.slice(1).find((phrase) => phrase !== undefined)!
    )
  )
  const sayable = phrases.map((phrase) => phrase.replace(/\$\{[^}]*\}/gu, "7").replace(/^Expected /u, ""))

  it("are all replaced", () => {
    assert.isAbove(sayable.length, 90)
    for (const phrase of sayable) {
      const said = plain(phrase)
      assert.match(said, /^[a-z0-9][^<>{}|"`]*$/u, phrase)
      assert.notMatch(
        said,
        /\b(string|array|decoded|RegExp|schema|excess|member|property|template|ReadonlyMap|code points)\b/iu,
        phrase
      )
    }
  })

  it("are replaced in every kind of issue, without any part of the value", () => {
    const said = (issue: SchemaIssue.Issue) => Object.values(detailsOf(issue, "Root")).flat()
    const leaves = [
      new SchemaIssue.InvalidValue(undefined, "secret"),
      new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }, "secret"),
      new SchemaIssue.InvalidType(Schema.Date.ast, "secret"),
      new SchemaIssue.Forbidden(undefined, "secret"),
      new SchemaIssue.UnexpectedKey(Schema.String.ast, "secret")
    ]
    assert.deepStrictEqual(
      leaves.map((leaf) => said(leaf)[0]),
      [
        "must be a value of another type",
        "must be valid JSON",
        "must be a value of another type",
        "is not allowed here",
        "is not a field here"
      ]
    )
  })

  it("are not confused with our own messages", () => {
    for (const ours of ["text", "an e-mail address", "at most 255 characters", "a CPF or CNPJ", "3 or 4 digits"]) {
      assert.strictEqual(plain(ours), ours)
    }
  })
})

describe("the location of a problem", () => {
  it("is the request's entity at the top level, and its body if nothing matches", () => {
    assert.deepStrictEqual(faults(AddPayment, 5, "Transaction"), { "Transaction.body": ["must be an object"] })
    assert.deepStrictEqual(faults(Schema.Struct({ a: Schema.String }), {}, "Token"), { "Token.a": ["is required"] })
  })

  it("is the innermost entity and its field", () => {
    const schema = Schema.Struct({ Customer: Schema.Struct({ Address: Schema.Struct({ state: Schema.String }) }) })
    assert.deepStrictEqual(faults(schema, { Customer: { Address: {} } }), { "Address.state": ["is required"] })
    assert.deepStrictEqual(faults(schema, { Customer: {} }), { "Customer.Address": ["is required"] })
    assert.deepStrictEqual(faults(schema, {}), { "Root.Customer": ["is required"] })
  })

  it("counts the items of a list from one", () => {
    const schema = Schema.Struct({ phones: Schema.Array(Schema.Int) })
    assert.deepStrictEqual(faults(schema, { phones: [1, "2", 3, "4"] }), {
      "Root.phones": ["item 2: must be a number", "item 4: must be a number"]
    })
  })

  it("begins with the list and the index from 0 in a list of entities", () => {
    const Address = Schema.Struct({ state: Schema.String })
    const schema = Schema.Struct({
      customers: Schema.Array(Schema.Struct({ Address, phones: Schema.Array(Schema.Int) }))
    })
    const right = { Address: { state: "GO" }, phones: [] }
    assert.deepStrictEqual(faults(schema, { customers: [right, { Address: {}, phones: ["1"] }, 5] }), {
      "customers[1].Address.state": ["is required"],
      "customers[1].phones": ["item 1: must be a number"],
      "Root.customers": ["item 3: must be an object"]
    })
  })

  it("names the entity inside a list, not the item", () => {
    const schema = Schema.Struct({ Transactions: Schema.Array(Schema.Struct({ value: Schema.Int })) })
    assert.deepStrictEqual(faults(schema, { Transactions: [{ value: 1 }, {}, {}] }), {
      "Transactions.value": ["is required"]
    })
    assert.deepStrictEqual(faults(schema, { Transactions: [5] }), {
      "Root.Transactions": ["item 1: must be an object"]
    })
  })
})

describe("an unknown key", () => {
  const keysFor = (body: object) =>
    Object.keys(faults(Schema.Struct({ a: Schema.optionalKey(Schema.String) }), body, "Transaction"))

  it("is reported as Entity.field, for any key", () => {
    assert.deepStrictEqual(keysFor({ surprise: 1, "": 1, "a.b": 1, "a\nb": 1, "Ação-1": 1 }), [
      "Transaction.surprise",
      'Transaction.""',
      'Transaction."a.b"',
      'Transaction."a\\nb"',
      "Transaction.Ação-1"
    ])
    const [long = ""] = keysFor({ ["x".repeat(100_000)]: 1 })
    assert.isBelow(long.length, 300)
  })

  it("names the right object for a field that clients often send in the wrong one", () => {
    const body = { myId: "a", mainPaymentMethodId: "pix", Customer: {}, Transactions: [] }
    assert.deepStrictEqual(faults(CreateManualSubscription, body, "Subscription"), {
      "Subscription.Transactions": [
        "a manual subscription has no Transactions: add payments with POST /transactions/{subscriptionId}/{typeId}/add"
      ]
    })
  })
})

describe("the problems of a value", () => {
  it("are reported all at once, each under its location", () => {
    const body = {
      mainPaymentMethodId: "card",
      additionalInfo: 4,
      surprise: 1,
      Customer: { emails: "a", phones: ["1", 2, -3], document: "1", Address: 5, nope: 1 },
      PaymentMethodCreditCard: { Card: "x" },
      PaymentMethodPix: { Deadline: { type: "weeks", value: 1.5 } }
    }
    assert.deepStrictEqual(faults(CreateManualSubscription, body, "Subscription"), {
      "Subscription.surprise": ["is not a field here"],
      "Subscription.myId": ["is required"],
      "Subscription.mainPaymentMethodId": ["must be one of creditcard, boleto, pix"],
      "Subscription.additionalInfo": ["must be text"],
      "Customer.nope": ["is not a field here"],
      "Customer.document": ["must have 11 (CPF) or 14 (CNPJ) digits"],
      "Customer.emails": ["must be a list"],
      "Customer.phones": ["item 1: must be a number", "item 3: must be a whole number from 0 to 99999999999"],
      "Customer.Address": ["must be an object"],
      "PaymentMethodCreditCard.Card": ["must be an object"],
      "Deadline.type": ["must be one of days, minutes"],
      "Deadline.value": ["must be a whole number from 1 to 99999999999"]
    })
  })

  it("are those of the union member that was meant", () => {
    const body = { myId: "a", value: 1, payday: "2026-11-21" }
    const withCard = (Card: object) => faults(AddPayment, { ...body, PaymentMethodCreditCard: { Card } }, "Transaction")
    assert.deepStrictEqual(withCard({ number: "1", holder: "ANA", cvv: "12", expiresAt: "2030-12" }), {
      "Card.number": ["must be a card number of 13 to 19 digits, without dots"],
      "Card.cvv": ["must have 3 or 4 digits"]
    })
    assert.deepStrictEqual(withCard({ svcPayId: 0 }), {
      "Card.svcPayId": ["must be an identifier of the service: a whole number from 1 to 99999999999"]
    })
    assert.deepStrictEqual(withCard({ myId: "" }), { "Card.myId": ["must have at least one character"] })
  })

  it('say "have" for counts and "be" for everything else, including amounts', () => {
    const expecting = (expected: string) =>
      faults(Schema.Struct({ a: Schema.String.check(Schema.isPattern(/^x$/u, { expected })) }), { a: "" })["Root.a"]
    for (const counted of [
      "at least one character",
      "at most 20 e-mail addresses",
      "1 to 255 visible ASCII characters",
      "3 or 4 digits",
      "11 (CPF) or 14 (CNPJ) digits",
      "two digits",
      "one price for each payment method and number of instalments"
    ]) {
      assert.deepStrictEqual(expecting(counted), [`must have ${counted}`])
    }
    for (const other of [
      "at least one cent",
      "one of creditcard, boleto, pix",
      "a whole number of 1 to 11 digits",
      "at most 5",
      "digits only, without punctuation",
      "11"
    ]) {
      assert.deepStrictEqual(expecting(other), [`must be ${other}`])
    }
  })

  it("contain the same message for a location only once", () => {
    const twice = Schema.Union([
      Schema.Struct({ a: Schema.String, b: Schema.String }),
      Schema.Struct({ a: Schema.String })
    ])
    assert.deepStrictEqual(faults(twice, { a: 1 }), { "Root.a": ["must be text"] })
  })

  it("never contain the value, which may be a secret", () => {
    const secret = "4111111111111112"
    const Card = { number: secret, holder: 5, cvv: "12345", expiresAt: "x" }
    const said = JSON.stringify(faults(AddPayment, { PaymentMethodCreditCard: { Card }, [secret.slice(0, 4)]: 1 }))
    assert.notInclude(said, secret)
    assert.notInclude(said, "12345")
  })

  it("list at most 100 problems per field, in time proportional to their number", () => {
    const phones = Array.from({ length: 50_000 }, () => "x")
    const problems = faults(Schema.Struct({ phones: Schema.Array(Schema.Int) }), { phones }, "Customer")[
      "Customer.phones"
    ]!
    assert.strictEqual(problems.length, 101)
    assert.strictEqual(problems[0], "item 1: must be a number")
    assert.strictEqual(problems[100], "and 49900 more like these")
  })
})

describe("one mistake gets one sentence", () => {
  const payment = { myId: "a", value: 1, payday: "2026-11-21" }

  it.each([
    [-5, "must be at least one cent"],
    [12.5, "must be an amount in cents: a whole number from 0 to 99999999999"],
    [0, "must be at least one cent"],
    ["12990", "must be a number: cents, 12990 for R$ 129,90"],
    ["129,90", "must be a number: cents, 12990 for R$ 129,90"]
  ])("for the amount %j", (value, expected) => {
    assert.deepStrictEqual(faults(AddPayment, { ...payment, value }, "Transaction"), {
      "Transaction.value": [expected]
    })
  })

  it.each([
    ["4111.1111.1111.1111", "must be a card number of 13 to 19 digits, without dots"],
    ["4111111111111112", "must be a card number with a valid check digit; a digit is wrong"]
  ])("for the card number %j", (number, expected) => {
    const Card = { number, holder: "ANA", cvv: "123", expiresAt: "2030-12" }
    assert.deepStrictEqual(faults(AddPayment, { ...payment, PaymentMethodCreditCard: { Card } }), {
      "Card.number": [expected]
    })
  })

  it.each(["nada", "", "localhost:8142", "ftp://hooks.example.com/"])(
    "for the address %j, which names the right beginning",
    (url) => {
      assert.deepStrictEqual(faults(EditWebhooks, { url, events: [] }, "Webhook"), {
        "Webhook.url": ["must be an address that starts with http:// or https://, such as http://127.0.0.1:8142/"]
      })
    }
  )
})
