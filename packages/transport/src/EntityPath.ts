/**
 * The two path segments that identify an entity: an identifier and its kind (interface 4.3).
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Described"
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { fitting } from "@parcela/core/json/Fitting"
import { type EntityRef, MyId, SvcPayId, TypeId } from "@parcela/core/values/Identifier"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const typeId = described(
  TypeId,
  "Kind of identifier in the path: the service's own (svcPayId) or the client system's (myId)."
)

/**
 * Returns the parameters `:subscriptionId` and `:typeId` for `subscription`, and so on. `entityRef` decodes the
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

const svcPayId = Schema.decodeUnknownResult(SvcPayId)
const myId = Schema.decodeUnknownResult(MyId)
const isMyId = fitting(MyId)

/**
 * Returns the entity that a path identifies, or the problem of its identifier, as `Subscription.svcPayId` and so on.
 *
 * @category conversions
 * @since 0.1.0
 */
export const entityRef = (path: EntityPath): Result.Result<EntityRef, ErrorDetails> => {
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
