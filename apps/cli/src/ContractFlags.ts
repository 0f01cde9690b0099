/**
 * Flags that are derived from a contract: each field of a query becomes a flag with the field's name, description and
 * choices.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { InvalidRequest } from "@parcela/transport/client/ClientError"
import { Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"

type Fields = Readonly<Record<string, Schema.Top>>

type FlagsOf<F extends Fields> = { readonly [K in keyof F]: Flag.Flag<Option.Option<string>> }

type Given<F extends Fields> = { readonly [K in keyof F]: Option.Option<string> }

/** Converts `endpointId` to `endpoint-id`. */
const flagName = (field: string): string => field.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

/** Returns the contract's description of a field without the full stop; empty by default. */
export const descriptionOf = ({ ast }: Schema.Top): string => {
  const description = ast.context?.annotations?.["description"]
  return typeof description === "string" ? description.replace(/\.$/u, "") : ""
}

/** Returns the allowed words of an enumerated field. */
const choicesOf = ({ ast }: Schema.Top): ReadonlyArray<string> =>
  ast._tag === "Union"
    ? ast.types.flatMap((type) => (type._tag === "Literal" && typeof type.literal === "string" ? [type.literal] : []))
    : []

const flagOf = (field: string, schema: Schema.Top): Flag.Flag<Option.Option<string>> => {
  const choices = choicesOf(schema)
  const description = descriptionOf(schema)
  const flag: Flag.Flag<string> =
    choices.length > 0 ? Flag.Literals(flagName(field), choices) : Flag.String(flagName(field))
  return (description === "" ? flag : Flag.withDescription(flag, description)).pipe(Flag.optional)
}

/**
 * Returns the flags of some fields, and a decoder of their texts. The contract validates the texts, and all errors are
 * reported together.
 */
export const contractFlags = <F extends Fields>(fields: F) => {
  // TypeScript cannot type a mapped type entry by entry.
  const flags = Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, flagOf(field, schema)])
  ) as FlagsOf<F>
  const texts = Schema.toCodecStringTree(Schema.Struct(fields))
  // Flags contain text like URLs, and schemas of the contract need no services.
  const codec = texts as unknown as Schema.Codec<Schema.Struct<F>["Type"]>
  const decode = Schema.decodeUnknownEffect(codec, { errors: "all" })
  const read = (options: Given<F>) => {
    const given = Object.keys(fields).flatMap((field) => {
      const text = options[field]
      return text !== undefined && Option.isSome(text) ? [[field, text.value] as const] : []
    })
    return Effect.mapError(
      decode(Object.fromEntries(given)),
      ({ issue }) =>
        new InvalidRequest({
          details: Object.fromEntries(
            Object.entries(detailsOf(issue, "Flag")).map(([key, problems]) => [
              `--${flagName(key.slice("Flag.".length))}`,
              problems
            ])
          )
        })
    )
  }
  return { flags, read }
}
