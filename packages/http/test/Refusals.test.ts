import { assert, describe, it } from "@effect/vitest"
import { CommitUnknown, Corrupt, Rejected, StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { asFailures, storeFailures } from "@parcela/http/Refusals"
import { Cause, Effect, Exit, Logger } from "effect"

const because = (reason: StoreError["reason"]) => Effect.fail(new StoreError({ reason }))

const uses: {
  readonly [name: string]: (
    effect: Effect.Effect<never, StoreError>
  ) => Effect.Effect<never, Error & { readonly _tag: string }>
} = {
  asFailures,
  storeFailures
}

describe("a store that fails", () => {
  for (const [name, translate] of Object.entries(uses)) {
    it.effect(`is unavailable when it cannot be used for now (${name})`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(translate(because(new Unavailable({ cause: "database or disk is full" }))))
        assert.strictEqual(error._tag, "Unavailable")
        assert.notInclude(error.message, "disk is full")
      })
    )

    it.effect(`is one line of the log with the innermost reason, and no trace (${name})`, () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const logged = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
        const refused = new Error("connect ECONNREFUSED\n127.0.0.1:5432")
        const cause = new Error("the query failed", { cause: refused })
        yield* Effect.provide(Effect.flip(translate(because(new Unavailable({ cause })))), logged)
        assert.deepStrictEqual(lines, ["The store could not be used: connect ECONNREFUSED 127.0.0.1:5432"])
      })
    )

    it.effect(`is a defect when it refuses a statement, holds nonsense, or lost a commit (${name})`, () =>
      Effect.gen(function* () {
        const reasons = [
          new Rejected({ cause: "syntax" }),
          new Corrupt({ table: "cards", cause: "odd" }),
          new CommitUnknown({ cause: "connection lost" })
        ]
        for (const reason of reasons) {
          const exit = yield* Effect.exit(translate(because(reason)))
          assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause), reason._tag)
        }
      })
    )
  }
})
