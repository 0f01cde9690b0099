import { assert, describe, it } from "@effect/vitest"
import { CardState } from "@parcela/core/cards/CardState"
import { ChargeState } from "@parcela/core/charges/ChargeState"
import { CompanyState } from "@parcela/core/companies/CompanyState"
import { CustomerState } from "@parcela/core/customers/CustomerState"
import { PlanState } from "@parcela/core/plans/PlanState"
import { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { TransactionState } from "@parcela/core/transactions/TransactionState"
import { Result, Schema } from "effect"
import { isDeepStrictEqual } from "node:util"
import { fitting } from "../../src/internal/Fitting.ts"

const states: Readonly<Record<string, Schema.Codec<object>>> = {
  CardState,
  ChargeState,
  CompanyState,
  CustomerState,
  PlanState,
  SubscriptionState,
  TransactionState
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

/** Every object within a value that has fields. */
const objectsIn = (value: unknown): ReadonlyArray<object> =>
  typeof value !== "object" || value === null
    ? []
    : [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)]

/** The value with one field of one of its objects changed, added or taken away. */
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

describe("fitting", () => {
  for (const [name, schema] of Object.entries(states)) {
    const fits = fitting(schema)
    const encode = Schema.encodeUnknownResult(schema)
    const isSame = (value: object) => {
      const encoded = encode(value)
      return Result.isSuccess(encoded) && isDeepStrictEqual(encoded.success, value)
    }

    it.prop(`takes a ${name} as it stands`, [schema], ([state]) => {
      assert.isTrue(fits(state))
    })

    it.prop(
      `takes another thing than a ${name} where its schema does, and nothing else`,
      [schema, number, number],
      ([state, place, what]) => {
        const other = spoilt(state, place, what)
        assert.strictEqual(fits(other), isSame(other), JSON.stringify(other))
      }
    )
  }

  it("leaves a schema that encodes something to the schema", () => {
    assert.isFalse(fitting(Schema.Struct({ at: Schema.FiniteFromString }))({ at: 1 }))
    assert.isFalse(fitting(Schema.Record(Schema.String, Schema.String))({}))
  })
})
