/**
 * A billing address (interface section 2.3).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { described } from "../values/Described.ts"
import { nonEmptyString, string } from "../values/Text.ts"

/**
 * An address with the limit of each field. Only `complement` is optional (interface section 2.3).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Address = Schema.Struct({
  zipCode: described(string(8), "Postal code (CEP), digits only."),
  street: described(string(255), "Street."),
  number: described(string(255), "Number of the building; text, as it may be s/n."),
  complement: described(Schema.optionalKey(string(255)), "Apartment, block or the like."),
  neighborhood: described(string(255), "Neighborhood (bairro)."),
  city: described(string(255), "City."),
  state: described(nonEmptyString(2), "State code of two letters, such as SP.")
}).annotate({ identifier: "Address", description: "A billing address." })

/**
 * Changes of an address. Absent fields stay unchanged.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditAddress = Address.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "EditAddress",
  description: "What changes of a billing address. A customer without one needs all of it but complement."
})

/**
 * @category models
 * @since 0.1.0
 */
export type EditAddress = typeof EditAddress.Type

/**
 * The required fields of an address.
 *
 * @category tables
 * @since 0.1.0
 */
export const addressFields = ["zipCode", "street", "number", "neighborhood", "city", "state"] as const

/**
 * @category models
 * @since 0.1.0
 */
export type Address = typeof Address.Type
