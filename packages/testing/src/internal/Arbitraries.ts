/**
 * Generated values that a store can be asked to give back.
 *
 * @since 0.1.0
 */
import { fromEpochDay, type LocalDate } from "@parcela/core/time/LocalDate"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"

/** Values of a schema as JSON distinguishes them: generated integers include -0, which no store keeps. */
export const normalized = <A>(schema: Schema.Schema<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(Arbitrary.schema(schema), (value) => JSON.parse(JSON.stringify(value)) as A)

/** Any day there is. Generated from its schema, almost every one would be refused: few numbers are days. */
export const localDate: Arbitrary.Arbitrary<LocalDate> = Arbitrary.map(
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: -354_285, maximum: 2_932_896 }))),
  fromEpochDay
)
