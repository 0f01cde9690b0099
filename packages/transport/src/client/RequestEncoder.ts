/**
 * The arguments of a call as a request: checked against the contract, with every fault at once, before it is sent.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { InvalidRequest } from "./ClientError.ts"
import { fieldsOf, type Operation } from "./Operation.ts"

/**
 * An identifier as a person writes it: `{ typeId: "myId", id: "payment-1" }`.
 *
 * @category models
 * @since 0.1.0
 */
export type Ref =
  | { readonly typeId: "svcPayId"; readonly id: number }
  | { readonly typeId: "myId"; readonly id: string }

/**
 * Makes the request of a call from its arguments, in this order: what the path names, query or body, and the options
 * that are left for the caller.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestEncoder = (
  args: ReadonlyArray<unknown>
) => Result.Result<{ readonly request: HttpClientRequest.HttpClientRequest; readonly options: unknown }, InvalidRequest>

const allFaults: SchemaAST.ParseOptions = { errors: "all", onExcessProperty: "error" }

/**
 * The encoder of an operation. `bound` are parameters of the path that every call shares.
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

/** What is no object has no keys: the check says what is missing. */
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

/** Faults stand under the entity that the path names: `subscriptionId` is the identifier of a `Subscription`. */
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

/** Path and query are text on the wire: what a caller gives is the value, and is encoded. */
const encoder = (schema: Schema.Top, entity: string) => {
  const encode = Schema.encodeUnknownResult(
    // No schema of a contract needs a service, and its string codec encodes to text.
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
 * The page of a list that is asked for when the query names none: the first one, as large as a page can be.
 *
 * @category constants
 * @since 0.1.0
 */
export const firstPage = { startAt: 0, limit: 100 } as const

/**
 * Whether a query is of a list in pages.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPaged = (query: Schema.Top | undefined): boolean => {
  const { limit, startAt } = fieldsOf(query)
  return startAt !== undefined && limit !== undefined
}

/** A body is JSON on the wire: what a caller gives is what is sent, once it is known to decode. */
const bodyCheck = (schema: Schema.Top, entity: string) => {
  // No schema of a contract needs a service.
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, allFaults)
  return (body: unknown) =>
    Result.mapBoth(decode(body), {
      onSuccess: () => body,
      onFailure: ({ issue }) => new InvalidRequest({ details: detailsOf(issue, entity) })
    })
}
