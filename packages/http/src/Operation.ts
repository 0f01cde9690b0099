/**
 * The use case behind an endpoint of a contract, and the responses that several operations share.
 *
 * @since 0.1.0
 */
import type { View } from "@parcela/core/json/ResponseSerializer"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { Bearer } from "@parcela/engine/authentication/Tokens"
import type * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as Idempotency from "./Idempotency.ts"
import type { DocumentedError } from "./UseCaseErrors.ts"

/**
 * The input of an operation: the decoded parts of the request, the client, the entity that the path names, and the use
 * of the `Idempotency-Key` for a write.
 *
 * @category models
 * @since 0.1.0
 */
export type OperationRequest<Endpoint extends HttpApiEndpoint.ConstraintRequest> = Omit<
  HttpApiEndpoint.Request<Endpoint>,
  "endpoint" | "group" | "headers" | "request"
> & {
  readonly client: Bearer
  readonly entity: EntityRef
  readonly underKey: Idempotency.UnderKey
}

/**
 * The use case behind an endpoint. It takes a decoded request and returns the view that the response is picked from.
 * Its errors become failures that the endpoint documents.
 *
 * @category models
 * @since 0.1.0
 */
export type Operation<Endpoint extends HttpApiEndpoint.ConstraintRequest> = (
  request: OperationRequest<Endpoint>
) => Effect.Effect<
  View<Endpoint["~Success"]["Type"]> | Idempotency.Rendered | Idempotency.Replayed,
  DocumentedError<Endpoint["~Error"]["Type"]>
>

type Named<Group> = Group extends HttpApiGroup.Constraint
  ? HttpApiGroup.Endpoints<Group> extends infer Endpoint
    ? Endpoint extends HttpApiEndpoint.ConstraintRequest
      ? { readonly name: `${Group["identifier"]}.${Endpoint["identifier"]}`; readonly endpoint: Endpoint }
      : never
    : never
  : never

/**
 * The operations of a contract by `group.endpoint`.
 *
 * @category models
 * @since 0.1.0
 */
export type Operations<Groups extends HttpApiGroup.Constraint> = {
  readonly [N in Named<Groups> as N["name"]]: Operation<N["endpoint"]>
}

/**
 * Returns one page of a list, as `page` of the contract describes it. `plural` is the key of the entities.
 *
 * @category views
 * @since 0.1.0
 */
export const pageOf = <const Plural extends string, Item>(plural: Plural, found: ReadonlyArray<Item>) => ({
  totalQtdFoundInPage: found.length,
  // TypeScript widens a computed key to `string`.
  ...({ [plural]: found } as { readonly [Key in Plural]: ReadonlyArray<Item> })
})

/**
 * Returns the response of operations that return no entity.
 *
 * @category views
 * @since 0.1.0
 */
export const isDone = (): { readonly type: true } => ({ type: true })
