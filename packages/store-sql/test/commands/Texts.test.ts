import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@parcela/store-sql/sql/Dialect"
import type { RowWrite } from "@parcela/store-sql/sql/Shapes"
import * as Statement from "@parcela/store-sql/sql/Statement"
import { runWrite } from "@parcela/store-sql/commands/SqliteCommandStore"
import * as Shapes from "../../src/sql/Shapes.ts"

interface Request {
  readonly ref: { readonly kind: "id" | "name"; readonly value: string | number }
  readonly limit: number
}

describe("a statement whose text is compiled once", () => {
  let written = 0
  const statement = Statement.prepared<Request>((template) => {
    written++
    const ref = template.of(({ ref }) => ref)
    const column = ref.choose(({ kind }) => kind)
    return `SELECT ${template.bind(({ limit }) => limit)} WHERE ${column} = ${ref.bind(({ value }) => value)}`
  })
  const byId = { ref: { kind: "id", value: 7 }, limit: 1 } as const
  const byName = { ref: { kind: "name", value: "ana" }, limit: 2 } as const

  it("has the values of the request, and one text for each choice and dialect", () => {
    const statements = [byId, byName, { ...byId, limit: 3 }, byName].map((each) => statement(Dialect.sqlite, each))
    assert.deepStrictEqual(statements, [
      { text: "SELECT ?1 WHERE id = ?2", values: [1, 7] },
      { text: "SELECT ?1 WHERE name = ?2", values: [2, "ana"] },
      { text: "SELECT ?1 WHERE id = ?2", values: [3, 7] },
      { text: "SELECT ?1 WHERE name = ?2", values: [2, "ana"] }
    ])
    assert.strictEqual(written, 2)
    assert.strictEqual(statement(Dialect.postgres, byId).text, "SELECT $1 WHERE id = $2")
  })

  it("has one text with the optional part, and one without", () => {
    const optional = Statement.prepared<{ readonly name?: string | undefined }>((template) =>
      template.has(({ name }) => name) ? `SELECT ${template.bind(({ name }) => name ?? null)}` : "SELECT 1"
    )
    assert.deepStrictEqual(
      [{ name: "ana" }, {}, { name: "eva" }].map((request) => optional(Dialect.sqlite, request)),
      [
        { text: "SELECT ?1", values: ["ana"] },
        { text: "SELECT 1", values: [] },
        { text: "SELECT ?1", values: ["eva"] }
      ]
    )
  })
})

