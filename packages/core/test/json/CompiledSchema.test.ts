import { assert, describe, it } from "@effect/vitest"
import { CreateCharge } from "../../src/charges/Charge.ts"
import { CreateManualSubscription, CreateSubscription } from "../../src/subscriptions/Subscription.ts"
import { AddPayment } from "../../src/transactions/PaymentRequests.ts"
import { CardState } from "../../src/cards/CardDecider.ts"
import { ChargeState } from "../../src/charges/ChargeState.ts"
import { CompanyState } from "../../src/companies/CompanyState.ts"
import { CustomerState } from "../../src/customers/CustomerState.ts"
import { PlanState } from "../../src/plans/PlanDecider.ts"
import { LocalDate } from "../../src/time/LocalDate.ts"
import { SubscriptionState } from "../../src/subscriptions/SubscriptionState.ts"
import { TransactionState } from "../../src/transactions/TransactionState.ts"
import { Option, Result, Schema, SchemaGetter } from "effect"
import { isDeepStrictEqual } from "node:util"
import { compiledCheck } from "../../src/json/CompiledSchema.ts"

const states: Readonly<Record<string, Schema.Codec<object>>> = {
  CardState,
  ChargeState,
  CompanyState,
  CustomerState,
  PlanState,
  SubscriptionState,
  TransactionState
}

const bodies: Readonly<Record<string, Schema.Codec<object, unknown>>> = {
  AddPayment,
  CreateManualSubscription,
  CreateSubscription,
  CreateCharge
}

const worse: ReadonlyArray<unknown> = [
  undefined,
  null,
  -1,
  1.5,
  Number.NaN,
  "",
  "\u0000",
  "x".repeat(5_000),
  true,
  [],
  {},
  [{}],
  "captured"
]

/** All objects with fields within a value. */
const objectsIn = (value: unknown): ReadonlyArray<object> =>
  typeof value !== "object" || value === null
    ? []
    : [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)]

/** The value with one field of one object changed, added or removed. */
const spoilt = (value: object, place: number, what: number): object => {
  const copy = structuredClone(value)
  const objects = objectsIn(copy)
  const object = objects[place % objects.length]!
  const names = [...Object.keys(object), "unknown"]
  const name = names[what % names.length]!
  if (what % (worse.length + 1) === worse.length) Reflect.deleteProperty(object, name)
  else Reflect.set(object, name, worse[what % (worse.length + 1)])
  return copy
}

const number = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 }))

