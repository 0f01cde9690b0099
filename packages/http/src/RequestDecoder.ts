/**
 * Decodes the parts of a request by the schemas of its endpoint: first strictly, then, if that fails, in the form that
 * core's tolerance rules return. All decoders are prepared once per endpoint.
 *
 * @since 0.1.0
 */
import { type ErrorDetails, detailsOf, isUnknown, keyOf } from "@parcela/core/errors/ErrorDetails"
import { compiledCheck } from "@parcela/core/json/CompiledSchema"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import { duplicateKeys } from "@parcela/core/json/JsonChecks"
import { fieldTolerance, tolerance, type Tolerated, type ToleranceOptions } from "@parcela/core/json/RequestTolerance"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { type EntityRef, MyId, SvcPayId, type TypeId } from "@parcela/core/values/Identifier"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import type { EntityPath } from "@parcela/transport/contract/EntityPath"
import { ClosedBody, OptionalBody } from "@parcela/transport/contract/Operation"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { BadRequest } from "@parcela/transport/ApiError"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { withLetters, withLongPages, withOptionalMyId } from "./SchemaVariants.ts"
import { entityInPath, notJson, ofBody, refuseFaults } from "./InvalidRequest.ts"
import { fieldsOf } from "./ReceivedRequest.ts"

/**
 * A decoded value and the names of the ignored keys.
 *
 * @category models
 * @since 0.1.0
 */
export interface Read {
  readonly value: unknown
  readonly unknownKeys: ReadonlyArray<string>
}

/**
 * Today's date of the company. The error for an expired card depends on it.
 *
 * @category models
 * @since 0.1.0
 */
export type Today = Effect.Effect<LocalDate, StoreError>

/**
 * Decodes a part of a request. It completes synchronously if the input is valid.
 *
 * @category models
 * @since 0.1.0
 */
export type Reader<Input> = (input: Input, today: Today) => Effect.Effect<Read, BadRequest | StoreError>

type Fields = { readonly [name: string]: unknown }

/**
 * The decoders of an endpoint. A decoder is absent if the endpoint has no such part.
 *
 * @category models
 * @since 0.1.0
 */
export interface RequestDecoder {
  readonly params: Reader<Fields> | undefined
  readonly query: Reader<Fields> | undefined
  readonly json: Reader<string> | undefined
  readonly form: Reader<string> | undefined
  /** True if a missing body is read as an empty object, whatever its content type. */
  readonly isBodyOptional: boolean
  /** True if the server creates a `myId` when the body has none. */
  readonly isMyIdMade: boolean
}

/**
 * @category options
 * @since 0.1.0
 */
export interface DecoderOptions {
  readonly annotations: Context.Context<never>
  /** The entity of errors whose path names no entity. */
  readonly entity: string
  /** True if alternative forms of values and unknown keys are accepted. */
  readonly isTolerant: boolean
  /** True if an empty body is an empty object. */
  readonly isBodyOptional: boolean
  /** True if a customer's document may have letters. */
  readonly mayHaveLetters: boolean
  /** True if a body may lack its required `myId`. */
  readonly mayLackMyId: boolean
  /**
   * True if clients of another naming profile are served: pages of lists may have 500 entities, and errors of a query
   * name the parameter without an entity.
   */
  readonly isOtherNaming: boolean
}

/** Reports all errors at once and refuses unknown keys. */
const strictly = { errors: "all", onExcessProperty: "error" } as const

const decodeOf = ({ ast }: Schema.Top) =>
  // Schemas of a contract need no services.
  Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), strictly)

/**
 * Decodes only the present fields, each by its own schema: a request uses few of the many parameters of a list. Returns
 * undefined for invalid input, which the whole schema then reports, and for schemas with checks or encodings.
 */
