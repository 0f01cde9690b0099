/**
 * A company that uses the service: every row, credential and query belongs to one.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MachineTime } from "../time/MachineTime.ts"
import { Payee } from "./Payee.ts"
import { Scope } from "./Scope.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * The number of a company: positive, given by the store.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("CompanyId"))

/**
 * @category models
 * @since 0.1.0
 */
export type CompanyId = typeof CompanyId.Type

/**
 * **Details**
 *
 * Its credentials and its webhook secrets are no part of the state (see the engine's `Secrets`), nor are its endpoints.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyState = Schema.Struct({
  id: CompanyId,
  name: nonEmptyString(255),
  /** What is absent of these three has a default: see `payeeOf`. */
  legalName: Schema.optionalKey(Payee.fields.legalName),
  document: Schema.optionalKey(Payee.fields.document),
  city: Schema.optionalKey(Payee.fields.city),
  scopes: Schema.Array(Scope),
  /** Addresses that may use the company's tokens; empty means any. */
  allowedAddresses: Schema.Array(Schema.String),
  createdAt: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CompanyState = typeof CompanyState.Type