describe("compiledCheck", () => {
  for (const [name, schema] of Object.entries(states)) {
    const fits = compiledCheck(schema)
    const encode = Schema.encodeUnknownResult(schema)
    const isSame = (value: object) => {
      const encoded = encode(value)
      return Result.isSuccess(encoded) && isDeepStrictEqual(encoded.success, value)
    }

    it.prop(`accepts a valid ${name}`, [schema], ([state]) => {
      assert.isTrue(fits(state))
    })

    it.prop(
      `accepts a changed ${name} exactly if its schema does`,
      [schema, number, number],
      ([state, place, what]) => {
        const other = spoilt(state, place, what)
        assert.strictEqual(fits(other), isSame(other), JSON.stringify(other))
      }
    )
  }

  for (const [name, schema] of Object.entries(bodies)) {
    const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
    const encode = Schema.encodeUnknownSync(schema)
    const fits = compiledCheck(schema)

    it.prop(
      `accepts a body of ${name} only if its schema decodes the body unchanged`,
      [schema, number, number],
      ([command, place, what]) => {
        const body = encode(command)
        for (const given of [body, spoilt(Object(body), place, what)]) {
          const read = decode(given)
          const isSame = Result.isSuccess(read) && isDeepStrictEqual(read.success, given)
          assert.isTrue(isSame || !fits(given), JSON.stringify(given))
        }
      }
    )
  }

  it("compares bounds, lengths and declared types like the schema's own checks", () => {
    const { Finite, isBetween, isBetweenCodePoints, isInt, isMaxCodePoints, Number: Any, String } = Schema
    const bounds = { minimum: 1, maximum: 3 }
    const checked = [
      Any.check(isInt()),
      Finite.check(isBetween(bounds)),
      Any.check(isBetween({ ...bounds, exclusiveMinimum: true })),
      Any.check(isBetween({ ...bounds, exclusiveMaximum: true })),
      String.check(isMaxCodePoints(3)),
      String.check(isBetweenCodePoints(2, 3)),
      Schema.declare((value): value is "ab" => value === "ab"),
      LocalDate
    ]
    const numbers = [NaN, -Infinity, -1, -0, 0, 1, 2.5, 3, 4, 2 ** 53, Infinity]
    const texts = ["", "ab", "abc", "abcd", "😀😀", "😀😀😀", "😀😀😀a", "2026-02-28", "2026-02-30", "2026-02-28 "]
    for (const [place, schema] of checked.entries()) {
      const isOf = Schema.is(Schema.make<Schema.Schema<unknown>>(schema.ast))
      for (const value of [...numbers, ...texts, null]) {
        assert.strictEqual(compiledCheck(schema)(value), isOf(value), `${value} by the schema at ${place}`)
      }
    }
  })

  it("accepts bodies with fields in any order", () => {
    assert.isTrue(compiledCheck(AddPayment)({ payday: "2027-01-10", value: 1990, myId: "p" }))
    const Customer = { emails: ["ana@example.com"], document: "52998224725", name: "Ana", myId: "ana" }
    assert.isTrue(compiledCheck(CreateManualSubscription)({ Customer, mainPaymentMethodId: "pix", myId: "s" }))
  })

  it("refuses an absent field that the schema would fill in", () => {
    const level = Schema.optionalKey(Schema.Int).pipe(
      Schema.decodeTo(Schema.optionalKey(Schema.Int), {
        decode: SchemaGetter.transformOptional((given) => Option.orElseSome(given, () => 1)),
        encode: SchemaGetter.passthrough()
      })
    )
    assert.isFalse(compiledCheck(Schema.Struct({ level }))({}))
    const secret = Schema.optionalKey(Schema.RedactedFromValue(Schema.String))
    assert.isTrue(compiledCheck(Schema.Struct({ secret }))({}))
    assert.isFalse(compiledCheck(Schema.Struct({ secret }))({ secret: "s" }))
  })

  it("accepts a later member of a union only if no earlier member matches", () => {
    const { FiniteFromString, Int, Literal, Literals, String, Struct, Union } = Schema
    const text = Struct({ at: String })
    const texts = Struct({ at: String, on: String })
    const number = Struct({ at: FiniteFromString })
    const read = [
      [Union([FiniteFromString, String]), "1"],
      [Union([number, text]), { at: "1" }],
      [Union([Struct({ at: Schema.optionalKey(String) }), texts]), { at: "1", on: "2" }],
      [Union([text, texts]), { at: "1", on: "2" }],
      [Union([Union([Int, number]), text]), { at: "1" }],
      [Union([Struct({}), String]), "1"]
    ] as const
    for (const [schema, value] of read) assert.isFalse(compiledCheck(schema)(value), JSON.stringify(value))
    const paid = Struct({ status: Literals(["paid", "late"]) })
    const unread = [
      [Union([number, String]), "1"],
      [Union([Struct({ holder: String, number: FiniteFromString }), Struct({ id: Int })]), { id: 1 }],
      [Union([paid, Struct({ status: Literal("open") })]), { status: "open" }]
    ] as const
    for (const [schema, value] of unread) assert.isTrue(compiledCheck(schema)(value), JSON.stringify(value))
  })

  it("refuses values of a schema with an encoding", () => {
    assert.isFalse(compiledCheck(Schema.Struct({ at: Schema.FiniteFromString }))({ at: 1 }))
    assert.isFalse(compiledCheck(Schema.Record(Schema.String, Schema.String))({}))
  })
})
