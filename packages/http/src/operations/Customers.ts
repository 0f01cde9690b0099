/**
 * Lists, creates, edits and deactivates customers.
 *
 * @since 0.1.0
 */
import { customerList } from "@parcela/core/lists/CustomerList"
import { selectionOf } from "@parcela/core/lists/ListSelection"
import * as Views from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { CustomerManagement, type CustomerToday } from "@parcela/engine/customers/Customers"
import type { CustomersGroup } from "@parcela/transport/contract/Customers"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"
import { isDone } from "./Done.ts"
import { pageOf } from "./Page.ts"

const selected = selectionOf(customerList)

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof CustomersGroup>, never, CustomerManagement> = Effect.gen(
  function* () {
    const customers = yield* CustomerManagement
    const settings = yield* Settings
    const view = ({ customer, status }: CustomerToday) => Views.customer(customer, settings, status)
    const shown = (found: CustomerToday) => ({ type: true as const, Customer: view(found) })
    return {
      "customers.create": ({ client, payload, underKey }) =>
        underKey(shown, (key) => customers.create(client.companyId, payload, key)),
      "customers.edit": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => customers.edit(client.companyId, entity, payload, key)),
      "customers.deactivate": ({ client, entity, underKey }) =>
        underKey(isDone, (key) => customers.edit(client.companyId, entity, { status: "inactive" }, key)),
      "customers.list": ({ client, query }) => {
        const { filter, page } = selected(query, settings.zone)
        return Effect.map(customers.list(client.companyId, filter, page), (found) =>
          pageOf("Customers", found.map(view))
        )
      }
    }
  }
)
