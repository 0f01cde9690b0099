/**
 * Units of load, decide and write on SQLite: synchronous functions on prepared statements, one after another.
 *
 * **Details**
 *
 * Units that wait share a commit, see `SqliteUnits`: a refusal too leaves after it, as it may rest on what a neighbour wrote.
 * A guard is no statement here: see `RootWrites`.
 *
 * @since 0.1.0
 */
import { CommandStore, type Outcome, type Unit } from "@parcela/engine/ports/CommandStore"
import type { Found, Loaded, LoadName } from "@parcela/engine/loads/Loads"
import type { WriteSet } from "@parcela/engine/commands/WriteSet"
import { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { ofCommit, toStoreError } from "../internal/StoreErrors.ts"
import type { SqliteTurn } from "@parcela/sqlite/SqliteTurn"
import { SqliteUnits } from "@parcela/sqlite/SqliteUnits"
import * as Dialect from "./Dialect.ts"
import { unitVersion } from "./Load.ts"
import { loadOf, readLoad } from "./Loads.ts"
import { type Rerun, Reruns } from "./Reruns.ts"
import { RootWrites } from "./RootWrites.ts"
import { rowWrites } from "./RowWrites.ts"
import { runOnSqlite } from "./WriteStatements.ts"

const storeError = toStoreError("a command")

const load = <N extends LoadName, A, R>(
  turn: SqliteTurn,
  unit: Unit<N, A, R>,
  number: number
): Result.Result<Loaded<N>, StoreError> => {
  const { text, values } = loadOf(unit).statement(Dialect.sqlite, unit.args, unit.key)
  // The row is of this load alone; a copy of its many columns takes as long as reading them.
  const row: Record<string, unknown> | undefined = turn.read(text, values)[0]
  if (row !== undefined) row[unitVersion] = number
  return readLoad(unit, row)
}

const write = (turn: SqliteTurn, writes: WriteSet): void => {
  for (const row of rowWrites(writes)) runOnSqlite(row, turn.write)
}

/** What an earlier unit left, as it is now; undefined where it has to be loaded. */
const followed = <N extends LoadName, A, R>(
  { follow, known }: Unit<N, A, R>,
  roots: RootWrites,
  number: number
): Found<N> | undefined => (known === undefined || follow === undefined ? known : follow(known, roots.since, number))

/** The unit in its turn: what it came to, or that what it loaded has moved. */
const inTurn = <N extends LoadName, A, R>(
  turn: SqliteTurn,
  unit: Unit<N, A, R>,
  isKnown: boolean,
  roots: RootWrites
): Result.Result<Outcome<A>, R | StoreError> | "Moved" => {
  const number = roots.begin(turn.undone())
  const known = isKnown ? followed(unit, roots, number) : undefined
  const loaded = known === undefined ? load(turn, unit, number) : Result.succeed({ key: undefined, found: known })
  if (Result.isFailure(loaded)) return Result.fail(loaded.failure)
  const decided = unit.decide(loaded.success)
  const writes = Result.isSuccess(decided) ? decided.success.writes : undefined
  const isHeld = writes !== undefined && roots.hold(writes.guards)
  // A refusal, or nothing to write, has no guard that would show that what was known has moved: it is loaded.
  if (known !== undefined && !isHeld) return inTurn(turn, unit, false, roots)
  if (writes === undefined) return decided
  if (!isHeld) return "Moved"
  write(turn, writes)
  roots.note(writes)
  return decided
}

const run = <N extends LoadName, A, R>(
  units: SqliteUnits["Service"],
  unit: Unit<N, A, R>,
  roots: RootWrites
): Effect.Effect<Outcome<A>, R | StoreError> => {
  const reruns = new Reruns()
  const rerun = (rerun: Rerun): Effect.Effect<Outcome<A>, R | StoreError> => {
    const error = reruns.after(rerun)
    return error === undefined ? attempt(false) : Effect.fail(error)
  }
  const attempt = (isKnown: boolean): Effect.Effect<Outcome<A>, R | StoreError> =>
    Effect.matchEffect(
      units.run((turn) => inTurn(turn, unit, isKnown, roots), unit.isBackground),
      {
        onFailure: ({ error, isCommit }) =>
          rerun({ _tag: "Failed", error: isCommit ? ofCommit(error) : storeError(error) }),
        onSuccess: (end) =>
          end === "Moved"
            ? rerun({ _tag: "Moved" })
            : Result.isSuccess(end)
              ? Effect.succeed(end.success)
              : Effect.fail(end.failure instanceof StoreError ? reruns.ending(end.failure) : end.failure)
      }
    )
  return attempt(true)
}

/** One for each database, however many stores are built on it. */
const known = new WeakMap<SqliteUnits["Service"], RootWrites>()

/** What is remembered of the writes to a database, for what changes its rows by other means than units. */
export const rootsOf = (units: SqliteUnits["Service"]): RootWrites => {
  const roots = known.get(units) ?? new RootWrites()
  known.set(units, roots)
  return roots
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CommandStore, never, SqliteUnits> = Layer.effect(
  CommandStore,
  Effect.gen(function* () {
    const units = yield* SqliteUnits
    const roots = rootsOf(units)
    return CommandStore.of({
      run: (unit) => run(units, unit, roots)
    })
  })
)
