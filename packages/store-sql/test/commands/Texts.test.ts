import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@parcela/store-sql/commands/Dialect"
import type { RowWrite } from "@parcela/store-sql/commands/RowWrites"
import * as Statement from "@parcela/store-sql/commands/Statement"
import { statementsOf } from "@parcela/store-sql/commands/WriteStatements"

interface Asked {
  readonly ref: { readonly kind: "id" | "name"; readonly value: string | number }
  readonly limit: number
}

describe("a statement whose text is written once", () => {
  let written = 0
  const statement = Statement.prepared<Asked>((ask) => {
    written++
    const ref = ask.of(({ ref }) => ref)
    const column = ref.choose(({ kind }) => kind)
    return `SELECT ${ask.bind(({ limit }) => limit)} WHERE ${column} = ${ref.bind(({ value }) => value)}`
  })
  const byId = { ref: { kind: "id", value: 7 }, limit: 1 } as const
  const byName = { ref: { kind: "name", value: "ana" }, limit: 2 } as const

  it("has the values of what is asked, and a text for each choice and dialect", () => {
    const asked = [byId, byName, { ...byId, limit: 3 }, byName].map((each) => statement(Dialect.sqlite, each))
    assert.deepStrictEqual(asked, [
      { text: "SELECT ?1 WHERE id = ?2", values: [1, 7] },
      { text: "SELECT ?1 WHERE name = ?2", values: [2, "ana"] },
      { text: "SELECT ?1 WHERE id = ?2", values: [3, 7] },
      { text: "SELECT ?1 WHERE name = ?2", values: [2, "ana"] }
    ])
    assert.strictEqual(written, 2)
    assert.strictEqual(statement(Dialect.postgres, byId).text, "SELECT $1 WHERE id = $2")
  })
})

describe("a write on SQLite", () => {
  const writes: ReadonlyArray<readonly [RowWrite, string, ReadonlyArray<Statement.Value>]> = [
    [
      { _tag: "Guard", table: "t", id: 1, version: 4, set: { a: "x" } },
      "UPDATE t SET version = version + 1, a = ?1 WHERE id = ?2",
      ["x", 1]
    ],
    [
      {
        _tag: "Insert",
        table: "t",
        rows: [
          { a: 1, b: null },
          { a: 2, b: "y" }
        ],
        upsert: ["a"]
      },
      "INSERT INTO t (a, b) VALUES (?1, ?2), (?3, ?4) ON CONFLICT (a) DO UPDATE SET b = excluded.b",
      [1, null, 2, "y"]
    ],
    [{ _tag: "Insert", table: "t", rows: [{ a: 1, b: null }] }, "INSERT INTO t (a, b) VALUES (?1, ?2)", [1, null]],
    [
      { _tag: "Update", table: "t", set: { a: 1 }, where: { b: null, c: 2 }, versioned: false },
      "UPDATE t SET a = ?1 WHERE b IS NULL AND c = ?2",
      [1, 2]
    ],
    [
      { _tag: "Update", table: "t", set: { a: 1 }, where: { b: 3, c: 2 }, versioned: true },
      "UPDATE t SET version = version + 1, a = ?1 WHERE b = ?2 AND c = ?3",
      [1, 3, 2]
    ],
    [
      { _tag: "Delete", table: "t", where: { a: 1 }, among: { column: "b", values: ["x", "y"] } },
      "DELETE FROM t WHERE a = ?1 AND b IN (?2, ?3)",
      [1, "x", "y"]
    ]
  ]

  it("has the text of its shape and its own values, also when the text is known", () => {
    for (const _ of [1, 2]) {
      assert.deepStrictEqual(
        writes.map(([write]) => statementsOf(write)),
        writes.map(([, text, values]) => [{ text, values }])
      )
    }
  })

  it("of numbered rows has each one followed by the row beside it", () => {
    const rows = [1, 2].map((a) => ({ own: { a }, beside: { b: `b${a}` } }))
    const write = { _tag: "InsertNumbered", table: "t", key: "id", beside: "u", rows } as const
    const [first, second] = ["INSERT INTO t (a) VALUES (?1)", "INSERT INTO u (id, b) VALUES (last_insert_rowid(), ?1)"]
    assert.deepStrictEqual(
      statementsOf(write).map(({ text, values }) => [text, ...values]),
      [
        [first, 1],
        [second, "b1"],
        [first, 2],
        [second, "b2"]
      ]
    )
  })
})
