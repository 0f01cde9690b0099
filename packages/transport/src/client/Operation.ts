/**
 * What a client needs to know of an operation, read off the contract.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { FaultEntity } from "../contract/Operation.ts"
import { BearerToken, ClientCredentials } from "../Security.ts"

/**
 * A struct as the contract's author wrote it, before it was made a codec of JSON or text.
 *
 * @category models
 * @since 0.1.0
 */
export type Fields = Readonly<Record<string, Schema.Top>>

/**
 * @category models
 * @since 0.1.0
 */
export interface Operation {
  /** `transactions.add`. */
  readonly name: string
  readonly group: string
  /** `add`. */
  readonly method: string
  /** What faults of its input stand under: `Transaction`. */
  readonly entity: string
  readonly description: string
  readonly verb: HttpApiEndpoint.Top["method"]
  /** `/transactions/:subscriptionId/:typeId/add`. */
  readonly path: string
  readonly params: Schema.Top | undefined
  readonly query: Schema.Top | undefined
  readonly body: Schema.Top | undefined
  readonly success: Schema.Top
  /** Whether a write is done at most once under an `Idempotency-Key`. */
  readonly hasKey: boolean
  readonly needsToken: boolean
}

/**
 * The operations of a contract, save those that ask for credentials: getting a token is the authentication's business.
 *
 * @category getters
 * @since 0.1.0
 */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Operation> => {
  const known = read.get(contract)
  if (known !== undefined) return known
  const operations = readOf(contract)
  read.set(contract, operations)
  return operations
}

/** A contract is read once: a program may make a client for each of its tests. */
const read = new WeakMap<object, ReadonlyArray<Operation>>()

const readOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  HttpApi.reflect(contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations, middleware, successes }) => {
      const keys = new Set([...middleware].map(({ key }) => key))
      if (keys.has(ClientCredentials.key)) return
      const [success] = successes.get(200) ?? []
      if (success === undefined) throw new Error(`${endpoint.identifier} has no response with status 200`)
      const [body] = endpoint.payload.get("application/json")?.schemas ?? []
      operations.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        group: group.identifier,
        method: endpoint.identifier,
        entity: Option.getOrElse(Context.getOption(mergedAnnotations, FaultEntity), () => singular(group.identifier)),
        description: Option.getOrElse(Context.getOption(mergedAnnotations, OpenApi.Description), () => ""),
        verb: endpoint.method,
        path: endpoint.path,
        params: asWritten(endpoint.params),
        query: asWritten(endpoint.query),
        body: asWritten(body),
        success: asWritten(success),
        hasKey: fieldsOf(asWritten(endpoint.headers))["idempotency-key"] !== undefined,
        needsToken: keys.has(BearerToken.key)
      })
    }
  })
  return operations
}

/**
 * How many arguments a call takes before its options: one for what the path names, one for the query, one for the body.
 *
 * @category getters
 * @since 0.1.0
 */
export const argumentCount = ({ body, params, query }: Operation): number =>
  [params, query, body].filter((part) => part !== undefined).length

/**
 * The fields of a struct; none of what is no struct.
 *
 * @category getters
 * @since 0.1.0
 */
export const fieldsOf = (schema: Schema.Top | undefined): Fields => {
  // A struct has its fields, and no other schema has any.
  const { fields = {} } = (schema ?? {}) as { readonly fields?: Fields }
  return fields
}

/** A contract makes codecs of JSON and of text from the schemas that it is given, and keeps those. */
const asWritten = <S extends Schema.Top | undefined>(codec: S): S => {
  // A codec has the schema that it was made from.
  const { schema } = (codec ?? {}) as { readonly schema?: S }
  return schema ?? codec
}

/** `transactions` is about a `Transaction`, `deliveries` about a `Delivery`. */
const singular = (group: string): string =>
  (group.charAt(0).toUpperCase() + group.slice(1)).replace(/ies$/u, "y").replace(/s$/u, "")
