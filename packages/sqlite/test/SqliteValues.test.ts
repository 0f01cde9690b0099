import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as NodeSqliteClient from "../src/NodeSqliteClient.ts"
import { bind, UnbindableValue } from "../src/Statements.ts"

// SQLite ends a text at the character 0, and half a surrogate pair is no text.
const Text = Schema.String.check(Schema.isPattern(/^[^\0\ud800-\udfff]*$/u))

const Int64 = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n }))

layer(NodeSqliteClient.layer({ filename: ":memory:" }))("SQLite values", (it) => {
  const roundTrip = Effect.fnUntraced(function* (type: string, value: unknown) {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`DROP TABLE IF EXISTS kept`
        yield* sql`CREATE TABLE kept (value ${sql.literal(type)}) STRICT`
        yield* sql`INSERT INTO kept ${sql.insert({ value })}`
        const rows = yield* sql<{ value: unknown; type: string }>`SELECT value, typeof(value) AS type FROM kept`
        return rows[0]!
      })
    )
  })

  it.effect.prop("return text unchanged in every script", [Text], ([text]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* roundTrip("TEXT", text)).value, text)
    })
  )

  it.effect.prop("return integers as numbers", [Schema.Int], ([number]) =>
    Effect.gen(function* () {
      const stored = yield* roundTrip("INTEGER", number)
      assert.isTrue(stored.value === number)
      assert.strictEqual(stored.type, "integer")
    })
  )

  it.effect.prop("return 64-bit integers exactly, as numbers or bigints", [Int64], ([integer]) =>
    Effect.gen(function* () {
      const { value } = yield* roundTrip("INTEGER", integer)
      assert.strictEqual(BigInt(value as number | bigint), integer)
      assert.strictEqual(typeof value, Number.isSafeInteger(Number(integer)) ? "number" : "bigint")
    })
  )

  it.effect.prop("return reals unchanged", [Schema.Finite], ([real]) =>
    Effect.gen(function* () {
      assert.isTrue((yield* roundTrip("REAL", real)).value === real)
    })
  )

  it.effect.prop("return bytes unchanged", [Schema.Uint8Array], ([bytes]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* roundTrip("BLOB", bytes)).value, bytes)
    })
  )

  it.effect("distinguish null, empty text, empty bytes and NUL characters", () =>
    Effect.gen(function* () {
      assert.isNull((yield* roundTrip("TEXT", null)).value)
      assert.strictEqual((yield* roundTrip("TEXT", "")).value, "")
      assert.strictEqual((yield* roundTrip("TEXT", "a\0b")).value, "a\0b")
      const bytes = yield* roundTrip("BLOB", new Uint8Array())
      assert.strictEqual(bytes.type, "blob")
    })
  )

  it.effect("are stored as 0 and 1 for booleans", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* roundTrip("INTEGER", true)).value, 1)
      assert.strictEqual((yield* roundTrip("INTEGER", false)).value, 0)
    })
  )

  it.effect("have no decimal point when an integer is written into text or JSON", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.strictEqual((yield* roundTrip("TEXT", 5)).value, "5")
      const rows = yield* sql<{ json: string }>`SELECT json_object('cents', ${1990}) AS json`
      assert.strictEqual(rows[0]!.json, `{"cents":1990}`)
    })
  )

  it.effect("are bigints for every integer under SafeIntegers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const query = sql`SELECT 5 AS small, 9007199254740993 AS large`
      const rows = yield* Effect.provideService(query, SqlClient.SafeIntegers, true)
      assert.deepStrictEqual({ ...rows[0] }, { small: 5n, large: 9007199254740993n })
      assert.deepStrictEqual({ ...(yield* query)[0] }, { small: 5, large: 9007199254740993n })
    })
  )

  it.effect("are not rounded for an integer above 2^53 in RETURNING or as row id", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE large (id INTEGER PRIMARY KEY) STRICT`
      const id = 2n ** 53n + 1n
      const rows = yield* sql`INSERT INTO large ${sql.insert({ id }).returning("id")}`
      assert.deepStrictEqual({ ...rows[0] }, { id })
      assert.deepStrictEqual(yield* sql`INSERT INTO large ${sql.insert({ id: id + 2n })}`.raw, {
        changes: 1,
        lastInsertRowid: id + 2n
      })
      assert.deepStrictEqual(yield* sql`SELECT id FROM large ORDER BY id`.values, [[id], [id + 2n]])
    })
  )

  it.effect("are refused with a typed error that names the parameter and not the value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const error = yield* Effect.flip(sql`SELECT ${"fine"}, ${undefined}`)
      assert.strictEqual(error.reason._tag, "UnknownError")
      assert.strictEqual(error.message, "Parameter 2 of the statement is undefined: write null for an absent value")
      assert.instanceOf(error.reason.cause, UnbindableValue)
    })
  )
})

describe("bind", () => {
  const refused: ReadonlyArray<readonly [name: string, value: unknown, problem: string]> = [
    ["a Date", new Date(0), "is a Date"],
    ["an object", { a: 1 }, "is an object"],
    ["an array", [1], "is an object"],
    ["another view of bytes", new Int8Array(1), "is an object"],
    ["NaN", Number.NaN, "is NaN"],
    ["a bigint past 64 bits", 2n ** 63n, "wider than 64 bits"],
    ["a bigint below 64 bits", -(2n ** 63n) - 1n, "wider than 64 bits"],
    ["a broken surrogate pair", "a\ud800", "broken surrogate"],
    ["a symbol", Symbol("s"), "is a symbol"]
  ]
  for (const [name, value, problem] of refused) {
    it(`refuses ${name}`, () => {
      const result = bind([1, value])
      assert.instanceOf(result, UnbindableValue)
      assert.strictEqual(result.parameter, 2)
      assert.include(result.message, problem)
    })
  }

  it("accepts infinity and the largest and smallest numbers of 64 bits", () => {
    const values = [Infinity, -Infinity, 2n ** 63n - 1n, -(2n ** 63n)]
    assert.deepStrictEqual(bind(values), values)
  })
})
