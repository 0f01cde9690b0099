/**
 * A table of entities: its name, and how a state becomes a row and is read back.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as Schema from "effect/Schema"
import * as VersionedState from "./VersionedState.ts"

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
 * Columns by name.
 *
 * @category models
 * @since 0.1.0
 */
export type Columns = Readonly<Record<string, string | number | null>>

/**
 * @category models
 * @since 0.1.0
 */
export interface EntityTable<S extends Entity, out Name extends string = string> {
  readonly name: Name
  readonly states: VersionedState.VersionedState<S>
  /** All columns but `version`. `data` is made of the state when it is not given. */
  readonly row: (state: S, data?: string) => Columns & { readonly state_version: number; readonly data: string }
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = <S extends Entity, Encoded, const Name extends string>(options: {
  readonly table: Name
  readonly schema: Schema.ConstraintCodec<S, Encoded>
  /** The columns beside `id`, `company_id`, `my_id` and `data`. */
  readonly columns: (state: S) => Columns
  /** How older shapes of the state are read. */
  readonly upcasts?: ReadonlyArray<VersionedState.Upcast>
}): EntityTable<S, Name> => {
  const states = VersionedState.make(options)
  return {
    name: options.table,
    states,
    row: (state, data = states.encode(state)) => ({
      id: state.id,
      company_id: state.companyId,
      my_id: state.myId ?? null,
      ...options.columns(state),
      state_version: states.current,
      data
    })
  }
}

/**
 * The columns of the second that differ from the first.
 *
 * @category conversions
 * @since 0.1.0
 */
export const changedColumns = (before: Columns, next: Columns): Columns =>
  Object.fromEntries(Object.entries(next).filter(([name, value]) => before[name] !== value))
