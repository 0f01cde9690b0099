/**
 * How columns are read and written, whatever the database.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/**
 * A whole number as drivers return it: a number, a bigint, or text (PostgreSQL's `bigint`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const integer = <S extends Schema.ConstraintCodec<number, number>>(schema: S) =>
  Schema.Union([Schema.Number, Schema.BigInt, Schema.String]).pipe(
    Schema.decodeTo(
      schema,
      SchemaTransformation.transform<number, number | bigint | string>({
        decode: Number,
        encode: (number) => number
      })
    )
  )

/**
 * A `TEXT` column that holds the JSON of a value.
 *
 * @category models
 * @since 0.1.0
 */
export interface JsonColumn<A> {
  /** A value of our own code is JSON as it stands: it is checked when it is read. */
  readonly encode: (value: A) => string
  /** The value of the column `data` of one row. */
  readonly decodeRow: (row: { readonly data: unknown }) => Effect.Effect<A, Schema.SchemaError>
  /** The values of the column `data`, row by row. */
  readonly decodeRows: (
    rows: ReadonlyArray<{ readonly data: unknown }>
  ) => Effect.Effect<ReadonlyArray<A>, Schema.SchemaError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const json = <A>(schema: Schema.ConstraintCodec<A, A>): JsonColumn<A> => {
  const text = Schema.fromJsonString(schema)
  const decode = Schema.decodeUnknownEffect(text)
  return {
    encode: JSON.stringify,
    decodeRow: ({ data }) => decode(data),
    decodeRows: (rows) => Effect.forEach(rows, ({ data }) => decode(data))
  }
}
