/**
 * Port: the customers of each company.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState, CustomerStanding } from "@parcela/core/customers/CustomerState"
import type { CustomerList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * A customer, and the data from which its status follows.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedCustomer {
  readonly customer: CustomerState
  readonly standing: CustomerStanding
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Customers extends Context.Service<
  Customers,
  {
    /**
     * Returns a page of customers. An absent filter field matches all customers. The status filter is evaluated for
     * `today`.
     */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<CustomerList>,
      page: PageOf<CustomerList>,
      today: LocalDate
    ) => Effect.Effect<ReadonlyArray<ListedCustomer>, StoreError>
  }
>()("@parcela/engine/ports/Customers") {}
