/**
 * Port: the customers of each company.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class Customers extends Context.Service<
  Customers,
  {
    /** Fails with `Conflict` when the company has a customer of that `myId` or document already. */
    readonly insert: (customer: CustomerState) => Effect.Effect<void, StoreError>
    readonly update: (customer: CustomerState) => Effect.Effect<void, StoreError>
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<CustomerState>, StoreError>
    readonly findByDocument: (
      companyId: CompanyId,
      document: string
    ) => Effect.Effect<Option.Option<CustomerState>, StoreError>
  }
>()("@parcela/engine/ports/Customers") {}