const byField = ({ ast }: Schema.Top): ((input: unknown) => Fields | undefined) | undefined => {
  if (!SchemaAST.isObjects(ast) || ast.checks !== undefined || ast.encoding !== undefined) return undefined
  if (ast.indexSignatures.length > 0) return undefined
  const fields = new Map<PropertyKey, ReturnType<typeof decodeOf>>()
  const required: Array<PropertyKey> = []
  for (const { name, type } of ast.propertySignatures) {
    const field = Schema.make<Schema.Codec<unknown>>(type)
    const absent = decodeOf(Schema.Struct({ [name]: field }))({})
    // A field with a default value needs the whole schema.
    if (Result.isSuccess(absent) && name in Object(absent.success)) return undefined
    if (Result.isFailure(absent)) required.push(name)
    fields.set(name, decodeOf(field))
  }
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined
    const decoded: Record<string, unknown> = {}
    // Reading any name of an object is safe: a missing field is undefined.
    const fieldValues = input as Fields
    for (const name of Object.keys(fieldValues)) {
      const result = fields.get(name)?.(fieldValues[name])
      if (result === undefined || Result.isFailure(result)) return undefined
      decoded[name] = result.success
    }
    return required.every((name) => name in decoded) ? decoded : undefined
  }
}

const noKeys: ReadonlyArray<string> = []

const accepted = (value: unknown): Effect.Effect<Read> => Effect.succeed({ value, unknownKeys: noKeys })

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

/** Returns a decoder that is strict first and tolerant second. */
const reader = <Input>({ faultsOf, isTolerant, schema, tolerate }: Source<Input>): Reader<Input> => {
  const decode = decodeOf(schema)
  const decodeFields = byField(schema)
  return (input, today) => {
    const value = decodeFields?.(input)
    if (value !== undefined) return accepted(value)
    const strict = decode(input)
    if (Result.isSuccess(strict)) return accepted(strict.success)
    const { doubled, json, nearMisses, unknownKeys } = tolerate(input)
    if (!isTolerant) {
      return Effect.flatMap(faultsOf(strict.failure, input, today), (faults) =>
        refuseFaults({ ...doubled, ...faults, ...suggestions(nearMisses, faults) })
      )
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

/** Returns the more helpful messages for keys that are refused as unknown. */
const suggestions = (nearMisses: ErrorDetails, faults: ErrorDetails): ErrorDetails =>
  Object.fromEntries(Object.entries(nearMisses).filter(([field]) => faults[field]?.[0] === isUnknown))

const alias = galaxPay.fromWireName

/** A path has no unknown keys; its `typeId` has two spellings. */
const aliasedPath = (params: Fields): Tolerated => ({
  json: { ...params, ...(typeof params["typeId"] === "string" ? { typeId: alias(params["typeId"]) } : {}) },
  unknownKeys: [],
  nearMisses: {},
  doubled: {}
})

const repeated = ["is sent more than once"]

/** Reports a repeated parameter as repeated. The error of its value would not help the client. */
const repeatedParameters = (details: ErrorDetails, query: Fields, entity: string): ErrorDetails =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const key = keyOf([name], entity)
      return Array.isArray(value) && key in details ? [[key, repeated]] : []
    })
  )

/**
 * Returns the decoders of an endpoint's request.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  endpoint: HttpApiEndpoint.Top,
  { annotations, entity, isOtherNaming, isTolerant, mayHaveLetters, mayLackMyId, ...options }: DecoderOptions
): RequestDecoder => {
  const isBodyOptional = options.isBodyOptional || Context.get(annotations, OptionalBody)
  const isClosed = Context.get(annotations, ClosedBody)
  const tolerated = { entity, alias, isClosed }
  const ofEntity = (entity: string) => (error: Schema.SchemaError) => Effect.succeed(detailsOf(error.issue, entity))
  const query = endpoint.query && (isOtherNaming ? withLongPages(endpoint.query) : endpoint.query)
  const written = endpoint.payload.get("application/json")?.schemas[0]
  const lettered = written && mayHaveLetters ? withLetters(written) : written
  const unnamed = lettered && mayLackMyId ? withOptionalMyId(lettered) : undefined
  const json = unnamed ?? lettered
  const form = endpoint.payload.get("application/x-www-form-urlencoded")?.schemas[0]
  return {
    params:
      endpoint.params &&
      validAsIs(
        endpoint.params,
        reader({
          schema: endpoint.params,
          tolerate: aliasedPath,
          isTolerant,
          faultsOf: ofEntity(entityInPath(endpoint.path, entity))
        })
      ),
    query: query && queryReader(query, { ...tolerated, ...(isOtherNaming ? { entity: "" } : {}), isTolerant }),
    json:
      json &&
      jsonReader(
        validAsIs(
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

/**
 * Fast path: input that already fits the schema, as most bodies and paths do, is returned unchanged. `read` decodes or
 * refuses all other input.
 */
