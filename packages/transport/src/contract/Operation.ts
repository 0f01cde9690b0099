/**
 * Constructors of the contract's operations. `read`, `write` and `list` add the scope, the `Idempotency-Key`, the
 * failures, the documentation and the examples.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import type { ListDefinition } from "@parcela/core/lists/ListDefinition"
import { listQuery } from "@parcela/core/lists/ListQuery"
import type { Scope } from "@parcela/core/companies/Scope"
import { int, nonEmptyString } from "@parcela/core/values/Text"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as HttpRouter from "effect/http/HttpRouter"
import { wire } from "../ApiError.ts"
import { IdempotentWrite, RequiredScope } from "../Security.ts"
import { type ListParameters, parametersOf } from "./ListParameters.ts"

/**
 * Examples of a request and its response, and of the operation's own errors by status.
 *
 * @category models
 * @since 0.1.0
 */
export interface OperationExamples {
  readonly request?: unknown
  readonly response: unknown
  readonly errors?: { readonly [status: number]: ErrorNode }
}

/**
 * Annotation of an endpoint: its examples.
 *
 * @category annotations
 * @since 0.1.0
 */
export class Examples extends Context.Service<Examples, OperationExamples>()(
  "@parcela/transport/contract/Operation/Examples"
) {}

/**
 * Annotation of a list: its query parameters in OpenAPI.
 *
 * @category annotations
 * @since 0.1.0
 */
export class QueryParameters extends Context.Service<QueryParameters, () => ListParameters>()(
  "@parcela/transport/contract/Operation/QueryParameters"
) {}

/**
 * Annotation of a group: the entity of errors whose path names no entity.
 *
 * @category annotations
 * @since 0.1.0
 */
export class FaultEntity extends Context.Service<FaultEntity, string>()(
  "@parcela/transport/contract/Operation/FaultEntity"
) {}

/**
 * Annotation of a group in another contract whose bodies use the names of the interface. Another naming profile renames
 * these bodies too.
 *
 * @category annotations
 * @since 0.1.0
 */
export const InterfaceNames: Context.Reference<boolean> = Context.Reference<boolean>(
  "@parcela/transport/contract/Operation/InterfaceNames",
  { defaultValue: () => false }
)

/**
 * Annotation of an endpoint or of a whole contract: an unknown key of a body is a 400, on every server. If such a body
 * moves money, an ignored key could move a wrong amount.
 *
 * @category annotations
 * @since 0.1.0
 */
export const ClosedBody: Context.Reference<boolean> = Context.Reference<boolean>(
  "@parcela/transport/contract/Operation/ClosedBody",
  { defaultValue: () => false }
)

/**
 * Annotation of an endpoint: a missing body is an empty object.
 *
 * @category annotations
 * @since 0.1.0
 */
export const OptionalBody: Context.Reference<boolean> = Context.Reference<boolean>(
  "@parcela/transport/contract/Operation/OptionalBody",
  { defaultValue: () => false }
)

/**
 * The documentation of an operation.
 *
 * @category models
 * @since 0.1.0
 */
export interface Documentation {
  /** The name of the operation in the OpenAPI document. */
  readonly operationId: string
  readonly summary: string
  /** The description without the scope, which is added. */
  readonly description: string
  readonly examples: OperationExamples
}

interface Scoped extends Documentation {
  /** The scope that the token needs. */
  readonly scope: Scope
}

/** A failure as an endpoint declares it. */
type Failure = (typeof wire)[keyof typeof wire]

/**
 * Failures of every operation. The security adds 401 and 403; `FaultsAsErrorNode` also adds 400.
 *
 * @category errors
 * @since 0.1.0
 */
export const always = [wire.BadRequest, wire.TooManyRequests, wire.Internal, wire.Unavailable] as const

/**
 * Additional failures of an operation with a body.
 *
 * @category errors
 * @since 0.1.0
 */
export const withBody = [wire.PayloadTooLarge, wire.UnsupportedMediaType] as const

const withKey = [wire.Unprocessable] as const

type Always = (typeof always)[number]
type OfWrites = (typeof withBody | typeof withKey)[number]

const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    nonEmptyString(255).annotate({
      description:
        "A name for this write, chosen by the client. The same request under the same key gets the same " +
        "response and has no second effect; another request under it is a 422."
    })
  )
}

const documentation = ({ description, operationId, summary }: Documentation, scope?: Scope) =>
  OpenApi.annotations({
    summary,
    description: scope === undefined ? description : `${description} Needs the scope ${scope}.`,
    identifier: operationId
  })

