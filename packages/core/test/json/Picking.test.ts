import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { picker } from "../../src/json/Picking.ts"
import { described, valueOrNull } from "../../src/values/Described.ts"
import { withoutNulls } from "../fixtures/Nulls.ts"
import { entities } from "../fixtures/Entities.ts"

const Part = Schema.Struct({ id: Schema.Int, name: Schema.optionalKey(Schema.String) })
const Whole = Schema.Struct({
  id: Schema.Int,
  note: described(Schema.optionalKey(Schema.String), "A note."),
  paidOn: valueOrNull(Schema.String, "A day."),
  Part: Schema.optionalKey(Part),
  Best: valueOrNull(Part, "A part."),
  Parts: Schema.Array(Part),
  words: Schema.Array(Schema.String)
})

const view = {
  id: 1,
  note: undefined,
  paidOn: undefined,
  Part: { id: 2, name: undefined, secret: "x" },
  Best: undefined,
  Parts: [
    { id: 3, name: "a" },
    { id: 4, other: 1 }
  ],
  words: ["b"],
  other: true
}

describe("picker", () => {
  it("picks what the schema has, null for what may be null, and leaves out what has no value", () => {
    assert.deepStrictEqual(picker(Whole)(view), {
      id: 1,
      paidOn: null,
      Part: { id: 2 },
      Best: null,
      Parts: [{ id: 3, name: "a" }, { id: 4 }],
      words: ["b"]
    })
  })

  it("writes null for everything without a value, at every depth, where it is to", () => {
    assert.deepStrictEqual<unknown>(picker(Whole, "null")({ ...view, Part: undefined }), {
      id: 1,
      note: null,
      paidOn: null,
      Part: null,
      Best: null,
      Parts: [
        { id: 3, name: "a" },
        { id: 4, name: null }
      ],
      words: ["b"]
    })
  })

  it("keeps values that are false, 0 or empty", () => {
    const Plain = Schema.Struct({ a: Schema.optionalKey(Schema.Boolean), b: Schema.Int, c: Schema.String })
    assert.deepStrictEqual(picker(Plain)({ a: false, b: 0, c: "" }), { a: false, b: 0, c: "" })
  })

  it("leaves what no schema says the fields of as it is", () => {
    const Open = Schema.Struct({ details: Schema.Record(Schema.String, Schema.Array(Schema.String)) })
    assert.deepStrictEqual(picker(Open)({ details: { "Card.number": ["is wrong"] } }), {
      details: { "Card.number": ["is wrong"] }
    })
  })

  for (const [name, schema] of Object.entries<Schema.Codec<object>>(entities)) {
    it.effect.prop(
      `changes nothing of a whole ${name}, and gives what its schema takes`,
      [schema],
      ([entity]) =>
        Effect.sync(() => {
          const picked = picker(schema)(entity as never)
          assert.deepStrictEqual(withoutNulls(picked), withoutNulls(entity))
          assert.isTrue(Schema.is(schema)(picked))
        }),
      { arbitrary: { runs: 20 } }
    )
  }
})