const validAsIs = <Input>({ ast }: Schema.Top, read: Reader<Input>): Reader<Input> => {
  const fits = compiledCheck(Schema.make<Schema.Codec<unknown>>(ast))
  return (input, today) => {
    return fits(input) ? accepted(input) : read(input, today)
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
      /** True if `[]` is an empty object, as PHP serializes one. */
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
    const again = duplicateKeys(text)
    if (again.length > 0) return refuseFaults(Object.fromEntries(again.map((path) => [keyOf(path, entity), repeated])))
    return read(isEmptyList && Array.isArray(body) && body.length === 0 ? {} : body, today)
  }

const queryReader = (
  query: Schema.Top,
  { isTolerant, ...tolerated }: ToleranceOptions & Pick<Source<Fields>, "isTolerant">
): Reader<Fields> => {
  const { entity } = tolerated
  const schema = Schema.toCodecArrayFromSingle(query)
  return reader({
    schema,
    tolerate: fieldTolerance(schema, { ...tolerated, isNarrowing: true }),
    isTolerant,
    faultsOf: ({ issue }, input) => {
      const details = detailsOf(issue, entity)
      return Effect.succeed({ ...details, ...repeatedParameters(details, Object(input), entity) })
    }
  })
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
    // Other text would become the name of a field, and errors show names of fields.
    text === "" || text.includes("=")
      ? read(fieldsOf(text), today)
      : refuseFaults({ [`${entity}.body`]: ["is neither JSON nor a form"] })
}

/**
 * Returns the entity that a decoded path names by one of its two identifiers, or undefined for a path without `typeId`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const entityOf = (params: unknown): Effect.Effect<EntityRef | undefined, BadRequest> =>
  typeof params === "object" && params !== null && "typeId" in params
    ? // A path with a `typeId` also has the identifier.
      Result.match(entityRef(params as EntityPath), {
        onFailure: (details) => Effect.fail(new BadRequest({ message: "The path is invalid", details })),
        onSuccess: (ref): Effect.Effect<EntityRef | undefined, BadRequest> => Effect.succeed(ref)
      })
    : Effect.succeed(undefined)

const svcPayId = Schema.decodeUnknownResult(SvcPayId)
const myId = Schema.decodeUnknownResult(MyId)
const isMyId = compiledCheck(MyId)

/** Returns the entity that a path identifies, or the problem of its identifier, as `Subscription.svcPayId` and so on. */
const entityRef = (path: EntityPath): Result.Result<EntityRef, ErrorDetails> => {
  const { typeId } = path
  const name = Object.keys(path).find((name): name is `${string}Id` => name !== "typeId") ?? "Id"
  const id = path[name] ?? ""
  // The schema accepts this identifier; decoding it with the schema is ten times slower.
  if (typeId === "myId" && isMyId(id)) return Result.succeed({ typeId, id: id as MyId })
  const entity = name.charAt(0).toUpperCase() + name.slice(1, -"Id".length)
  return typeId === "svcPayId"
    ? // "1e3" and " 7" are numbers to JavaScript and no identifiers here.
      Result.mapBoth(svcPayId(/^\d{1,11}$/.test(id) ? Number(id) : Number.NaN), {
        onSuccess: (id) => ({ typeId: "svcPayId", id }),
        onFailure: (error) => under(error, entity, "svcPayId")
      })
    : Result.mapBoth(myId(id), {
        onSuccess: (id) => ({ typeId: "myId", id }),
        onFailure: (error) => under(error, entity, "myId")
      })
}

const under = (error: Schema.SchemaError, entity: string, field: TypeId): ErrorDetails => ({
  [`${entity}.${field}`]: Object.values(detailsOf(error.issue, entity)).flat()
})
