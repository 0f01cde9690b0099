/**
 * What the tables of entities have in common: a row is an entity's whole state as JSON in `data`, beside the columns
 * that it is found by. The columns are written from the state and never read back.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/Identifier"
import type { StoreError } from "@parcela/engine/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import * as Columns from "./Columns.ts"
import { missingRow, toStoreError } from "./StoreErrors.ts"

/**
 * What every entity has.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entity {
  readonly id: SvcPayId
  readonly companyId: CompanyId
  readonly myId?: MyId
}

/**
 * @category models
 * @since 0.1.0
 */
export interface EntityRows<S extends Entity> {
  readonly insert: (state: S) => Effect.Effect<void, StoreError>
  /** A state whose row is not there is a defect: nothing is written, and nobody may believe that it was. */
  readonly update: (state: S) => Effect.Effect<void, StoreError>
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  readonly findForUpdate: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  readonly findMany: (companyId: CompanyId, ids: ReadonlyArray<SvcPayId>) => Effect.Effect<ReadonlyArray<S>, StoreError>
  /** The states of a company that meet all `conditions`; `rest` follows the conditions (`ORDER BY ..`). */
  readonly select: (
    companyId: CompanyId,
    conditions: ReadonlyArray<Fragment>,
    rest: Fragment
  ) => Effect.Effect<ReadonlyArray<S>, StoreError>
  /** The states in the rows of a statement that selects `data`, of whatever companies. */
  readonly selectAny: (statement: Statement<{ readonly data: unknown }>) => Effect.Effect<ReadonlyArray<S>, StoreError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <S extends Entity, Encoded>(options: {
  /** The port, for the names of spans. */
  readonly port: string
  readonly table: string
  readonly schema: Schema.ConstraintCodec<S, Encoded>
  /** The columns beside `id`, `company_id`, `my_id` and `data`. */
  readonly columns: (state: S) => Readonly<Record<string, string | number | null>>
  /** Columns that the database fills in when a row is inserted, and that never change. */
  readonly derived?: (state: S) => Readonly<Record<string, Fragment>>
}): Effect.fn.Return<EntityRows<S>, never, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { port, table } = options
  const data = Columns.json(options.schema)
  const storeErrors = Effect.mapError(toStoreError(table))
  const nothing = sql.literal("")
  // SQLite needs no word for it: its transactions hold the write lock from their first statement on.
  const locked = sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE"), orElse: () => nothing })

  const row = (state: S) => ({
    id: state.id,
    company_id: state.companyId,
    my_id: state.myId ?? null,
    ...options.columns(state),
    data: data.encode(state)
  })

  const inserted = (state: S) => {
    if (options.derived === undefined) return sql`${sql.insert(row(state))}`
    const derived = options.derived(state)
    const columns = row(state)
    return sql`(${sql.csv([...Object.keys(columns), ...Object.keys(derived)].map((name) => sql`${sql(name)}`))})
      VALUES (${sql.csv([...Object.values(columns).map((value) => sql`${value}`), ...Object.values(derived)])})`
  }

  const selectAny = (statement: Statement<{ readonly data: unknown }>) =>
    storeErrors(Effect.flatMap(statement, data.decodeRows))

  const select = (companyId: CompanyId, conditions: ReadonlyArray<Fragment>, rest: Fragment) =>
    selectAny(sql`
      SELECT data FROM ${sql(table)}
      WHERE ${sql.and([sql`company_id = ${companyId}`, ...conditions])} ${rest}
    `)

  const readOne = (companyId: CompanyId, ref: EntityRef, rest: Fragment) =>
    Effect.map(
      select(companyId, [ref.typeId === "svcPayId" ? sql`id = ${ref.id}` : sql`my_id = ${ref.id}`], rest),
      (states) => Option.fromUndefinedOr(states[0])
    )

  return {
    insert: Effect.fn(`${port}.insert`)(function* (state: S) {
      yield* sql`INSERT INTO ${sql(table)} ${inserted(state)}`
    }, storeErrors),

    update: Effect.fn(`${port}.update`)(function* (state: S) {
      const updated = yield* sql`
        UPDATE ${sql(table)} SET ${sql.update(row(state), ["id", "company_id"])}
        WHERE company_id = ${state.companyId} AND id = ${state.id} RETURNING id
      `
      if (updated.length === 0) return yield* Effect.die(missingRow(table, state.id))
    }, storeErrors),

    find: Effect.fn(`${port}.find`)(function* (companyId: CompanyId, ref: EntityRef) {
      return yield* readOne(companyId, ref, nothing)
    }),

    findForUpdate: Effect.fn(`${port}.findForUpdate`)(function* (companyId: CompanyId, ref: EntityRef) {
      return yield* readOne(companyId, ref, locked)
    }),

    findMany: Effect.fn(`${port}.findMany`)(function* (companyId: CompanyId, ids: ReadonlyArray<SvcPayId>) {
      return ids.length === 0 ? [] : yield* select(companyId, [sql.in("id", ids)], nothing)
    }),

    select,
    selectAny
  }
})