/**
 * Returns the annotations of an operation without a scope.
 *
 * @category annotations
 * @since 0.1.0
 */
export const documented = (said: Documentation): Context.Context<Examples> =>
  Context.add(documentation(said), Examples, said.examples)

const scoped = (said: Scoped) =>
  Context.make(RequiredScope, said.scope).pipe(
    Context.merge(documentation(said, said.scope)),
    Context.add(Examples, said.examples)
  )

/**
 * Returns an operation that changes nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const read = <
  const Name extends string,
  const Path extends HttpRouter.PathInput,
  Success extends Schema.Top,
  Params extends Schema.Struct.Fields = never,
  Own extends Failure = never
>(
  name: Name,
  path: Path,
  options: Scoped & {
    readonly params?: Params
    readonly success: Success
    readonly errors?: ReadonlyArray<Own>
  }
) =>
  HttpApiEndpoint.get<Name, Path, Params, never, never, never, Success, ReadonlyArray<Always | Own>>(name, path, {
    params: options.params,
    success: options.success,
    // The compiler cannot infer the type of a combined list of errors; the return type declares it.
    error: [...always, ...(options.errors ?? [])] as never
  }).annotateMerge(scoped(options))

/**
 * Returns an operation that changes data and accepts an `Idempotency-Key`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const write = <
  const Name extends string,
  const Path extends HttpRouter.PathInput,
  Success extends Schema.Top,
  Params extends Schema.Struct.Fields = never,
  Payload extends Schema.Top = never,
  Own extends Failure = never
>(
  method: "POST" | "PUT" | "DELETE",
  name: Name,
  path: Path,
  options: Scoped & {
    readonly params?: Params
    readonly payload?: Payload
    readonly success: Success
    readonly errors?: ReadonlyArray<Own>
    /** True if an unknown key of the body is a 400 everywhere; see `ClosedBody`. */
    readonly closedBody?: boolean
    /** True if the body may be missing; see `OptionalBody`. */
    readonly optionalBody?: boolean
  }
) =>
  HttpApiEndpoint.make(method)<
    Name,
    Path,
    Params,
    never,
    Payload,
    typeof idempotencyKey,
    Success,
    ReadonlyArray<Always | OfWrites | Own>
  >(name, path, {
    params: options.params,
    headers: idempotencyKey,
    payload: options.payload,
    success: options.success,
    error: [
      ...always,
      ...(options.payload === undefined ? [] : withBody),
      ...withKey,
      ...(options.errors ?? [])
      // The compiler cannot infer the type of a combined list of errors; the return type declares it.
    ] as never
  })
    .middleware(IdempotentWrite)
    .annotateMerge(scoped(options))
    .annotate(ClosedBody, options.closedBody ?? false)
    .annotate(OptionalBody, options.optionalBody ?? false)

const totalQtdFoundInPage = described(
  int(11),
  "Number of entities on this page. A page with fewer than limit is the last one."
)

/**
 * Returns the response schema of a list; `totalQtdFoundInPage` counts this page. `plural` is the key of the entities.
 *
 * @category schemas
 * @since 0.1.0
 */
export const page = <const Plural extends string, Item extends Schema.Top>(
  plural: Plural,
  item: Item,
  words: { readonly identifier: string; readonly description: string }
) =>
  Schema.Struct({
    totalQtdFoundInPage,
    // TypeScript widens a computed key to `string`.
    ...({ [plural]: described(Schema.Array(item), `The ${plural.toLowerCase()} of this page.`) } as {
      readonly [Key in Plural]: Schema.$Array<Item>
    })
  }).annotate(words)

/**
 * Returns a list operation with the filters, order and page of its definition.
 *
 * @category constructors
 * @since 0.1.0
 */
export const list = <
  const Name extends string,
  const Path extends HttpRouter.PathInput,
  const Definition extends ListDefinition,
  Success extends Schema.Top
>(
  name: Name,
  path: Path,
  options: Scoped & { readonly definition: Definition; readonly success: Success }
) =>
  HttpApiEndpoint.get(name, path, {
    query: listQuery(options.definition),
    success: options.success,
    error: always
  })
    .annotateMerge(scoped(options))
    .annotate(QueryParameters, () => parametersOf(options.definition))

/**
 * @category schemas
 * @since 0.1.0
 */
export const done = described(Schema.Literal(true), "True: the action succeeded.")

/**
 * The response of operations that return no entity.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DoneResponse = Schema.Struct({ type: done }).annotate({
  identifier: "DoneResponse",
  description: "The action succeeded."
})
