/**
 * The two identifiers of an entity, and references by either (interface sections 2 and 4.3).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { nonEmptyString, wholeNumber } from "./Text.ts"

/**
 * The identifier that the service assigns: a positive whole number of at most 11 digits. It is never used again.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SvcPayId = wholeNumber(
  1,
  99_999_999_999,
  "an identifier of the service: a whole number from 1 to 99999999999"
).pipe(Schema.brand("SvcPayId"))

/**
 * @category models
 * @since 0.1.0
 */
export type SvcPayId = typeof SvcPayId.Type

/**
 * The identifier that the client chooses: 1 to 255 characters, unique per company and kind of entity.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MyId = nonEmptyString(255).pipe(Schema.brand("MyId"))

/**
 * @category models
 * @since 0.1.0
 */
export type MyId = typeof MyId.Type

/**
 * The kind of identifier in a path (interface section 4.3).
 *
 * @category schemas
 * @since 0.1.0
 */
export const TypeId = Schema.Literals(["svcPayId", "myId"]).annotate({
  identifier: "TypeId",
  description: "Kind of identifier: svcPayId is assigned by the service, myId is chosen by the client system."
})

/**
 * @category models
 * @since 0.1.0
 */
export type TypeId = typeof TypeId.Type

/**
 * A reference to an entity by either identifier.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EntityRef = Schema.Union([
  Schema.Struct({ typeId: Schema.Literal("svcPayId"), id: SvcPayId }),
  Schema.Struct({ typeId: Schema.Literal("myId"), id: MyId })
])

/**
 * @category models
 * @since 0.1.0
 */
export type EntityRef = typeof EntityRef.Type

/**
 * A reference by the service's identifier.
 *
 * @category constructors
 * @since 0.1.0
 */
export const bySvcPayId = (id: SvcPayId): EntityRef => ({ typeId: "svcPayId", id })

/**
 * A reference by the client's identifier.
 *
 * @category constructors
 * @since 0.1.0
 */
export const byMyId = (id: MyId): EntityRef => ({ typeId: "myId", id })
