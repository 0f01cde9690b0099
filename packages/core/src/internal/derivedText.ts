/**
 * Text of which a part is computed from the rest, such as a number with check digits.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/**
 * A string schema that property tests can draw from although random text would almost never have right check digits:
 * values come from `seed`, completed by `derive`. It checks nothing but "is a string"; add the checks behind it.
 *
 * **Details**
 *
 * `pattern` and `describe` give JSON Schema the shape, as the checks added behind it cannot; those must imply it.
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
  // Always passes, so that a value read from JSON is refused by the later checks and with their words.
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
