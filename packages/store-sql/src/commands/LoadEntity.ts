/**
 * Entities that are their own roots: what a new one rests on, and one that is there.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Guard, KeyName, KeyRow } from "@parcela/engine/ports/CommandStore"
import type { EntityArgs, EntityContext, NewEntityArgs, NewEntityContext } from "@parcela/engine/ports/EntityContext"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import type { Entity, EntityTable } from "../internal/EntityTable.ts"
import type { Dialect } from "./Dialect.ts"
import { loading, reading, refersTo, stateColumns, stateOf } from "./Load.ts"
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

const joined = (table: string, alias: string, condition: string): string =>
  `LEFT JOIN ${table} AS ${alias} ON ${alias}.company_id = company.id AND ${condition}`

/**
 * What a new entity of a table rests on.
 *
 * @category loads
 * @since 0.1.0
 */
export const newEntity = <S extends Entity>(table: EntityTable<S>): LoadOf<NewEntityArgs, NewEntityContext<S>> => ({
  statement: (dialect, { companyId, id, myId }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: ["written", "same"].map(stateColumns),
      joins: [
        joined(table.name, "written", `written.id = ${bind(id)}`),
        joined(table.name, "same", `same.my_id = ${bind(myId ?? null)}`)
      ].join(" ")
    })),
  turn: turnOfCompany,
  read: reading((row, company) =>
    Result.gen(function* () {
      const written = yield* stateOf(table, "written", row)
      const same = yield* stateOf(table, "same", row)
      return { ...company, written: written?.state, sameMyId: same?.state }
    })
  )
})

/**
 * An entity of a table, which is its own root.
 *
 * @category loads
 * @since 0.1.0
 */
export const entity = <S extends Entity>(
  table: EntityTable<S, Guard["table"]>
): LoadOf<EntityArgs, EntityContext<S>> => ({
  statement: (dialect, { companyId, myId, ref }, key) =>
    loading(dialect, companyId, key, (bind) => ({
      columns: ["entity", "same"].map(stateColumns),
      joins: [
        joined(table.name, "entity", refersTo("entity", ref, bind)),
        joined(table.name, "same", `same.my_id = ${bind(myId ?? null)}`)
      ].join(" ")
    })),
  turn: (dialect, { companyId, ref }) =>
    Statement.make(
      dialect,
      (bind) => `
        SELECT ${dialect.turnOf(table.name, "id")} FROM ${table.name} AS entity
        WHERE company_id = ${bind(companyId)} AND ${refersTo("entity", ref, bind)}
      `
    ),
  read: reading((row, company) =>
    Result.gen(function* () {
      const found = yield* stateOf(table, "entity", row)
      if (found === undefined) return undefined
      const same = yield* stateOf(table, "same", row)
      return {
        ...company,
        guard: { table: table.name, id: found.state.id, version: found.version },
        entity: found.state,
        sameMyId: same?.state
      }
    })
  )
})
