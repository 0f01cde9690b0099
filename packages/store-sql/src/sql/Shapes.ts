/**
 * Writes of rows, as shapes and values. A shape is the table and the columns of a write: there is one object for each shape, which is the
 * key of its cached text. The values of a write have the order of the shape's columns.
 *
 * @since 0.1.0
 */
import type { Value } from "./Statement.ts"

/**
 * The values of a row, in the order of its columns.
 *
 * @category models
 * @since 0.1.0
 */
export type Values = ReadonlyArray<Value>

/**
 * The names of columns, in their order.
 *
 * @category models
 * @since 0.1.0
 */
export type Names = ReadonlyArray<string>

/**
 * The columns of an insert that replaces existing rows: the key, and the columns that are equal in every row of a key.
 *
 * A column with a foreign key should be among the fixed ones: if an upsert sets it, SQLite saves each changed page to a file first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Upsert {
  readonly key: Names
  readonly fixed: Names
}

/**
 * The shape of an insert.
 *
 * @category models
 * @since 0.1.0
 */
export interface InsertShape {
  readonly table: string
  readonly columns: Names
  readonly upsert?: Upsert | undefined
}

/**
 * The shape of an update of the rows with the values of `where`, and null in the columns of `empty`. `versioned`: the version of the row
 * is incremented.
 *
 * @category models
 * @since 0.1.0
 */
export interface UpdateShape {
  readonly table: string
  readonly set: Names
  readonly where: Names
  readonly empty?: Names
  readonly versioned: boolean
}

/**
 * The shape of a delete of the rows with the values of `where`, and one of several values in the column `among`.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeleteShape {
  readonly table: string
  readonly where: Names
  readonly among: string
}

/**
 * Functions that return the values of columns, by the names of the columns.
 *
 * @category models
 * @since 0.1.0
 */
export type Cells<A> = Readonly<Record<string, (of: A) => Value>>

/**
 * The new rows of a table, made from objects of one type.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rows<A> {
  readonly shape: InsertShape
  readonly values: (of: A) => Values
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const rows = <A>(table: string, cells: Cells<A>, upsert?: Upsert): Rows<A> => ({
  shape: { table, columns: Object.keys(cells), upsert },
  values: valuesOf(cells)
})

/**
 * A row by the names of its columns.
 *
 * @category conversions
 * @since 0.1.0
 */
export const recordOf = <A>({ shape, values }: Rows<A>, of: A): Readonly<Record<string, Value>> => {
  const row = values(of)
  return Object.fromEntries(shape.columns.map((name, index) => [name, row[index] ?? null]))
}

/**
 * The values of columns, in their order.
 *
 * @category conversions
 * @since 0.1.0
 */
export const valuesOf = <A>(cells: Cells<A>): ((of: A) => Values) => {
  const all = Object.values(cells)
  return (of) => all.map((cell) => cell(of))
}

/**
 * The columns that an update sets, with their values.
 *
 * @category models
 * @since 0.1.0
 */
export interface Update {
  readonly shape: UpdateShape
  readonly set: Values
}

/**
 * Returns the update of the columns that differ, in the row with the `id`.
 *
 * @category models
 * @since 0.1.0
 */
export type Changes<A> = (before: A, next: A, further: Values) => Update

/**
 * The changes of these columns, with `further` columns that are always set. Each set of changed columns has one shape. No shape is dropped:
 * few sets of columns change together.
 *
 * @category constructors
 * @since 0.1.0
 */
export const changes = <A>(
  table: string,
  cells: Cells<A>,
  { further, versioned }: { readonly further: Names; readonly versioned: boolean }
): Changes<A> => {
  const all = Object.entries(cells)
  const known = new Map<number, UpdateShape>()
  const shapeOf = (changed: number): UpdateShape => {
    const found = known.get(changed)
    if (found !== undefined) return found
    const names = all.flatMap(([name], index) => ((changed & (1 << index)) === 0 ? [] : [name]))
    const shape = { table, set: [...names, ...further], where: ["id"], versioned }
    known.set(changed, shape)
    return shape
  }
  return (before, next, furtherValues) => {
    // The changed columns as bits: every table has fewer than 31 columns.
    let changed = 0
    const set: Array<Value> = []
    for (const [index, [, cell]] of all.entries()) {
      const value = cell(next)
      if (cell(before) === value) continue
      changed |= 1 << index
      set.push(value)
    }
    set.push(...furtherValues)
    return { shape: shapeOf(changed), set }
  }
}

/**
 * A write of rows of one table.
 *
 * - `Guard`: increments the version of a root and sets its changed columns. It fails if the root has another version than the loaded one
 * - `Insert`: rows of one shape
 * - `InsertNumbered`: rows that the database numbers in their order, each with a row of another table under the same number
 * - `Update` and `Delete`: rows as in their shapes
 * - `Count`: the live contracts of a customer that start or end. Only for SQLite, see `countContracts`
 *
 * @category models
 * @since 0.1.0
 */
export type RowWrite =
  | {
      readonly _tag: "Guard"
      readonly shape: UpdateShape
      readonly id: number
      readonly version: number
      readonly set: Values
    }
  | InsertWrite
  | InsertNumbered
  | UpdateWrite
  | {
      readonly _tag: "Delete"
      readonly shape: DeleteShape
      readonly where: Values
      readonly among: Values
    }
  | CountWrite

/**
 * @category models
 * @since 0.1.0
 */
export interface InsertWrite {
  readonly _tag: "Insert"
  readonly shape: InsertShape
  readonly rows: ReadonlyArray<Values>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface UpdateWrite {
  readonly _tag: "Update"
  readonly shape: UpdateShape
  readonly set: Values
  readonly where: Values
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CountWrite {
  readonly _tag: "Count"
  readonly customerId: number
  /** The number of contracts to add, or to subtract if negative. */
  readonly by: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface InsertNumbered {
  readonly _tag: "InsertNumbered"
  readonly shape: InsertShape
  /** The column with the number, in both tables. */
  readonly key: string
  readonly related: InsertShape
  readonly rows: ReadonlyArray<{ readonly own: Values; readonly related: Values }>
}

/** Gives the placeholder of a value. */
type Bind = (value: Value) => string

/**
 * The assignments after `SET` in an update of this shape.
 *
 * @category clauses
 * @since 0.1.0
 */
export const assignments = ({ set, versioned }: UpdateShape, values: Values, bind: Bind): string =>
  [...(versioned ? ["version = version + 1"] : []), ...equalities(set, values, bind)].join(", ")

/**
 * The condition of an update of this shape.
 *
 * @category clauses
 * @since 0.1.0
 */
export const conditions = ({ empty = [], where }: UpdateShape, values: Values, bind: Bind): string =>
  [...equalities(where, values, bind), ...empty.map((name) => `${name} IS NULL`)].join(" AND ")

/**
 * `column = value` for each column.
 *
 * @category clauses
 * @since 0.1.0
 */
export const equalities = (columns: Names, values: Values, bind: Bind): ReadonlyArray<string> =>
  columns.map((name, index) => `${name} = ${bind(values[index] ?? null)}`)

/**
 * The `ON CONFLICT` clause of an insert; empty where rows are not replaced.
 *
 * @category clauses
 * @since 0.1.0
 */
export const onConflict = ({ columns, upsert }: InsertShape): string => {
  if (upsert === undefined) return ""
  const others = columns.filter((name) => !upsert.key.includes(name) && !upsert.fixed.includes(name))
  const key = upsert.key.join(", ")
  if (others.length === 0) return ` ON CONFLICT (${key}) DO NOTHING`
  return ` ON CONFLICT (${key}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`
}
