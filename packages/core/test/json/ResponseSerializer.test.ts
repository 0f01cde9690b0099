import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type NullFields, serializer } from "../../src/json/ResponseSerializer.ts"
import { described, valueOrNull } from "../../src/values/Fields.ts"
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

/** Writes a view and parses the result. */
const picked = <S extends Schema.Top>(schema: S, view: unknown, nulls?: NullFields): unknown =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(serializer(schema, nulls)(view as never)))

describe("serializer", () => {
  it("writes the fields of the schema, null for nullable fields, and omits other fields without a value", () => {
    assert.deepStrictEqual(picked(Whole, view), {
      id: 1,
      paidOn: null,
      Part: { id: 2 },
      Best: null,
      Parts: [{ id: 3, name: "a" }, { id: 4 }],
      words: ["b"]
    })
  })

  it("writes null for texts without a value only, at every depth, if the option is set", () => {
    assert.deepStrictEqual(picked(Whole, { ...view, Part: undefined }, "texts"), {
      id: 1,
      note: null,
      paidOn: null,
      Parts: [
        { id: 3, name: "a" },
        { id: 4, name: null }
      ],
      words: ["b"]
    })
  })

  it("writes fields in the order of the schema, for any order of the view and any length of names", () => {
    const names = ["a", "b".repeat(4), "c".repeat(5), "d".repeat(6), "e".repeat(12), "f".repeat(13), "é€", "g"]
    const write = serializer(
      Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Schema.Int)])))
    )
    const orders = [
      names,
      names.toReversed(),
      ["other", "g", "a", "é€", "more"],
      ["g", "other"],
      ["b".repeat(4), "g", "x"]
    ]
    for (const order of orders) {
      const view = Object.fromEntries(order.map((name) => [name, names.indexOf(name)]))
      const shown = Object.fromEntries(names.flatMap((name) => (name in view ? [[name, view[name]]] : [])))
      assert.strictEqual(new TextDecoder().decode(write(view)), JSON.stringify(shown))
    }
  })

  it("writes values that are false, 0 or empty", () => {
    const Plain = Schema.Struct({ a: Schema.optionalKey(Schema.Boolean), b: Schema.Int, c: Schema.String })
    assert.deepStrictEqual(picked(Plain, { a: false, b: 0, c: "" }), { a: false, b: 0, c: "" })
  })

  it("writes values unchanged if the schema does not define their fields", () => {
    const Open = Schema.Struct({ details: Schema.Record(Schema.String, Schema.Array(Schema.String)) })
    assert.deepStrictEqual(picked(Open, { details: { "Card.number": ["is wrong"] } }), {
      details: { "Card.number": ["is wrong"] }
    })
  })

  it("escapes texts and writes numbers like JSON.stringify", () => {
    const Texts = Schema.Struct({ texts: Schema.Array(Schema.String), numbers: Schema.Array(Schema.Number) })
    const texts = [
      "",
      "São Paulo, 1 €",
      'a "b" \\ /',
      "\u0000\u001f\u007f\n",
      "\u0080\u07ff",
      "\u0800",
      "\u2028",
      "😀",
      "\ud83d half"
    ]
    const numbers = [0, -0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 7, -1, 1.5, -1e21, 2 ** 53, NaN, Infinity]
    const view = { texts, numbers }
    assert.strictEqual(new TextDecoder().decode(serializer(Texts)(view)), JSON.stringify(view))
  })

  it("writes a shared object in each item, with the fields that the item's schema selects", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"] as const
    const Many = Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.Int])))
    const Few = Schema.Struct(Object.fromEntries(names.slice(1).map((name) => [name, Schema.Int])))
    const Item = Schema.Struct({ id: Schema.Int, Many, Few, Other: Many })
    const many = Object.fromEntries(names.map((name, index) => [name, index]))
    const other = { ...many, a: 9 }
    const { a: _, ...few } = many
    const page = [
      { id: 1, Many: many, Few: many, Other: other },
      { id: 2, Many: other, Few: few, Other: many },
      { id: 3, Many: many, Few: many, Other: many }
    ]
    const shown = page.map((item) => ({ ...item, Few: few }))
    assert.deepStrictEqual(picked(Schema.Array(Item), page), shown)
    // Shared objects are forgotten after each page; the objects of the next page have other values.
    const write = serializer(Schema.Array(Item))
    const before = write(page)
    many["a"] = 5
    assert.notDeepEqual(write(page), before)
  })

  it("writes a page larger than all before it, and the next page into its own bytes", () => {
    const write = serializer(Schema.Array(Schema.String))
    const large = Array.from({ length: 3_000 }, (_, index) => `${index} ${"é".repeat(300)}`)
    const first = write(large)
    const second = write(["b"])
    assert.strictEqual(new TextDecoder().decode(first), JSON.stringify(large))
    assert.strictEqual(new TextDecoder().decode(second), '["b"]')
  })

  it("writes a field at any position relative to the end of the buffer", () => {
    const large = serializer(Schema.Array(Schema.String))
    const write = serializer(Schema.Struct({ digits: Schema.Array(Schema.Int), afterwards: Schema.Boolean }))
    // The initial buffer, to which the serializer returns after a page above the maximum.
    const first = 65_536
    for (let length = first - 24; length <= first; length++) {
      large(["a".repeat(1_100_000)])
      // A digit with its comma is two bytes; longer texts would enlarge the buffer earlier.
      const digits = Array.from({ length: (length - '{"digits":['.length) >> 1 }, () => 1)
      const view = { digits: length % 2 === 0 ? digits : [11, ...digits.slice(1)], afterwards: true }
      assert.strictEqual(new TextDecoder().decode(write(view)), JSON.stringify(view))
    }
  })

  it("returns bytes that no later write changes", () => {
    const write = serializer(Schema.Array(Schema.String))
    const texts = ["a", "b", "c"].map((sign) => [sign.repeat(102_400)])
    const pages = texts.map(write)
    assert.deepStrictEqual(
      pages.map((page) => new TextDecoder().decode(page)),
      texts.map((text) => JSON.stringify(text))
    )
  })

  for (const [name, schema] of Object.entries<Schema.Codec<object>>(entities)) {
    it.effect.prop(
      `writes a complete ${name} unchanged, in a form that its schema accepts`,
      [schema],
      ([entity]) =>
        Effect.sync(() => {
          const read = picked(schema, entity)
          assert.deepStrictEqual(withoutNulls(read), withoutNulls(entity))
          assert.isTrue(Schema.is(schema)(read))
        }),
      { arbitrary: { runs: 20 } }
    )
  }
})
