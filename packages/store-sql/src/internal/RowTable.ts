/**
 * A table whose rows are read column by column: one schema and one name for each column, wherever its rows are read.
 *
 * @since 0.1.0
 */
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JsonText from "./JsonText.ts"
import { toStoreError } from "./StoreErrors.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface RowTable<Row> {
  /** The columns by the names that they are read under, for a JSON object. */
  readonly fields: (alias: string) => Readonly<Record<string, string>>
  /** The columns under the names that they are read under, for `SELECT` and `RETURNING`. */
  readonly selected: string
  /** Rows with `selected`. */
  readonly decode: (rows: ReadonlyArray<unknown>) => Result.Result<ReadonlyArray<Row>, StoreError>
  /** A JSON array of objects with `fields`. */
  readonly decodeJson: (json: unknown) => Result.Result<ReadonlyArray<Row>, StoreError>
}

/** Most payments are loaded before their first attempt. */
const none = "[]"

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = <Row, Encoded>(options: {
  readonly table: string
  readonly schema: Schema.ConstraintCodec<Row, Encoded>
  /** Which column each field is read from. */
  readonly columns: Readonly<Record<keyof Row & string, string>>
}): RowTable<Row> => {
  const { columns, schema, table } = options
  const rows = Schema.Array(schema)
  const decodeRows = Schema.decodeUnknownResult(rows)
  const decodeText = JsonText.decode(rows)
  const pairs = Object.entries<string>(columns)
  return {
    fields: (alias) => Object.fromEntries(pairs.map(([name, column]) => [name, `${alias}.${column}`])),
    selected: pairs.map(([name, column]) => `${column} AS "${name}"`).join(", "),
    decode: (found) => Result.mapError(decodeRows(found), toStoreError(table)),
    decodeJson: (json) => (json === none ? Result.succeed([]) : Result.mapError(decodeText(json), toStoreError(table)))
  }
}
