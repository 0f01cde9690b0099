import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as CheckedRows from "../../src/CheckedRows.ts"
import * as VersionedState from "../../src/internal/VersionedState.ts"

// The third shape of a state: first `name`, then `names`, then `names` with a `title`.
const states = VersionedState.make({
  table: "people",
  schema: Schema.Struct({ names: Schema.Array(Schema.String), title: Schema.String }),
  upcasts: [
    (older) => ({ names: [(older as { readonly name: string }).name] }),
    (older) => ({ ...(older as object), title: "none" })
  ]
})

const row = (data: object, state_version: number) => ({ data: JSON.stringify(data), version: 7, state_version })

describe("VersionedState", () => {
  it.effect("reads a row of every earlier version, and the current one as it is", () =>
    Effect.gen(function* () {
      const read = (data: object, version: number) =>
        Effect.map(Effect.fromResult(states.decode(row(data, version))), ({ state }) => state)
      assert.deepStrictEqual(yield* read({ name: "Ana" }, 1), { names: ["Ana"], title: "none" })
      assert.deepStrictEqual(yield* read({ names: ["Ana"] }, 2), { names: ["Ana"], title: "none" })
      assert.deepStrictEqual(yield* read({ names: ["Ana"], title: "Dr." }, 3), { names: ["Ana"], title: "Dr." })
    })
  )

  it.effect("a row of a later version is refused by name, table and both versions", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(Effect.fromResult(states.decode(row({ names: [], title: "" }, 4))))
      assert.strictEqual(reason._tag, "WrittenByNewer")
      assert.match(reason.message, /people .*newer version.*state version 4.*up to 3/)
    })
  )

  it.effect("an earlier row that no step makes readable is Corrupt", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(Effect.fromResult(states.decode(row({ names: "Ana" }, 2))))
      assert.strictEqual(reason._tag, "Corrupt")
    })
  )

  it.effect("a current row that is no JSON, or no object, is Corrupt, and its text is in no message", () =>
    Effect.gen(function* () {
      for (const data of ["{secret", '"secret"', "[]", "null", ""]) {
        const { message, reason } = yield* Effect.flip(
          Effect.fromResult(states.decode({ data, version: 7, state_version: "3" }))
        )
        assert.strictEqual(reason._tag, "Corrupt")
        assert.notMatch(`${message} ${String(reason.cause)}`, /secret/)
      }
    })
  )

  it.effect("where rows are checked, a current one that does not fit its schema is Corrupt", () =>
    Effect.gen(function* () {
      CheckedRows.check()
      const { reason } = yield* Effect.flip(Effect.fromResult(states.decode(row({ names: "Ana", title: "" }, 3))))
      assert.strictEqual(reason._tag, "Corrupt")
    })
  )

  it("where rows are checked, a schema that makes something else of its JSON is a defect", () => {
    CheckedRows.check()
    const trimming = VersionedState.make({ table: "people", schema: Schema.Struct({ name: Schema.Trim }) })
    assert.throws(() => trimming.decode(row({ name: " Ana" }, 1)), /people/)
  })
})
