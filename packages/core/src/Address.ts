/**
 * A billing address (interface section 2.3).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { nonEmptyString, string } from "./Text.ts"

/**
 * Every field with its limit; `complement` alone may be missing (interface section 2.3).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Address = Schema.Struct({
  zipCode: string(8),
  street: string(255),
  number: string(255),
  complement: Schema.optionalKey(string(255)),
  neighborhood: string(255),
  city: string(255),
  state: nonEmptyString(2)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Address = typeof Address.Type
