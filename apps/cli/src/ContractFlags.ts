/**
 * Flags that are derived from a contract: a flag for each field of a query, with the field's name, meaning and choices.
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

/** `endpointId` as `endpoint-id`. */
const flagName = (field: string): string => field.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

/** What the contract says of a field, without the full stop; empty where it says nothing. */
export const descriptionOf = ({ ast }: Schema.Top): string => {
  const description = ast.context?.annotations?.["description"]
  return typeof description === "string" ? description.replace(/\.$/u, "") : ""
}

/** The words that a field may be, where it is one of a few. */
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
 * The flags of some fields, and how their texts become what the client takes. What a flag may not be is what the contract
 * says; all that are wrong are named at once.
 */
export const contractFlags = <F extends Fields>(fields: F) => {
  // A mapped type cannot be computed entry by entry.
  const flags = Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, flagOf(field, schema)])
  ) as FlagsOf<F>
  const texts = Schema.toCodecStringTree(Schema.Struct(fields))
  // What an address can hold a flag can hold; no schema of the contract needs a service.
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
