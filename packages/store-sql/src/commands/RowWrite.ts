/**
 * A write of rows, for all databases.
 *
 * @since 0.1.0
 */
import type * as Shapes from "../internal/Shapes.ts"

/**
 * One statement's worth.
 *
 * - `Guard`: raises the version of a root, and sets what changed of it, unless its version is another one by now
 * - `Insert`: rows of one shape
 * - `InsertNumbered`: rows that the database numbers in their order, and for each a row of another table under its number
 * - `Update` and `Delete`: rows as their shapes say
 * - `Count`: live contracts of a customer that begin or end, on SQLite, see `Customers.countContracts`
 *
 * @category models
 * @since 0.1.0
 */
export type RowWrite =
  | {
      readonly _tag: "Guard"
      readonly shape: Shapes.UpdateShape
      readonly id: number
      readonly version: number
      readonly set: Shapes.Values
    }
  | InsertWrite
  | InsertNumbered
  | UpdateWrite
  | {
      readonly _tag: "Delete"
      readonly shape: Shapes.DeleteShape
      readonly where: Shapes.Values
      readonly among: Shapes.Values
    }
  | CountWrite

/**
 * @category models
 * @since 0.1.0
 */
export interface InsertWrite {
  readonly _tag: "Insert"
  readonly shape: Shapes.InsertShape
  readonly rows: ReadonlyArray<Shapes.Values>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface UpdateWrite {
  readonly _tag: "Update"
  readonly shape: Shapes.UpdateShape
  readonly set: Shapes.Values
  readonly where: Shapes.Values
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CountWrite {
  readonly _tag: "Count"
  readonly customerId: number
  /** How many more there are. */
  readonly by: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface InsertNumbered {
  readonly _tag: "InsertNumbered"
  readonly shape: Shapes.InsertShape
  /** The column of both tables that has the number. */
  readonly key: string
  readonly beside: Shapes.InsertShape
  readonly rows: ReadonlyArray<{ readonly own: Shapes.Values; readonly beside: Shapes.Values }>
}
