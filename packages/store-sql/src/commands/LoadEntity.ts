/**
 * Entities that are their own roots: what a new one rests on, and one that is there.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { Guard, KeyName, KeyRow } from "@parcela/engine/command/LoadedCompany"
import type { EntityArgs, EntityContext, NewEntityArgs, NewEntityContext } from "@parcela/engine/command/Loads"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import type { Entity, EntityTable } from "../internal/EntityTable.ts"
import { type Dialect, turnOf } from "./Dialect.ts"
import { isAsked, loading, reading, stateColumns, stateOf } from "./Load.ts"
import { turnOfCompany } from "./LoadCompany.ts"
import * as Statement from "./Statement.ts"

/** A load of those arguments, by whatever name. */
interface LoadOf<A extends { readonly companyId: CompanyId }, F> {
  readonly statement: (dialect: Dialect, args: A, key: KeyName | undefined) => Statement.Statement
  readonly turn: (dialect: Dialect, args: A) => Statement.Statement
  readonly read: (
    row: Statement.Row,
    args: A
  ) => Result.Result<{ readonly key: KeyRow | undefined; readonly found: F | undefined }, StoreError>
}

/** What names the entity that is asked for. */
export const refOf = ({ ref }: { readonly ref: EntityRef }): EntityRef => ref

/** Rows of the company beside what is loaded. */
export const joined = (table: string, alias: string, condition: string): string =>
  `LEFT JOIN ${table} AS ${alias} ON ${alias}.company_id = company.id AND ${condition}`

/**
 * What a load brings beside the entity.
 *
 * @category models
 * @since 0.1.0
 */
export interface Beside<A, B> {
  readonly columns: ReadonlyArray<string>
  readonly joins: (ask: Statement.Asking<A>) => string
  readonly read: (row: Statement.Row) => B
}

/** Of loads that bring the entity alone. */
const nothing: Beside<unknown, unknown> = { columns: [], joins: () => "", read: () => Result.succeed({}) }

/**
 * What a new entity of a table rests on.
 *
 * @category loads
 * @since 0.1.0
 */
export const newEntity = <S extends Entity, A = unknown, B = unknown>(
  table: EntityTable<S>,
  // Without one, nothing is asked for and nothing comes.
  beside: Beside<A, B> = nothing as Beside<A, B>
): LoadOf<NewEntityArgs & A, NewEntityContext<S> & B> => ({
  statement: loading((ask) => ({
    columns: [...["written", "same"].map(stateColumns), ...beside.columns],
    joins: [
      joined(table.name, "written", `written.id = ${ask.bind(({ id }) => id)}`),
      joined(table.name, "same", `same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`),
      beside.joins(ask)
    ].join(" ")
  })),
  turn: turnOfCompany,
  read: reading((row, company) => {
    const written = stateOf(table, "written", row)
    const same = stateOf(table, "same", row)
    return { ...company, written: written?.state, sameMyId: same?.state, ...beside.read(row) }
  })
})

/**
 * An entity of a table, which is its own root.
 *
 * @category loads
 * @since 0.1.0
 */
export const entity = <S extends Entity, A = unknown, B = unknown>(
  table: EntityTable<S, Guard["table"]>,
  // As above.
  beside: Beside<A, B> = nothing as Beside<A, B>
): LoadOf<EntityArgs & A, EntityContext<S> & B> => ({
  statement: loading((ask) => ({
    columns: [...["entity", "same"].map(stateColumns), ...beside.columns],
    joins: [
      joined(table.name, "entity", isAsked("entity", ask.of(refOf))),
      joined(table.name, "same", `same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`),
      beside.joins(ask)
    ].join(" ")
  })),
  turn: Statement.prepared(
    (ask) => `
      SELECT ${turnOf(table.name, "id")} FROM ${table.name} AS entity
      WHERE company_id = ${ask.bind(({ companyId }) => companyId)} AND ${isAsked("entity", ask.of(refOf))}
    `
  ),
  read: reading((row, company) => {
    const found = stateOf(table, "entity", row)
    if (found === undefined) return undefined
    const same = stateOf(table, "same", row)
    return {
      ...company,
      guard: { table: table.name, id: found.state.id, version: found.version },
      entity: found.state,
      sameMyId: same?.state,
      ...beside.read(row)
    }
  })
})
