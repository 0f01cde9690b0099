/**
 * Lists, creates, edits, retries, reverses, captures and cancels charges.
 *
 * @since 0.1.0
 */
import { chargeList } from "@parcela/core/lists/ChargeList"
import { selectionOf } from "@parcela/core/lists/ListSelection"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Listings } from "@parcela/engine/queries/Listings"
import * as Views from "@parcela/engine/queries/Views"
import { Settings, type SettingsShape } from "@parcela/engine/Settings"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import type { ChargesGroup } from "@parcela/transport/contract/Charges"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"
import { isDone } from "./Done.ts"
import { pageOf } from "./Page.ts"

const selected = selectionOf(chargeList)

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof ChargesGroup>, never, ChargeManagement | Listings> = Effect.gen(
  function* () {
    const charges = yield* ChargeManagement
    const listings = yield* Listings
    const settings = yield* Settings
    const shown = shownWith(settings)
    return {
      "charges.create": ({ client, payload, underKey }) =>
        underKey(shown, (key) => charges.create(client.companyId, payload, key)),
      "charges.edit": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => charges.edit(client.companyId, entity, payload, key)),
      "charges.retry": ({ client, entity, underKey }) =>
        underKey(shown, (key) => charges.retry(client.companyId, entity, key)),
      "charges.reverse": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => charges.reverse(client.companyId, entity, payload, key)),
      "charges.capture": ({ client, entity, underKey }) =>
        underKey(shown, (key) => charges.capture(client.companyId, entity, key)),
      "charges.cancel": ({ client, entity, underKey }) =>
        underKey(isDone, (key) => charges.cancel(client.companyId, entity, key)),
      "charges.list": ({ client, query }) => {
        const { filter, page } = selected(query, settings.zone)
        return Effect.map(listings.charges(client.companyId, filter, page), (found) => pageOf("Charges", found))
      }
    }
  }
)

const shownWith =
  (settings: SettingsShape) =>
  ({ card, customer, owner, transaction }: PaymentContext) => {
    if (owner._tag !== "Charge") throw new Error(`Transaction ${transaction.id} belongs to no charge`)
    const parts = { charge: owner.charge, card: owner.card, customer, transactions: [{ transaction, card }] }
    return { type: true as const, Charge: Views.charge(parts, settings) }
  }
