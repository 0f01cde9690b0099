import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Entities from "../../src/tables/Entities.ts"

const states = Entities.versionedState({
  table: "people",
  schema: Schema.Struct({ names: Schema.Array(Schema.String) })
})

const row = (data: object, state_version: number) => ({ data: JSON.stringify(data), version: 7, state_version })

describe("VersionedState", () => {
  it.effect("reads a written row with its version", () =>
    Effect.gen(function* () {
      const stored = { data: states.encode({ names: ["Ana"] }), version: "7", state_version: "1" }
      const read = yield* Effect.fromResult(states.decode(stored))
      assert.deepStrictEqual(read, { version: 7, state: { names: ["Ana"] } })
    })
  )

  it.effect("refuses a row of a later version with its name, table and both versions", () =>
    Effect.gen(function* () {
      const { reason } = yield* Effect.flip(Effect.fromResult(states.decode(row({ names: [] }, 2))))
      assert.strictEqual(reason._tag, "WrittenByNewer")
      assert.match(reason.message, /people .*newer version.*state version 2.*up to 1/)
    })
  )

  it.effect("reports a row that is no JSON object as Corrupt, without its text", () =>
    Effect.gen(function* () {
      for (const data of ["{secret", '"secret"', "[]", "null", ""]) {
        const { message, reason } = yield* Effect.flip(
          Effect.fromResult(states.decode({ data, version: 7, state_version: 1 }))
        )
        assert.strictEqual(reason._tag, "Corrupt")
        assert.notMatch(`${message} ${String(reason.cause)}`, /secret/)
      }
    })
  )

  it.effect("reports a row that does not match its schema as Corrupt if rows are checked", () =>
    Effect.gen(function* () {
      Entities.checkRows()
      const { reason } = yield* Effect.flip(Effect.fromResult(states.decode(row({ names: "Ana" }, 1))))
      assert.strictEqual(reason._tag, "Corrupt")
    })
  )

  it("fails with a defect if rows are checked and the schema changes their JSON", () => {
    Entities.checkRows()
    const trimming = Entities.versionedState({ table: "people", schema: Schema.Struct({ name: Schema.Trim }) })
    assert.throws(() => trimming.decode(row({ name: " Ana" }, 1)), /people/)
  })
})
