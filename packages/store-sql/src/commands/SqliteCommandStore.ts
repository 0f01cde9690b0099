/**
 * Commands on SQLite: load, decide and write as one synchronous transaction of the group commit.
 *
 * **Details**
 *
 * A refusal is returned after the COMMIT of its batch too, as it may depend on what another transaction of the batch wrote.
 * A guard is an `UPDATE` with the version that was loaded: where the root was changed since, by any statement, the command runs again.
 *
 * @since 0.1.0
 */
import { CommandStore, type Outcome, type Unit } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { toStoreError } from "../internal/StoreErrors.ts"
import { type Transaction, GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Dialect from "./Dialect.ts"
import { loadOf, readLoad } from "./Loads.ts"
import { Reruns } from "./Reruns.ts"
import { rowWrites } from "./RowWrites.ts"
import { runOnSqlite } from "./WriteStatements.ts"

const storeError = toStoreError("a command")

/** The body of the transaction: loads, decides and writes. Throws an `SqlError`, also when a guard has moved. */
const runIn = <N extends LoadName, A, R>(
  transaction: Transaction,
  unit: Unit<N, A, R>
): Result.Result<Outcome<A>, R | StoreError> => {
  const { text, values } = loadOf(unit).statement(Dialect.sqlite, unit.args, unit.key)
  const loaded = readLoad(unit, transaction.read(text, values)[0])
  if (Result.isFailure(loaded)) return Result.fail(loaded.failure)
  const decided = unit.decide(loaded.success)
  const writes = Result.isSuccess(decided) ? decided.success.writes : undefined
  if (writes !== undefined) {
    for (const row of rowWrites(writes)) runOnSqlite(row, writes.company, transaction)
  }
  return decided
}

const run = <N extends LoadName, A, R>(
  groupCommit: GroupCommit["Service"],
  unit: Unit<N, A, R>
): Effect.Effect<Outcome<A>, R | StoreError> => {
  const reruns = new Reruns()
  const attempt: Effect.Effect<Outcome<A>, R | StoreError> = Effect.matchEffect(
    groupCommit.run((transaction) => runIn(transaction, unit), unit.isBackground),
    {
      onFailure: (error) => {
        const failure = reruns.after({ _tag: "Failed", error: storeError(error) })
        return failure === undefined ? attempt : Effect.fail(failure)
      },
      onSuccess: (ended) =>
        Result.isSuccess(ended)
          ? Effect.succeed(ended.success)
          : Effect.fail(ended.failure instanceof StoreError ? reruns.ending(ended.failure) : ended.failure)
    }
  )
  return attempt
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CommandStore, never, GroupCommit> = Layer.effect(
  CommandStore,
  Effect.gen(function* () {
    const groupCommit = yield* GroupCommit
    return CommandStore.of({ run: (unit) => run(groupCommit, unit) })
  })
)