describe("a write on SQLite", () => {
  const statementsOf = (write: RowWrite): ReadonlyArray<readonly [string, Shapes.Values]> => {
    const statements: Array<readonly [string, Shapes.Values]> = []
    const run = (text: string, values: ReadonlyArray<unknown>) => statements.push([text, values as Shapes.Values])
    runWrite(write, undefined, {
      change: run,
      write: (text, values) => {
        run(text, values)
        return []
      }
    })
    return statements
  }
  const versioned: Shapes.UpdateShape = { table: "t", set: ["a"], where: ["id"], versioned: true }
  const waiting: Shapes.UpdateShape = { table: "t", set: ["a"], where: ["c"], empty: ["b"], versioned: false }
  const shape: Shapes.InsertShape = { table: "t", columns: ["a", "b"] }
  const replaced: Shapes.InsertShape = { ...shape, upsert: { key: ["a"], fixed: [] } }
  const gone: Shapes.DeleteShape = { table: "t", where: ["a"], among: "b" }
  const writes: ReadonlyArray<readonly [RowWrite, string, Shapes.Values]> = [
    [
      { _tag: "Guard", shape: versioned, id: 1, version: 4, set: ["x"] },
      "UPDATE t SET version = version + 1, a = ?1 WHERE id = ?2 AND version = ?3",
      ["x", 1, 4]
    ],
    [
      { _tag: "Guard", shape: { ...versioned, set: [] }, id: 1, version: 4, set: [] },
      "UPDATE t SET version = version + 1 WHERE id = ?1 AND version = ?2",
      [1, 4]
    ],
    [
      { _tag: "Insert", shape: replaced, rows: [[2, "y"]] },
      "INSERT INTO t (a, b) VALUES (?1, ?2) ON CONFLICT (a) DO UPDATE SET b = excluded.b",
      [2, "y"]
    ],
    [
      { _tag: "Insert", shape: { ...shape, upsert: { key: ["a"], fixed: ["b"] } }, rows: [[2, "y"]] },
      "INSERT INTO t (a, b) VALUES (?1, ?2) ON CONFLICT (a) DO NOTHING",
      [2, "y"]
    ],
    [{ _tag: "Insert", shape, rows: [[1, null]] }, "INSERT INTO t (a, b) VALUES (?1, ?2)", [1, null]],
    [
      { _tag: "Insert", shape: { ...shape, upsert: { key: ["a", "b"], fixed: [] } }, rows: [[1, 2]] },
      "INSERT INTO t (a, b) VALUES (?1, ?2) ON CONFLICT (a, b) DO NOTHING",
      [1, 2]
    ],
    [
      { _tag: "Update", shape: waiting, set: [1], where: [2] },
      "UPDATE t SET a = ?1 WHERE c = ?2 AND b IS NULL",
      [1, 2]
    ],
    [
      { _tag: "Update", shape: { ...versioned, where: ["b", "c"] }, set: [1], where: [3, 2] },
      "UPDATE t SET version = version + 1, a = ?1 WHERE b = ?2 AND c = ?3",
      [1, 3, 2]
    ],
    [{ _tag: "Delete", shape: gone, where: [1], among: ["x"] }, "DELETE FROM t WHERE a = ?1 AND b = ?2", [1, "x"]]
  ]

  it("has the text of its shape and its own values, also when the text is cached", () => {
    for (const _ of [1, 2]) {
      assert.deepStrictEqual(
        writes.map(([write]) => statementsOf(write)),
        writes.map(([, text, values]) => [[text, values] as const])
      )
    }
  })

  it("that deletes several rows is one statement for each row", () => {
    const text = "DELETE FROM t WHERE a = ?1 AND b = ?2"
    assert.deepStrictEqual(statementsOf({ _tag: "Delete", shape: gone, where: [1], among: ["x", "y"] }), [
      [text, [1, "x"]],
      [text, [1, "y"]]
    ])
  })

  it("of several rows is one statement for each row", () => {
    const text = "INSERT INTO t (a, b) VALUES (?1, ?2)"
    const rows = [
      [1, 2],
      [3, 4]
    ]
    assert.deepStrictEqual(
      statementsOf({ _tag: "Insert", shape, rows }),
      rows.map((values) => [text, values])
    )
  })

  it("of numbered rows writes each row followed by its related row", () => {
    const rows = [1, 2].map((a) => ({ own: [a], related: [`b${a}`] }))
    const own: Shapes.InsertShape = { table: "t", columns: ["a"] }
    const related: Shapes.InsertShape = { table: "u", columns: ["b"] }
    const [first, second] = ["INSERT INTO t (a) VALUES (?1)", "INSERT INTO u (id, b) VALUES (last_insert_rowid(), ?1)"]
    assert.deepStrictEqual(statementsOf({ _tag: "InsertNumbered", shape: own, key: "id", related, rows }), [
      [first, [1]],
      [second, ["b1"]],
      [first, [2]],
      [second, ["b2"]]
    ])
  })
})

describe("the columns that a change sets", () => {
  interface Pair {
    readonly a: number
    readonly b: string | null
  }
  const changes = Shapes.changes<Pair>(
    "t",
    { id: () => 1, a: ({ a }) => a, b: ({ b }) => b },
    { further: ["data"], versioned: true }
  )
  const set = (before: Pair, next: Pair) => {
    const { set, shape } = changes(before, next, ["{}"])
    return Object.fromEntries(shape.set.map((name, place) => [name, set[place]]))
  }

  it("are those that differ, and those that are always set", () => {
    const before: Pair = { a: 1, b: null }
    assert.deepStrictEqual(set(before, before), { data: "{}" })
    assert.deepStrictEqual(set(before, { a: 2, b: null }), { a: 2, data: "{}" })
    assert.deepStrictEqual(set(before, { a: 1, b: "x" }), { b: "x", data: "{}" })
    assert.deepStrictEqual(set(before, { a: 3, b: "y" }), { a: 3, b: "y", data: "{}" })
  })

  it("have one shape, whatever their values", () => {
    const [one, other] = [2, 3].map((a) => changes({ a: 1, b: null }, { a, b: null }, ["{}"]))
    assert.strictEqual(one?.shape, other?.shape)
  })
})
