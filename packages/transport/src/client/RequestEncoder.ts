/**
 * Encodes the arguments of a call as a request. It validates them against the contract and reports every problem.
 *
 * @since 0.1.0
 */
import { type ErrorDetails, detailsOf } from "@parcela/core/errors/ErrorDetails"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { InvalidRequest } from "./ClientError.ts"
import { fieldsOf, type Operation } from "./Operation.ts"

/**
 * An identifier: `{ typeId: "myId", id: "payment-1" }`.
 *
 * @category models
 * @since 0.1.0
 */
export type Ref =
  | { readonly typeId: "svcPayId"; readonly id: number }
  | { readonly typeId: "myId"; readonly id: string }

/**
 * Creates the request of a call from its arguments, in this order: entity of the path, query or body, options. The
 * options are returned to the caller.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestEncoder = (
  args: ReadonlyArray<unknown>
) => Result.Result<{ readonly request: HttpClientRequest.HttpClientRequest; readonly options: unknown }, InvalidRequest>

const allFaults: SchemaAST.ParseOptions = { errors: "all", onExcessProperty: "error" }

/**
 * Returns the encoder of an operation. `bound` contains path parameters that are the same for every call.
 *
 * @category constructors
 * @since 0.1.0
 */
export const requestEncoder = (
  operation: Operation,
  given: {
    readonly baseUrl: string
    readonly naming?: NamingProfile | undefined
    readonly bound?: Readonly<Record<string, unknown>> | undefined
  }
): RequestEncoder => {
  const bound = given.bound ?? {}
  const names = Object.keys(fieldsOf(operation.params)).filter((name) => !Object.hasOwn(bound, name))
  const paramsOf = pathParams(operation, names, bound)
  const queryOf = operation.query === undefined ? undefined : queryEncoder(operation.query, operation.entity)
  const check = operation.body === undefined ? undefined : bodyCheck(operation.body, operation.entity)
  const toWirePath = given.naming?.toWirePath ?? ((path: string) => path)
  const toWire = given.naming?.toWire ?? ((json: unknown) => json)
  return (args) =>
    Result.gen(function* () {
      const rest = [...args]
      const params = yield* paramsOf(names.length > 0 ? rest.shift() : undefined)
      const query = queryOf === undefined ? "" : yield* queryOf(rest.shift() ?? {})
      const body = check === undefined ? undefined : yield* check(rest.shift() ?? {})
      const path = toWirePath(`${filled(operation.path, params)}${query}`)
      const request = HttpClientRequest.make(operation.verb)(`${given.baseUrl}${path}`, { acceptJson: true })
      return {
        request: check === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, toWire(body)),
        options: rest.shift()
      }
    })
}

type Params = Readonly<Record<string, string>>

/** A value that is no object becomes an empty object, and validation then reports the missing keys. */
const objectOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {})

const filled = (path: string, params: Params): string =>
  path.replace(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ""))

const invalid = (details: ErrorDetails) => Result.fail(new InvalidRequest({ details }))

const pathParams = (
  operation: Operation,
  names: ReadonlyArray<string>,
  bound: Readonly<Record<string, unknown>>
): ((argument: unknown) => Result.Result<Params, InvalidRequest>) => {
  if (operation.params === undefined) return () => Result.succeed({})
  const encode = encoder(operation.params, operation.entity)
  const [name, other] = names
  if (names.includes("typeId")) {
    const idName = names.find((name) => name !== "typeId") ?? "id"
    return (argument) =>
      Result.flatMap(refOf(argument, idName), ({ id, typeId }) => encode({ ...bound, [idName]: String(id), typeId }))
  }
  const single = name !== undefined && other === undefined
  return (argument) => encode({ ...bound, ...(single ? { [name]: argument } : objectOf(argument)) })
}

const decodeSvcPayId = Schema.decodeUnknownResult(SvcPayId)
const decodeMyId = Schema.decodeUnknownResult(MyId)

/** Errors are reported under the path's entity: `subscriptionId` is the identifier of a `Subscription`. */
const refOf = (argument: unknown, idName: string): Result.Result<Ref, InvalidRequest> => {
  const entity = idName.charAt(0).toUpperCase() + idName.slice(1).replace(/Id$/u, "")
  const { id, typeId }: { readonly id?: unknown; readonly typeId?: unknown } = objectOf(argument)
  if (typeId !== "svcPayId" && typeId !== "myId") {
    return invalid({ [`${entity}.typeId`]: ["must be svcPayId or myId"] })
  }
  const ref =
    typeId === "svcPayId"
      ? Result.map(decodeSvcPayId(id), (id): Ref => ({ typeId, id }))
      : Result.map(decodeMyId(id), (id): Ref => ({ typeId, id }))
  return Result.mapError(
    ref,
    ({ issue }) =>
      new InvalidRequest({ details: { [`${entity}.${typeId}`]: Object.values(detailsOf(issue, entity)).flat() } })
  )
}

/** Path and query are text on the wire. The caller passes values, which are encoded here. */
const encoder = (schema: Schema.Top, entity: string) => {
  const encode = Schema.encodeUnknownResult(
    // Schemas of a contract need no services, and the string codec encodes to text.
    Schema.toCodecStringTree(schema) as unknown as Schema.Codec<unknown, Params>,
    allFaults
  )
  return (value: unknown) =>
    Result.mapError(encode(value), ({ issue }) => new InvalidRequest({ details: detailsOf(issue, entity) }))
}

const queryEncoder = (schema: Schema.Top, entity: string) => {
  const encode = encoder(schema, entity)
  const fields = fieldsOf(schema)
  const page = isPaged(schema) ? firstPage : {}
  return (value: unknown) =>
    Result.map(encode({ ...page, ...objectOf(value) }), (encoded) => {
      const pairs = Object.keys(fields).flatMap((key): ReadonlyArray<[string, string]> => {
        const text = encoded[key]
        return text === undefined ? [] : [[key, text]]
      })
      return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`
    })
}

/**
 * The default page of a list: the first one, with the maximum size.
 *
 * @category constants
 * @since 0.1.0
 */
export const firstPage = { startAt: 0, limit: 100 } as const

/**
 * Returns true if a query belongs to a paged list.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPaged = (query: Schema.Top | undefined): boolean => {
  const { limit, startAt } = fieldsOf(query)
  return startAt !== undefined && limit !== undefined
}

/** Bodies are JSON on the wire. The caller's value is sent unchanged after it decodes successfully. */
const bodyCheck = (schema: Schema.Top, entity: string) => {
  // Schemas of a contract need no services.
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, allFaults)
  return (body: unknown) =>
    Result.mapBoth(decode(body), {
      onSuccess: () => body,
      onFailure: ({ issue }) => new InvalidRequest({ details: detailsOf(issue, entity) })
    })
}
