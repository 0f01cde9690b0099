/**
 * What the text of a write depends on: its table and its columns. There is one object for each shape, by which its text is
 * found, and the values of a write stand in the order of its shape's columns. To compare the columns of a write with those of
 * others, and to put its text together, took longer than to run most of them.
 *
 * @since 0.1.0
 */
import type { Value } from "./Statement.ts"

/**
 * Values in the order of columns.
 *
 * @category models
 * @since 0.1.0
 */
export type Values = ReadonlyArray<Value>

/**
 * Names of columns in an order.
 *
 * @category models
 * @since 0.1.0
 */
export type Names = ReadonlyArray<string>

/**
 * A table whose rows are replaced: its key columns, and those that are the same in every row of a key. On SQLite a column with a foreign
 * key is best among these: where an upsert sets one, SQLite takes it for several writes and keeps each page as it was.
 *
 * @category models
 * @since 0.1.0
 */
export interface Upsert {
  readonly key: Names
  readonly fixed: Names
}

/**
 * Rows with the same columns.
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
 * The rows with the values of `where`, and nothing in the columns of `empty`. `versioned`: a row of an entity, whose version
 * rises.
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
 * The rows with the values of `where`, and one of several in the column `among`.
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
 * Columns by their names, each with how its value is made.
 *
 * @category models
 * @since 0.1.0
 */
export type Cells<A> = Readonly<Record<string, (of: A) => Value>>

/**
 * The rows of a table that are made of something.
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
export const named = <A>({ shape, values }: Rows<A>, of: A): Readonly<Record<string, Value>> => {
  const row = values(of)
  return Object.fromEntries(shape.columns.map((name, place) => [name, row[place] ?? null]))
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
 * Columns that an update sets, in their order, with their values.
 *
 * @category models
 * @since 0.1.0
 */
export interface Update {
  readonly shape: UpdateShape
  readonly set: Values
}

/**
 * The update of a row to what differs, by its `id`.
 *
 * @category models
 * @since 0.1.0
 */
export type Changes<A> = (before: A, next: A, further: Values) => Update

/**
 * Columns that may change, and `further` ones that are set in any case. There are as few shapes as there are sets of columns
 * that change together: none is made twice, and none is forgotten.
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
    const names = all.flatMap(([name], place) => ((changed & (1 << place)) === 0 ? [] : [name]))
    const shape = { table, set: [...names, ...further], where: ["id"], versioned }
    known.set(changed, shape)
    return shape
  }
  return (before, next, furtherValues) => {
    // Which columns changed, as bits: no table has as many as 31.
    let changed = 0
    const set: Array<Value> = []
    for (let place = 0; place < all.length; place++) {
      // It is one of the places of the list.
      const cell = all[place]![1]
      const value = cell(next)
      if (cell(before) === value) continue
      changed |= 1 << place
      set.push(value)
    }
    set.push(...furtherValues)
    return { shape: shapeOf(changed), set }
  }
}

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
  /** How many more there are. */
  readonly by: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface InsertNumbered {
  readonly _tag: "InsertNumbered"
  readonly shape: InsertShape
  /** The column of both tables that has the number. */
  readonly key: string
  readonly beside: InsertShape
  readonly rows: ReadonlyArray<{ readonly own: Values; readonly beside: Values }>
}

/** Gives the placeholder of a value. */
type Bind = (value: Value) => string

/**
 * What follows `SET` in an update of this shape.
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
