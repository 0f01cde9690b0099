/**
 * Path segments of the contracts: an entity by its identifier and the kind of the identifier (interface 4.3), a company
 * by its client id, and the router settings that these segments need.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { TypeId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"
import { nonEmptyString } from "@parcela/core/values/Text"
import { wire } from "../ApiError.ts"

const typeId = described(
  TypeId,
  "Kind of identifier in the path: the service's own (svcPayId) or the client system's (myId)."
)

/**
 * Returns the parameters `:subscriptionId` and `:typeId` for `subscription`, and so on. The server decodes the
 * identifier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const entityPath = <const Noun extends string>(noun: Noun) => ({
  // TypeScript widens a computed key to `string`.
  ...({
    [`${noun}Id`]: described(Schema.String, `Identifier of the ${noun}, of the kind that typeId names.`)
  } as { readonly [Key in `${Noun}Id`]: Schema.String }),
  typeId
})

/**
 * `typeId`, and the identifier in a field named after its entity: `subscriptionId`.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityPath {
  readonly typeId: TypeId
  readonly [name: `${string}Id`]: string
}

/**
 * The errors of an operation, in addition to those of its access middleware.
 *
 * @category schemas
 * @since 0.1.0
 */
export const errors = [wire.BadRequest, wire.NotFound, wire.Internal, wire.Unavailable] as const

/**
 * The errors of an operation with a body.
 *
 * @category schemas
 * @since 0.1.0
 */
export const errorsWithBody = [...errors, wire.PayloadTooLarge, wire.UnsupportedMediaType] as const

/**
 * The client id of a company.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ClientId = nonEmptyString(255)

/**
 * Parameters of a path below one company.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ofCompany = { clientId: ClientId }

/**
 * The path of one company.
 *
 * @category constants
 * @since 0.1.0
 */
export const company = "/companies/:clientId" as const

/**
 * The router settings that the contract needs. Effect's default refuses path segments above 100 characters with a 404,
 * but a `myId` has up to 255 characters, each at most 12 when percent-encoded. A trailing slash is ignored. Paths are
 * case-sensitive, so that the router and its middleware agree on the meaning of `/v2`.
 *
 * @category configuration
 * @since 0.1.0
 */
export const routerConfig = { maxParamLength: 255 * 12, ignoreTrailingSlash: true, caseSensitive: true }
