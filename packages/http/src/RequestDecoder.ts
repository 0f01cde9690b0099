/**
 * Reads the parts of a request by the schemas of its endpoint: strictly first, and where that fails, once more in the form
 * that core's tolerance gives it. Everything is prepared once.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { detailsOf, keyOf } from "@parcela/core/errors/ErrorDetails"
import { fitting } from "@parcela/core/json/Fitting"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { repeatedKeys } from "@parcela/core/json/RepeatedKeys"
import { fieldTolerance, tolerance, type Tolerated, type ToleranceOptions } from "@parcela/core/json/RequestTolerance"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { ClosedBody, OptionalBody } from "@parcela/transport/contract/Operation"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { BadRequest } from "@parcela/transport/ApiError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { withLetters } from "./DocumentsWithLetters.ts"
import { entityInPath, notJson, ofBody, refuseFaults } from "./InvalidRequest.ts"
import { withOptionalMyId } from "./OptionalMyId.ts"
import { fieldsOf } from "./RequestBody.ts"

/**
 * What was read, and the names of keys that were ignored.
 *
 * @category models
 * @since 0.1.0
 */
export interface Read {
  readonly value: unknown
  readonly unknownKeys: ReadonlyArray<string>
}

/**
 * Today where the request belongs: faults of a card depend on it.
 *
 * @category models
 * @since 0.1.0
 */
export type Today = Effect.Effect<LocalDate, StoreError>

/**
 * Reads a part of a request; at once where it has no fault.
 *
 * @category models
 * @since 0.1.0
 */
export type Reader<Input> = (input: Input, today: Today) => Effect.Effect<Read, BadRequest | StoreError>

type Fields = { readonly [name: string]: unknown }

/**
 * The readers of an endpoint; one is absent where the endpoint has no such part.
 *
 * @category models
 * @since 0.1.0
 */
export interface RequestDecoder {
  readonly params: Reader<Fields> | undefined
  readonly query: Reader<Fields> | undefined
  readonly json: Reader<string> | undefined
  readonly form: Reader<string> | undefined
  /** Whether a body that is not there is read as an empty object, whatever its content type. */
  readonly isBodyOptional: boolean
  /** Whether what the body creates gets a `myId` that is made, where the body has none. */
  readonly isMyIdMade: boolean
}

/**
 * @category options
 * @since 0.1.0
 */
export interface DecoderOptions {
  readonly annotations: Context.Context<never>
  /** The entity of faults whose place names none. */
  readonly entity: string
  /** Whether other forms and unknown keys are taken. */
  readonly isTolerant: boolean
  /** Whether a body of no text is an empty object. */
  readonly isBodyOptional: boolean
  /** Whether a customer's document may have letters. */
  readonly mayHaveLetters: boolean
  /** Whether a body may lack the `myId` that it needs. */
  readonly mayLackMyId: boolean
}

/** Every fault at once, and no key passes unseen. */
const strictly = { errors: "all", onExcessProperty: "error" } as const

const decodeOf = ({ ast }: Schema.Top) =>
  // Schemas of a contract need no services.
  Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), strictly)

/**
 * Decodes the fields that are there, each by its own schema: of the many parameters of a list a request has a few. Undefined
 * where something has a fault, which the whole schema finds then; and for schemas that are more than their fields.
 */
const byField = ({ ast }: Schema.Top): ((input: unknown) => Fields | undefined) | undefined => {
  if (!SchemaAST.isObjects(ast) || ast.checks !== undefined || ast.encoding !== undefined) return undefined
  if (ast.indexSignatures.length > 0) return undefined
  const fields = new Map<PropertyKey, ReturnType<typeof decodeOf>>()
  const required: Array<PropertyKey> = []
  for (const { name, type } of ast.propertySignatures) {
    const field = Schema.make<Schema.Codec<unknown>>(type)
    const absent = decodeOf(Schema.Struct({ [name]: field }))({})
    // Its value when it is absent is not known here.
    if (Result.isSuccess(absent) && name in Object(absent.success)) return undefined
    if (Result.isFailure(absent)) required.push(name)
    fields.set(name, decodeOf(field))
  }
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined
    const decoded: Record<string, unknown> = {}
    // Any object has values by its names.
    const given = input as Fields
    for (const name of Object.keys(given)) {
      const result = fields.get(name)?.(given[name])
      if (result === undefined || Result.isFailure(result)) return undefined
      decoded[name] = result.success
    }
    return required.every((name) => name in decoded) ? decoded : undefined
  }
}

const noKeys: ReadonlyArray<string> = []

const taken = (value: unknown): Effect.Effect<Read> => Effect.succeed({ value, unknownKeys: noKeys })

interface Source<Input> {
  readonly schema: Schema.Top
  readonly tolerate: (input: Input) => Tolerated
  readonly isTolerant: boolean
  readonly faultsOf: (
    error: Schema.SchemaError,
    input: unknown,
    today: Today
  ) => Effect.Effect<ErrorDetails, StoreError>
}

