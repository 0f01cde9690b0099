/**
 * Who pays (interface section 2.2).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"
import { MyId, SvcPayId } from "./Identifier.ts"
import { LocalDateTime } from "./LocalDateTime.ts"
import { int, nonEmptyString, string } from "./Text.ts"

/** What a person may say about a customer, each field with its limit. */
const fields = {
  name: nonEmptyString(255),
  document: string(14),
  emails: Schema.Array(nonEmptyString(255)),
  phones: Schema.Array(int(11)),
  Address
}

/**
 * A customer as the service answers it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Customer = Schema.Struct({
  svcPayId: SvcPayId,
  myId: Schema.optionalKey(MyId),
  name: fields.name,
  document: fields.document,
  emails: fields.emails,
  phones: fields.phones,
  createdAt: LocalDateTime,
  updatedAt: LocalDateTime,
  Address: Schema.optionalKey(fields.Address)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Customer = typeof Customer.Type
