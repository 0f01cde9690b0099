import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError, Statement } from "effect/sql"
import { failingAsItsBody } from "../../src/postgres/PostgresConnection.ts"
import { toStoreError } from "../../src/sql/StoreErrors.ts"

const lost = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("The connection is gone") })
})

/** A connection that is lost once a transaction is open. */
const execute = (statement: string) => (statement === "BEGIN" ? Effect.succeed([]) : Effect.fail(lost))

const connection = {
  execute,
  executeRaw: execute,
  executeStream: () => Effect.die("no streams"),
  executeValues: execute,
  executeValuesUnprepared: execute,
  executeUnprepared: execute,
  executeWithoutTransform: execute
}

const client = Layer.effect(
  SqlClient.SqlClient,
  SqlClient.make({
    // A stream is the only thing that it does not do.
    driver: "none",
    acquirer: Effect.succeed(connection as never),
    compiler: Statement.makeCompilerSqlite(),
    spanAttributes: []
  })
).pipe(Layer.provide(Reactivity.layer))

const transacting = Effect.map(SqlClient.SqlClient, (sql) => failingAsItsBody(sql.withTransaction))

const reasonsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(Effect.sandbox(effect)), ({ reasons }) => reasons)

describe("a transaction whose ROLLBACK fails", () => {
  it.effect("fails with the failure of its work alone", () =>
    Effect.gen(function* () {
      const transact = yield* transacting
      const sql = yield* SqlClient.SqlClient
      const reasons = yield* reasonsOf(transact(Effect.mapError(sql`SELECT 1`, toStoreError("the test"))))
      assert.deepStrictEqual(
        reasons.map((reason) => Cause.isFailReason(reason) && reason.error.reason._tag),
        ["Unavailable"]
      )
      assert.deepStrictEqual(
        (yield* reasonsOf(transact(Effect.fail("refused")))).map(
          (reason) => Cause.isFailReason(reason) && reason.error
        ),
        ["refused"]
      )
    }).pipe(Effect.provide(client))
  )

  it.effect("retains a defect of its work", () =>
    Effect.gen(function* () {
      const transact = yield* transacting
      const [first] = yield* reasonsOf(transact(Effect.die("a bug")))
      assert.strictEqual(first !== undefined && Cause.isDieReason(first) && first.defect, "a bug")
    }).pipe(Effect.provide(client))
  )
})
