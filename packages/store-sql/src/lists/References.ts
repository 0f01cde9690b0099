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
import * as Statement from "../sql/Statement.ts"
import { type Entity, stateColumns, type VersionedState, cards } from "../tables/Entities.ts"
import { dialectOf } from "../sql/Dialect.ts"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import { customers, withoutCustomer } from "../tables/Customers.ts"

/**
 * Tables by what is referred to there, each with the column of a row that has its identifier.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tables {
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
export type Found<R extends Tables> = {
  readonly [Name in keyof R]: R[Name]["table"] extends ReadTable<infer S> ? S | undefined : never
}

/**
 * What rows refer to: by a row of them, and whether all of it was there. Where not, the company was restored or reset between
 * the two statements.
 *
 * @category models
 * @since 0.1.0
 */
export interface Looked<R extends Tables> {
  readonly foundOf: (row: Statement.Row) => Found<R>
  readonly isWhole: boolean
}

/**
 * References to these tables.
 *
 * @category models
 * @since 0.1.0
 */
export interface References<R extends Tables> {
  /** The columns of a row: of its state, and those that refer to others. */
  readonly columns: string
  /** Looks up what these rows refer to. */
  readonly look: (sql: SqlClient, rows: ReadonlyArray<Statement.Row>) => Effect.Effect<Looked<R>, StoreError | SqlError>
}

/**
 * Prepares what does not depend on rows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const to = <R extends Tables>(tables: R): References<R> => {
  const all = Object.entries(tables).map(([name, { by, table }], place) => ({ name, by, table, place }))
  const statement = lookUp(all)
  return {
    columns: [stateColumns, ...all.map(({ by }) => by)].join(", "),
    look: (sql, rows) => {
      const ids = all.map(({ by }) => idsIn(rows, by))
      const states = ids.map(({ length }) => (length === 0 ? none : new Map<number, Entity>()))
      if (ids.every(({ length }) => length === 0)) {
        return Effect.succeed({ foundOf: foundOf(all, states), isWhole: true })
      }
      return Effect.flatMap(Statement.run(sql, statement(dialectOf(sql), ids)), (found) => {
        const fault = keep(all, states, found)
        return fault === undefined
          ? Effect.succeed({
              foundOf: foundOf<R>(all, states),
              isWhole: ids.every(({ length }, place) => length === states[place]?.size)
            })
          : Effect.fail(fault)
      })
    }
  }
}

/** A table that is referred to; by its place are the identifiers that rows have of it, and the states that were found. */
interface Referring {
  readonly name: string
  readonly by: string
  readonly table: ReadTable<Entity>
  readonly place: number
}

type Ids = ReadonlyArray<ReadonlyArray<number>>

type States = ReadonlyArray<Map<number, Entity>>

/** Of a table that no row refers to. Nothing is found there, and so nothing is put into it. */
const none: States[number] = new Map()

const idsIn = (rows: ReadonlyArray<Statement.Row>, by: string): ReadonlyArray<number> => {
  const [first] = rows
  // A single row, as most reads have, needs no set to have each once.
  if (first !== undefined && rows.length === 1) return first[by] === null ? [] : [Number(first[by])]
  const ids = new Set<number>()
  for (const row of rows) if (row[by] !== null) ids.add(Number(row[by]))
  return [...ids]
}

/** There is a text for one identifier, which is found soonest by itself, and one for several. */
const lookUp = (all: ReadonlyArray<Referring>) =>
  Statement.prepared<Ids>(({ bind, choose, dialect }) => {
    const parts = all.flatMap(({ name, place, table }) => {
      // There are identifiers for each table.
      const idsOf = (ids: Ids) => ids[place]!
      const many = choose((ids) => (idsOf(ids).length > 1 ? "several" : idsOf(ids).length === 1 ? "one" : "none"))
      if (many === "none") return []
      const among =
        many === "one"
          ? // It is there.
            `= ${bind((ids) => idsOf(ids)[0]!)}`
          : `IN ${dialect.idsOf(bind((ids) => JSON.stringify(idsOf(ids))))}`
      return [`SELECT '${name}' AS name, id, ${stateColumns} FROM ${table.name} WHERE id ${among}`]
    })
    return parts.join(" UNION ALL ")
  })

/** Keeps what was found; the first that cannot be read. */
const keep = (
  all: ReadonlyArray<Referring>,
  states: States,
  found: ReadonlyArray<Statement.Row>
): StoreError | undefined => {
  for (const row of found) {
    const wanted = all.find(({ name }) => name === row["name"])
    const one = wanted?.table.states.decode(row)
    if (wanted === undefined || one === undefined) continue
    if (Result.isFailure(one)) return one.failure
    states[wanted.place]?.set(Number(row["id"]), one.success.state)
  }
  return undefined
}

/** Most rows of a page refer to the same as the row before them. */
const foundOf = <R extends Tables>(
  all: ReadonlyArray<Referring>,
  states: States
): ((row: Statement.Row) => Found<R>) => {
  let ids: ReadonlyArray<unknown> = []
  let found: Record<string, Entity | undefined> = {}
  return (row) => {
    if (ids.length === 0 || all.some(({ by }, place) => row[by] !== ids[place])) {
      ids = all.map(({ by }) => row[by])
      found = {}
      for (const { by, name, place } of all) {
        found[name] = row[by] === null ? undefined : states[place]?.get(Number(row[by]))
      }
    }
    // Each name has the states of its own table.
    return found as Found<R>
  }
}

const tables = {
  customer: { table: customers, by: "customer_id" },
  card: { table: cards, by: "card_id" }
} as const

/**
 * @category constants
 * @since 0.1.0
 */
export const payer = to(tables)

/**
 * The payer that a row refers to.
 *
 * @category getters
 * @since 0.1.0
 */
export const payerOf = ({
  card,
  customer
}: Found<typeof tables>): Result.Result<
  { readonly customer: CustomerState; readonly card: CardState | undefined },
  StoreError
> => (customer === undefined ? Result.fail(withoutCustomer) : Result.succeed({ customer, card }))