/** Reads strictly, then tolerantly. */
const reader = <Input>({ faultsOf, isTolerant, schema, tolerate }: Source<Input>): Reader<Input> => {
  const decode = decodeOf(schema)
  const decodeFields = byField(schema)
  return (input, today) => {
    const value = decodeFields?.(input)
    if (value !== undefined) return taken(value)
    const strict = decode(input)
    if (Result.isSuccess(strict)) return taken(strict.success)
    const { doubled, json, nearMisses, unknownKeys } = tolerate(input)
    if (!isTolerant) {
      return Effect.flatMap(faultsOf(strict.failure, input, today), (faults) => refuseFaults({ ...doubled, ...faults }))
    }
    const refused = { ...nearMisses, ...doubled }
    const again = decode(json)
    if (Result.isFailure(again)) {
      return Effect.flatMap(faultsOf(again.failure, json, today), (faults) =>
        refuseFaults({ ...faults, ...refused }, unknownKeys)
      )
    }
    return Object.keys(refused).length > 0
      ? refuseFaults(refused, unknownKeys)
      : Effect.succeed({ value: again.success, unknownKeys })
  }
}

const alias = galaxPay.fromWireName

/** A path has no unknown keys; its `typeId` has two spellings. */
const aliasedPath = (params: Fields): Tolerated => ({
  json: { ...params, ...(typeof params["typeId"] === "string" ? { typeId: alias(params["typeId"]) } : {}) },
  unknownKeys: [],
  nearMisses: {},
  doubled: {}
})

const repeated = ["is given more than once"]

/** Of a parameter that is there twice and is no list, what its value should be does not help. */
const repeatedParameters = (details: ErrorDetails, query: Fields, entity: string): ErrorDetails =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const key = keyOf([name], entity)
      return Array.isArray(value) && key in details ? [[key, repeated]] : []
    })
  )

/**
 * The readers of an endpoint's request.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  endpoint: HttpApiEndpoint.Top,
  { annotations, entity, isTolerant, mayHaveLetters, mayLackMyId, ...options }: DecoderOptions
): RequestDecoder => {
  const isBodyOptional = options.isBodyOptional || Context.get(annotations, OptionalBody)
  const isClosed = Context.get(annotations, ClosedBody)
  const tolerated = { entity, alias, isClosed }
  const ofEntity = (entity: string) => (error: Schema.SchemaError) => Effect.succeed(detailsOf(error.issue, entity))
  const query = endpoint.query === undefined ? undefined : Schema.toCodecArrayFromSingle(endpoint.query)
  const written = endpoint.payload.get("application/json")?.schemas[0]
  const lettered = written && mayHaveLetters ? withLetters(written) : written
  const unnamed = lettered && mayLackMyId ? withOptionalMyId(lettered) : undefined
  const json = unnamed ?? lettered
  const form = endpoint.payload.get("application/x-www-form-urlencoded")?.schemas[0]
  return {
    params:
      endpoint.params &&
      asItStands(
        endpoint.params,
        reader({
          schema: endpoint.params,
          tolerate: aliasedPath,
          isTolerant,
          faultsOf: ofEntity(entityInPath(endpoint.path, entity))
        })
      ),
    query:
      query &&
      reader({
        schema: query,
        tolerate: fieldTolerance(query, { ...tolerated, isNarrowing: true }),
        isTolerant,
        faultsOf: ({ issue }, input) => {
          const details = detailsOf(issue, entity)
          return Effect.succeed({ ...details, ...repeatedParameters(details, Object(input), entity) })
        }
      }),
    json:
      json &&
      jsonReader(
        asItStands(
          json,
          reader({
            schema: json,
            tolerate: tolerance(json, tolerated),
            isTolerant,
            faultsOf: (error, body, today) => ofBody(error, body, entity, today)
          })
        ),
        {
          entity,
          // An empty form has no fields.
          empty: isBodyOptional || form !== undefined ? {} : undefined,
          isEmptyList: isBodyOptional && isTolerant
        }
      ),
    form: form && formReader(form, { ...tolerated, isTolerant }),
    isBodyOptional,
    isMyIdMade: unnamed !== undefined
  }
}

/** Takes what fits the schema as it stands, which most bodies and paths do; all others go to `read`, which knows what is wrong. */
const asItStands = <Input>({ ast }: Schema.Top, read: Reader<Input>): Reader<Input> => {
  const fits = fitting(Schema.make<Schema.Codec<unknown>>(ast))
  return (input, today) => {
    return fits(input) ? taken(input) : read(input, today)
  }
}

const jsonReader =
  (
    read: Reader<unknown>,
    {
      empty,
      entity,
      isEmptyList
    }: {
      readonly entity: string
      readonly empty: Fields | undefined
      /** Whether `[]` is an empty object, as PHP writes one. */
      readonly isEmptyList: boolean
    }
  ): Reader<string> =>
  (text, today) => {
    if (text === "") return read(empty, today)
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return refuseFaults(notJson(text, entity) ?? { [`${entity}.body`]: ["is not JSON"] })
    }
    const again = repeatedKeys(text)
    if (again.length > 0)
      return refuseFaults(Object.fromEntries(again.map((place) => [keyOf(place, entity), repeated])))
    return read(isEmptyList && Array.isArray(body) && body.length === 0 ? {} : body, today)
  }

const formReader = (
  form: Schema.Top,
  { isTolerant, ...tolerated }: ToleranceOptions & Pick<Source<Fields>, "isTolerant">
): Reader<string> => {
  const { entity } = tolerated
  const read = reader({
    schema: Schema.toCodecArrayFromSingle(form),
    tolerate: fieldTolerance(form, tolerated),
    isTolerant,
    faultsOf: ({ issue }) => Effect.succeed(detailsOf(issue, entity))
  })
  return (text, today) =>
    // Text that is no form would become the name of a field, and names of fields are shown.
    text === "" || text.includes("=")
      ? read(fieldsOf(text), today)
      : refuseFaults({ [`${entity}.body`]: ["is neither JSON nor a form"] })
}
