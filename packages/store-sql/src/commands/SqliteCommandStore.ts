/**
 * Units of load, decide and write on SQLite: synchronous functions on prepared statements, one after another.
 *
 * **Details**
 *
 * A guard is no statement here: see `RootWrites`.
 *
 * @since 0.1.0
 */
import { CommandStore, type Loaded, type LoadName, type Outcome, type Unit } from "@parcela/engine/ports/CommandStore"
import type { WriteSet } from "@parcela/engine/commands/WriteSet"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { isSqlError } from "effect/sql/SqlError"
import { ofCommit, toStoreError } from "../internal/StoreErrors.ts"
import { type SqliteTurn, SqliteUnits } from "@parcela/sqlite/SqliteUnits"
import * as Dialect from "./Dialect.ts"
import { loadOf, readLoad } from "./Loads.ts"
import { type Rerun, Reruns } from "./Reruns.ts"
import { RootWrites } from "./RootWrites.ts"
import { rowWrites } from "./RowWrites.ts"
import type { Row } from "./Statement.ts"
import { single } from "./WriteStatements.ts"

type Written = { readonly _tag: "Written" } | Rerun

const written: Written = { _tag: "Written" }
const moved: Written = { _tag: "Moved" }

const storeError = toStoreError("a command")

/** What the database fails with, as a value; everything else is a defect. */
const failing = <A>(body: () => A, fail: typeof ofCommit = storeError): Result.Result<A, StoreError> => {
  try {
    return Result.succeed(body())
  } catch (thrown) {
    if (isSqlError(thrown)) return Result.fail(fail(thrown))
    throw thrown
  }
}

/** The rows with the unit's number as the version of each entity. */
const numbered = (rows: ReadonlyArray<Row>, number: number): ReadonlyArray<Row> =>
  rows.map((row) => {
    const copy: Record<string, unknown> = { ...row }
    for (const name in copy) if (isVersion(name) && copy[name] !== null) copy[name] = number
    return copy
  })

const isVersion = (column: string) => column.endsWith("_version") && !column.endsWith("_state_version")

const load = <N extends LoadName, A, R>(
  turn: SqliteTurn,
  unit: Unit<N, A, R>,
  number: number
): Result.Result<Loaded<N>, StoreError> => {
  const { text, values } = loadOf(unit).statement(Dialect.sqlite, unit.args, unit.key)
  return Result.flatMap(
    failing(() => turn.all(text, values)),
    (rows) => readLoad(unit, numbered(rows, number))
  )
}

const write = (turn: SqliteTurn, writes: WriteSet, roots: RootWrites): Written => {
  if (!roots.hold(writes.guards)) return moved
  let isCommit = false
  const held = failing(
    () =>
      turn.transaction(() => {
        for (const row of rowWrites(writes)) {
          // What changed of the root itself; that it may be written was found out before.
          if (row._tag === "Guard" && Object.keys(row.set).length === 0) continue
          const { text, values } = single(row)
          turn.change(text, values)
        }
        isCommit = true
        return true
      }),
    (error) => (isCommit ? ofCommit(error) : storeError(error))
  )
  if (Result.isFailure(held)) return { _tag: "Failed", error: held.failure }
  roots.note(writes)
  return written
}

const run = <N extends LoadName, A, R>(
  turn: SqliteTurn,
  unit: Unit<N, A, R>,
  roots: RootWrites
): Result.Result<Outcome<A>, R | StoreError> => {
  const reruns = new Reruns()
  let { known } = unit
  while (true) {
    const isKnown = known !== undefined
    const number = roots.begin()
    const loaded = isKnown ? Result.succeed({ key: undefined, found: known }) : load(turn, unit, number)
    known = undefined
    if (Result.isFailure(loaded)) return Result.fail(reruns.ending(loaded.failure))
    const decided = unit.decide(loaded.success)
    if (Result.isFailure(decided) || decided.success.writes === undefined) {
      // A refusal, or nothing to write, has no guard that would show that what was known has moved: it is loaded.
      if (isKnown) continue
      return decided
    }
    const end = write(turn, decided.success.writes, roots)
    if (end._tag === "Written") return decided
    const error = reruns.after(end)
    if (error !== undefined) return Result.fail(error)
  }
}

/** One for each database, however many stores are built on it. */
const known = new WeakMap<SqliteUnits["Service"], RootWrites>()

const rootsOf = (units: SqliteUnits["Service"]): RootWrites => {
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
      run: (unit) =>
        Effect.flatMap(
          units.turn((turn) => run(turn, unit, roots)),
          Effect.fromResult
        )
    })
  })
)
