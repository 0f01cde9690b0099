/**
 * Commands on PostgreSQL: one round trip to load, one to write, and no transaction open in between.
 *
 * **Details**
 *
 * The first run loads without a lock and sends one guarded statement, which commits by itself. Commands of this process on the same
 * root run one after another (`rootLocks`). A rerun holds an advisory lock of each root from before its load until its COMMIT. First
 * runs write only while no rerun holds or awaits that lock, so that reruns lose neither to one another nor to new commands.
 *
 * Every write depends on its guard, and a guard that waited for another write fails. So the transaction numbers of the writes to one
 * root rise in the order of the commits, on which the journal depends.
 *
 * @since 0.1.0
 */
import { CommandStore, type Outcome, type StoreCommand } from "@parcela/engine/command/CommandStore"
import type { Guard } from "@parcela/engine/command/LoadedCompany"
import type { LoadName } from "@parcela/engine/command/Loads"
import type { WriteSet } from "@parcela/engine/command/WriteSet"
import { Changed, StoreError } from "@parcela/engine/ports/StoreError"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Dialect from "../sql/Dialect.ts"
import * as Statement from "../sql/Statement.ts"
import { ofCommit } from "../sql/StoreErrors.ts"
import { writeStatement } from "../writes/PostgresWrites.ts"
import { rowWrites } from "../writes/RowWrites.ts"
import { commandError, decide, decideLoaded, loadOf, type Run, withReruns } from "./Commands.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CommandStore, never, SqlClient.SqlClient> = Layer.effect(
  CommandStore,
  Effect.map(SqlClient.SqlClient, (sql) => CommandStore.of({ run: runOn(sql) }))
)

const runOn = (sql: SqlClient.SqlClient): CommandStore["Service"]["run"] => {
  const { commit, inTransaction, loadAndDecide, withoutTransaction } = stepsOn(sql)
  const withLocks = rootLocks()
  return Effect.fnUntraced(function* <N extends LoadName, A, R>(
    command: StoreCommand<N, A, R>
  ): Effect.fn.Return<Outcome<A>, R | StoreError> {
    const known = decideLoaded(command)
    const decided = known ?? (yield* loadAndDecide(command))
    const { writes } = decided
    if (writes === undefined) return decided
    return yield* withLocks(writes.guards, (hasWaited) => {
      const loadFirst = withoutTransaction(command)
      const written = commit<A, R>(decided, writes)
      const first = hasWaited
        ? loadFirst
        : known === undefined
          ? written
          : Effect.catchIf(written, isChanged, () => loadFirst)
      return withReruns<A, R>(first, (error) =>
        error.reason._tag === "CommitUnknown"
          ? Effect.delay(inTransaction(command), delayAfterLoss)
          : inTransaction(command)
      )
    })
  })
}

/** The delay before a rerun looks for a commit whose reply was lost: the connection has to be opened again. */
const delayAfterLoss = Duration.millis(200)

/** The steps of a command; a failed guard is a `Changed`. */
const stepsOn = (sql: SqlClient.SqlClient) => {
  const loadAndDecide = Effect.fnUntraced(function* <N extends LoadName, A, R>(
    command: StoreCommand<N, A, R>
  ): Effect.fn.Return<Outcome<A>, R | StoreError> {
    const statement = loadOf(command).statement(Dialect.postgres, command.args, command.key)
    const [row] = yield* Effect.mapError(Statement.run(sql, statement), commandError)
    return yield* Effect.fromResult(decide(command, row))
  })

  const write = Effect.fnUntraced(function* (
    writes: WriteSet,
    isLocked: boolean
  ): Effect.fn.Return<void, SqlError | StoreError> {
    const rows = yield* Statement.run(sql, writeStatement(rowWrites(writes), writes.company, { isLocked }))
    if (rows.length === 0) return yield* guardFailed(writes)
  })

  /** Writes a decision by a statement that commits by itself. */
  const commit = <A, R>(decided: Outcome<A>, writes: WriteSet): Run<A, R> =>
    // The reply to the statement may be lost after its commit.
    Effect.as(
      Effect.mapError(write(writes, false), (error) => (isSqlError(error) ? ofCommit(error) : error)),
      decided
    )

  const withoutTransaction = <N extends LoadName, A, R>(command: StoreCommand<N, A, R>): Run<A, R> =>
    Effect.flatMap(loadAndDecide(command), (decided) =>
      decided.writes === undefined ? Effect.succeed(decided) : commit<A, R>(decided, decided.writes)
    )

  /** Holds the locks of the roots from before the load until the COMMIT. */
  const inTransaction = <N extends LoadName, A, R>(command: StoreCommand<N, A, R>): Run<A, R> =>
    Effect.suspend(() => {
      let isWritten = false
      const body = Effect.gen(function* () {
        yield* Statement.run(sql, loadOf(command).lock(command.args))
        const decided = yield* loadAndDecide(command)
        if (decided.writes !== undefined) yield* write(decided.writes, true)
        isWritten = decided.writes !== undefined
        return decided
      })
      return Effect.mapError(sql.withTransaction(body), (error) =>
        isSqlError(error) ? (isWritten ? ofCommit(error) : commandError(error)) : error
      )
    })

  return { loadAndDecide, commit, withoutTransaction, inTransaction }
}

const isChanged = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.reason._tag === "Changed"

const guardFailed = ({ guards }: WriteSet): StoreError =>
  new StoreError({
    reason: new Changed({ table: guards.map(({ table }) => table).join(", "), cause: new Error("A guard has failed") })
  })

/** Hundreds of commands end in this time. */
const defaultMaxWait = Duration.seconds(2)

/**
 * Runs an effect while it holds the locks of these roots, in the order of the calls. `hasWaited`: another command held one of them.
 *
 * **Details**
 *
 * Without these locks, of thirty commands at once on one subscription twenty-nine would load, decide and write in vain, and run again
 * in a transaction. Correctness does not depend on the locks, because a guard fails when any process has changed the root. So a wait
 * ends after `maxWait`, for instance behind a command whose connection does not respond, and an interrupted caller releases its lock.
 *
 * @category constructors
 * @since 0.1.0
 */
export const rootLocks = (maxWait: Duration.Input = defaultMaxWait) => {
  /** The end of the last command in the queue of each root. A root without an entry is not locked. */
  const last = new Map<string, Deferred.Deferred<void>>()

  return <A, E>(guards: ReadonlyArray<Guard>, use: (hasWaited: boolean) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const roots = [...new Set(guards.map(({ id, table }) => `${table} ${id}`))]
      const before = roots.flatMap((root) => last.get(root) ?? [])
      const end = Deferred.makeUnsafe<void>()
      // A command takes all its locks at once, so that no two commands wait for each other.
      for (const root of roots) last.set(root, end)
      const wait = Effect.timeoutOption(Effect.forEach(before, Deferred.await, { discard: true }), maxWait)
      return Effect.ensuring(
        before.length === 0 ? use(false) : Effect.andThen(wait, () => use(true)),
        Effect.suspend(() => {
          for (const root of roots) if (last.get(root) === end) last.delete(root)
          return Deferred.succeed(end, undefined)
        })
      )
    })
}
