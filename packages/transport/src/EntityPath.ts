/**
 * The two path segments that identify an entity: an identifier and its kind (interface 4.3).
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { TypeId } from "@parcela/core/values/Identifier"
import * as Schema from "effect/Schema"

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
