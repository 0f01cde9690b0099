/**
 * What the rows of a page refer to in other tables: read by one statement, each state once, however many rows refer to it.
 *
 * **Details**
 *
 * A second statement keeps the order that an index gave the page, as a join would not, and takes a third of what subqueries
 * for each row do. Its identifiers come from rows of the company.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "../commands/Statement.ts"
import type { Entity } from "./EntityTable.ts"
import type { Reads } from "./Reads.ts"
import type { VersionedState } from "./VersionedState.ts"

/**
 * Tables by what is referred to there, each with the column of a row that has its identifier.
 *
 * @category models
 * @since 0.1.0
 */
export interface References {
  readonly [name: string]: { readonly table: ReadTable<Entity>; readonly by: string }
}

/** What reading takes of a table of entities. */
interface ReadTable<out S> {
  readonly name: string
  readonly states: Pick<VersionedState<S>, "decode">
}

/**
 * The states that a row refers to.
 *
 * @category models
 * @since 0.1.0
 */
export type Found<R extends References> = {
  readonly [Name in keyof R]: R[Name]["table"] extends ReadTable<infer S> ? S | undefined : never
}

/**
 * The columns of a row that refer to others.
 *
 * @category getters
 * @since 0.1.0
 */
export const columnsOf = (references: References): ReadonlyArray<string> =>
  Object.values(references).map(({ by }) => by)

/**
 * What rows refer to: by a row of them, and whether all of it was there. Where not, the company was restored or reset between
 * the two statements.
 *
 * @category models
 * @since 0.1.0
 */
export interface Looked<R extends References> {
  readonly foundOf: (row: Statement.Row) => Found<R>
  readonly isWhole: boolean
}

/**
 * Looks up what these rows refer to.
 *
 * @category queries
 * @since 0.1.0
 */
export const look = <R extends References>(
  { dialect, rows: read }: Reads,
  references: R,
  rows: ReadonlyArray<Statement.Row>
): Effect.Effect<Looked<R>, StoreError | SqlError> => {
  const all = Object.entries(references).map(([name, { by, table }]) => ({
    name,
    by,
    table,
    ids: idsIn(rows, by),
    states: new Map<number, Entity>()
  }))
  const statement = Statement.make(dialect, (bind) =>
    all.flatMap((wanted) => lookUp(wanted, { dialect, bind })).join(" UNION ALL ")
  )
  if (statement.text === "") return Effect.succeed({ foundOf: foundOf(all), isWhole: true })
  return Effect.flatMapEager(read(statement), (found) => {
    const fault = keep(all, found)
    return fault === undefined
      ? Effect.succeed({ foundOf: foundOf(all), isWhole: all.every(({ ids, states }) => ids.length === states.size) })
      : Effect.fail(fault)
  })
}

/** What the rows of a page refer to in one table, and the states that were found. */
interface Wanted {
  readonly name: string
  readonly by: string
  readonly table: ReadTable<Entity>
  readonly ids: ReadonlyArray<number>
  readonly states: Map<number, Entity>
}

const idsIn = (rows: ReadonlyArray<Statement.Row>, by: string): ReadonlyArray<number> => {
  const ids = new Set<number>()
  for (const row of rows) if (row[by] !== null) ids.add(Number(row[by]))
  return [...ids]
}

/** There is a text for one identifier, which is found soonest by itself, and one for several. */
const lookUp = ({ ids, name, table }: Wanted, { bind, dialect }: Statement.Writing): ReadonlyArray<string> => {
  const [id, ...more] = ids
  if (id === undefined) return []
  const among = more.length === 0 ? `= ${bind(id)}` : `IN ${dialect.idsOf(bind(JSON.stringify(ids)))}`
  return [`SELECT '${name}' AS name, id, data, version, state_version FROM ${table.name} WHERE id ${among}`]
}

/** Keeps what was found; the first that cannot be read. */
const keep = (all: ReadonlyArray<Wanted>, found: ReadonlyArray<Statement.Row>): StoreError | undefined => {
  for (const row of found) {
    const wanted = all.find(({ name }) => name === row["name"])
    const one = wanted?.table.states.decode(row)
    if (wanted === undefined || one === undefined) continue
    if (Result.isFailure(one)) return one.failure
    wanted.states.set(Number(row["id"]), one.success.state)
  }
  return undefined
}

/** Most rows of a page refer to the same as the row before them. */
const foundOf = <R extends References>(all: ReadonlyArray<Wanted>): ((row: Statement.Row) => Found<R>) => {
  let ids: ReadonlyArray<unknown> = []
  let found: Record<string, Entity | undefined> = {}
  return (row) => {
    if (ids.length === 0 || all.some(({ by }, place) => row[by] !== ids[place])) {
      ids = all.map(({ by }) => row[by])
      found = {}
      for (const { by, name, states } of all) found[name] = row[by] === null ? undefined : states.get(Number(row[by]))
    }
    // Each name has the states of its own table.
    return found as Found<R>
  }
}
