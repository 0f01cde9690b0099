import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestTime } from "@parcela/test-world/TestTime"
import * as Samples from "@parcela/test-world/Samples"
import * as World from "@parcela/test-world/World"

describe("the time of a test", () => {
  it.effect("waits for statements before each sleep, and wakes each sleeper at its own time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const times: Array<number> = []
      const fiber = yield* Effect.forkChild(
        Effect.gen(function* () {
          for (let second = 1; second <= 3; second++) {
            yield* sql.withTransaction(Effect.andThen(sql`SELECT 1`, sql`SELECT 2`))
            yield* Effect.sleep("1 second")
            times.push((yield* Clock.currentTimeMillis) - Samples.start)
          }
        })
      )
      yield* World.passTime("10 seconds")
      assert.deepStrictEqual(times, [1_000, 2_000, 3_000])
      assert.strictEqual((yield* Clock.currentTimeMillis) - Samples.start, 10_000)
      yield* Fiber.join(fiber)
    }).pipe(World.inWorld())
  )

  it.effect("fails with a message when the store does not become idle", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { quiet } = yield* TestTime
      const fiber = yield* Effect.forkChild(sql.withTransaction(Effect.never), { startImmediately: true })
      const exit = yield* Effect.exit(quiet(200))
      assert(Exit.isFailure(exit))
      assert.include(Cause.pretty(exit.cause), "The store is not quiet")
      yield* Fiber.interrupt(fiber)
    }).pipe(World.inWorld())
  )
})
