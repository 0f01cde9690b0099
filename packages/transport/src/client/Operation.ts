/**
 * The description of an operation that a client needs, read from the contract.
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
 * The fields of a struct as the contract declares them, before the contract wraps the struct in a codec.
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
  /** The entity of errors in the operation's input: `Transaction`. */
  readonly entity: string
  readonly description: string
  readonly verb: HttpApiEndpoint.Top["method"]
  /** `/transactions/:subscriptionId/:typeId/add`. */
  readonly path: string
  readonly params: Schema.Top | undefined
  readonly query: Schema.Top | undefined
  readonly body: Schema.Top | undefined
  readonly success: Schema.Top
  /** True if a write is performed at most once under an `Idempotency-Key`. */
  readonly hasKey: boolean
  readonly needsToken: boolean
}

/**
 * Returns the operations of a contract except the token operation, which authentication uses internally.
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

/** Cache by contract: a program may create a client for each of its tests. */
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
 * Returns the number of arguments before the options: one each for path, query and body.
 *
 * @category getters
 * @since 0.1.0
 */
export const argumentCount = ({ body, params, query }: Operation): number =>
  [params, query, body].filter((part) => part !== undefined).length

/**
 * Returns the fields of a struct, or no fields for other schemas.
 *
 * @category getters
 * @since 0.1.0
 */
export const fieldsOf = (schema: Schema.Top | undefined): Fields => {
  // Only struct schemas have `fields`.
  const { fields = {} } = (schema ?? {}) as { readonly fields?: Fields }
  return fields
}

/** Returns the declared schema: a contract wraps it in a codec of JSON or text. */
const asWritten = <S extends Schema.Top | undefined>(codec: S): S => {
  // A codec references the schema that it wraps.
  const { schema } = (codec ?? {}) as { readonly schema?: S }
  return schema ?? codec
}

/** Returns the entity of a group: `Transaction` for `transactions`, `Delivery` for `deliveries`. */
const singular = (group: string): string =>
  (group.charAt(0).toUpperCase() + group.slice(1)).replace(/ies$/u, "y").replace(/s$/u, "")
