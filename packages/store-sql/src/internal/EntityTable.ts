/**
 * A table of entities: its name, and how a state becomes a row and is read back.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as Schema from "effect/Schema"
import * as Shapes from "./Shapes.ts"
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
 * @category models
 * @since 0.1.0
 */
export interface EntityTable<S extends Entity, out Name extends string = string> {
  readonly name: Name
  readonly states: VersionedState.VersionedState<S>
  /** New rows. */
  readonly rows: Shapes.Rows<S>
  /** What a change sets in the row of a state. Whether `data` differs is not asked: a change that changes nothing is no change. */
  readonly changes: (before: S, next: S) => Shapes.Update
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = <S extends Entity, Encoded, const Name extends string>(options: {
  readonly table: Name
  readonly schema: Schema.ConstraintCodec<S, Encoded>
  /** The columns beside `id`, `company_id`, `my_id` and `data`. */
  readonly columns: Shapes.Cells<S>
}): EntityTable<S, Name> => {
  const { columns, table } = options
  const states = VersionedState.make(options)
  const found: Shapes.Cells<S> = {
    id: ({ id }) => id,
    company_id: ({ companyId }) => companyId,
    my_id: ({ myId }) => myId ?? null,
    ...columns
  }
  const changes = Shapes.changes(table, found, { further: ["data"], versioned: true })
  return {
    name: table,
    states,
    rows: Shapes.rows(table, { ...found, state_version: () => VersionedState.stateVersion, data: states.encode }),
    changes: (before, next) => changes(before, next, [states.encode(next)])
  }
}
