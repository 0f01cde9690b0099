/**
 * Commands that are derived from a control of a sandbox or an operation of an administration. Path parameters and
 * required body fields become arguments; all other fields become flags. The command's author adds only the output and
 * an example.
 *
 * @since 0.1.0
 */
import { AdministrationOperations } from "@parcela/transport/administration/AdministrationContract"
import { type WriteWithoutKeyError, InvalidRequest } from "@parcela/transport/client/ClientError"
import { type Fields, fieldsOf, type Operation, operationsOf } from "@parcela/transport/client/Operation"
import { SandboxOperations } from "@parcela/transport/sandbox/SandboxContract"
import { Effect, Option, Schema, SchemaAST, Struct } from "effect"
import { Argument, Flag } from "effect/cli"
import { administer, type Administration, type Client, control } from "./Control.ts"
import type { Paint } from "./Terminal.ts"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"

type Method<A> = (...args: ReadonlyArray<never>) => Effect.Effect<A, WriteWithoutKeyError>

type Call<A> = (...args: ReadonlyArray<unknown>) => Effect.Effect<A, WriteWithoutKeyError>

/** The response of a method. */
type ResponseOf<M> = M extends Method<infer A> ? A : never

/** The company comes from the connection. */
const company = "clientId"

/** Returns the operation; the client's type guarantees that it exists. */
const operationOf = (operations: ReadonlyArray<Operation>, name: string): Operation => {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`the contract has no ${name}`)
  return found
}

/** Returns the argument `endpoint` for `endpointId`: a number or text by the contract. */
const argumentOf = (field: string, schema: Schema.Top): Argument.Argument<unknown> => {
  const name = field.replace(/(?<!^my)Id$/u, "")
  const isNumber = Schema.toEncoded(schema).ast._tag === "Number"
  const description = descriptionOf(schema) || `${isNumber ? "Number" : "Identifier"} of the ${name}`
  const argument: Argument.Argument<unknown> = isNumber ? Argument.Int(name) : Argument.String(name)
  return argument.pipe(Argument.withDescription(description))
}

const argumentsOf = (fields: Fields): Readonly<Record<string, Argument.Argument<unknown>>> =>
  Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, argumentOf(field, schema)]))

/** Returns the required fields of a body. */
const requiredOf = (operation: Operation): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(operation.body)).filter(
      ([field, { ast }]) => field !== company && !SchemaAST.isOptional(ast)
    )
  )

interface Given {
  readonly path: Readonly<Record<string, unknown>>
  readonly required: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, Option.Option<string>>>
}

/** Returns the flags and arguments of an operation, and the function that runs it. */
const derived = <C, Response, Ran>(
  operation: Operation,
  callOf: (client: C) => Call<Response>,
  run: (ask: (client: C, company: string) => Effect.Effect<Response, WriteWithoutKeyError>) => Ran
) => {
  const { body, params, query } = operation
  const pathFields = Struct.omit(fieldsOf(params), [company])
  const required = requiredOf(operation)
  const fields = Struct.omit(fieldsOf(query ?? body), [company, ...Object.keys(required)])
  const { flags, read } = contractFlags(fields)
  const encode = Schema.encodeUnknownEffect(
    // Schemas of the contract need no services.
    Schema.Struct(fields) as unknown as Schema.Codec<object>
  )
  const hasCompany = company in fieldsOf(query ?? body)

  const inputOf = Effect.fnUntraced(function* ({ flags, required }: Given, clientId: string) {
    const decoded = yield* read(flags)
    // The body has its wire format; decoded values can always be encoded.
    const input = query === undefined ? yield* Effect.orDie(encode(decoded)) : decoded
    return { ...required, ...input, ...(hasCompany ? { [company]: clientId } : {}) }
  })

  /** Sends the operation with the given arguments, where `changes` replaces some fields. */
  const ask = (
    client: C,
    clientId: string,
    given: Given,
    changes: object = {}
  ): Effect.Effect<Response, WriteWithoutKeyError> =>
    Effect.gen(function* () {
      const path =
        params === undefined
          ? []
          : Object.keys(pathFields).length === 0
            ? [clientId]
            : [{ ...given.path, ...(company in fieldsOf(params) ? { [company]: clientId } : {}) }]
      const input = (query ?? body) === undefined ? [] : [{ ...(yield* inputOf(given, clientId)), ...changes }]
      return yield* callOf(client)(...path, ...input)
    })

  const handler = (given: Given) => run((client, clientId) => ask(client, clientId, given))
  return { ask, input: { path: argumentsOf(pathFields), required: argumentsOf(required), flags }, handler }
}

const controls = operationsOf(SandboxOperations)

/** Returns the configuration and handler of `Command.make` for a control such as `testCards.list`. */
export const derivedControl = <G extends keyof Client, M extends keyof Client[G] & string>(
  group: G,
  method: M,
  show: (response: ResponseOf<Client[G][M]>, paint: Paint, company: string) => string
) =>
  derived(
    operationOf(controls, `${group}.${method}`),
    // The client is derived from the same contract as path and input.
    (client: Client) => client[group][method] as unknown as Call<ResponseOf<Client[G][M]>>,
    (ask) => control(ask, show)
  )

const administration = operationsOf(AdministrationOperations)

/** Returns the configuration and handler of `Command.make` for an operation of the administration. */
export const derivedAdministration = <G extends keyof Administration, M extends keyof Administration[G] & string>(
  group: G,
  method: M,
  show: (response: ResponseOf<Administration[G][M]>, paint: Paint, company: string) => string
) =>
  derived(
    operationOf(administration, `${group}.${method}`),
    // The client is derived from the same contract as path and input.
    (client: Administration) => client[group][method] as unknown as Call<ResponseOf<Administration[G][M]>>,
    (ask) => administer(ask, show)
  )

type QueryFields = Readonly<Record<string, Schema.Top>>

type FlagsOf<F extends QueryFields> = { readonly [K in keyof F]: Flag.Flag<Option.Option<string>> }

type FlagValues<F extends QueryFields> = { readonly [K in keyof F]: Option.Option<string> }

/** Converts `endpointId` to `endpoint-id`. */
const flagName = (field: string): string => field.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)

/** Returns the contract's description of a field without the full stop; empty by default. */
const descriptionOf = ({ ast }: Schema.Top): string => {
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
export const contractFlags = <F extends QueryFields>(fields: F) => {
  // TypeScript cannot type a mapped type entry by entry.
  const flags = Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, flagOf(field, schema)])
  ) as FlagsOf<F>
  const texts = Schema.toCodecStringTree(Schema.Struct(fields))
  // Flags contain text like URLs, and schemas of the contract need no services.
  const codec = texts as unknown as Schema.Codec<Schema.Struct<F>["Type"]>
  const decode = Schema.decodeUnknownEffect(codec, { errors: "all" })
  const read = (options: FlagValues<F>) => {
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
