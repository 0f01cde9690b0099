/**
 * Commands that are derived from a control of a sandbox or an operation of an administration. Path parameters and
 * required body fields become arguments; all other fields become flags. The command's author adds only the output and
 * an example.
 *
 * @since 0.1.0
 */
import { AdministrationOperations } from "@parcela/transport/administration/AdministrationContract"
import type { WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import { type Fields, fieldsOf, type Operation, operationsOf } from "@parcela/transport/client/Operation"
import { SandboxOperations } from "@parcela/transport/sandbox/SandboxContract"
import { Effect, type Option, Schema, SchemaAST, Struct } from "effect"
import { Argument } from "effect/cli"
import { contractFlags, descriptionOf } from "./ContractFlags.ts"
import { administer, type Administration, type Client, control } from "./Control.ts"
import type { Paint } from "./Paint.ts"

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
