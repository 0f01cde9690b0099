/**
 * Texts with a computed part, such as numbers with check digits.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/**
 * A string schema that property tests can generate values for. Random text almost never has valid check digits, so
 * values are generated from `seed` and completed by `derive`. The schema itself only checks for a string; add further
 * checks.
 *
 * **Details**
 *
 * `pattern` and `describe` define the JSON Schema, which the added checks cannot do. The added checks must imply both.
 *
 * @category constructors
 * @since 0.1.0
 */
export const derivedText = <Seed extends Schema.Constraint>(options: {
  readonly pattern: RegExp
  readonly describe?: { readonly format: string }
  readonly seed: Seed
  readonly derive: (seed: Seed["Type"]) => string
}) => {
  const description = { pattern: options.pattern.source, ...options.describe }
  // This filter accepts everything, so that later checks refuse a JSON value with their own messages.
  const shape = Schema.makeFilter(() => true, { toJsonSchema: () => description })
  return Schema.declare<string>((input): input is string => typeof input === "string", {
    expected: "string",
    toCodec: () =>
      Schema.link<string>()(Schema.String.check(shape), {
        decode: SchemaGetter.passthrough(),
        encode: SchemaGetter.passthrough()
      }),
    toCodecArbitrary: () =>
      Schema.link<string>()(options.seed, {
        decode: SchemaGetter.transform(options.derive),
        encode: SchemaGetter.forbidden(() => "Seeds are only generated from")
      })
  })
}
