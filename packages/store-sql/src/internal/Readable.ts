/**
 * Rows that a worker takes: one that cannot be read is reported and passed over, so that it holds nobody else up.
 *
 * @since 0.1.0
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"

/**
 * The values of those rows of a table that can be read.
 *
 * @category decoding
 * @since 0.1.0
 */
export const readable =
  <Row, A>(table: string, decode: (row: Row) => Effect.Effect<A, Schema.SchemaError>) =>
  (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<A>> =>
    Effect.map(
      Effect.forEach(rows, (row) =>
        Effect.catch(Effect.asSome(decode(row)), (error) =>
          Effect.as(Effect.logError(`A row of ${table} cannot be read and is passed over`, error), Option.none<A>())
        )
      ),
      Arr.getSomes
    )
