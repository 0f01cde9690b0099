/**
 * A company that uses the service. Every row, credential and query belongs to one company.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { MachineTime } from "../time/MachineTime.ts"
import { Payee } from "./Payee.ts"
import { Scope } from "./Scope.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * The number of a company: positive, assigned by the store.
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
 * The stored company. Its credentials, webhook secrets and endpoints are stored separately (see the engine's
 * `Secrets`).
 *
 * @category schemas
 * @since 0.1.0
 */
export const CompanyState = Schema.Struct({
  id: CompanyId,
  name: nonEmptyString(255),
  /** `legalName`, `document` and `city` have defaults: see `payeeOf`. */
  legalName: Schema.optionalKey(Payee.fields.legalName),
  document: Schema.optionalKey(Payee.fields.document),
  city: Schema.optionalKey(Payee.fields.city),
  scopes: Schema.Array(Scope),
  /** Addresses from which the company's tokens are accepted. An empty list accepts any address. */
  allowedAddresses: Schema.Array(Schema.String),
  createdAt: MachineTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type CompanyState = typeof CompanyState.Type
