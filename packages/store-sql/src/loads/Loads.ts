/**
 * All loads by their names.
 *
 * @since 0.1.0
 */
import type { LoadName } from "@parcela/engine/command/Loads"
import { customers } from "../tables/Customers.ts"
import { plans } from "../tables/Entities.ts"
import { newCharge, newSubscription, subscriptionEdit, subscriptionPayments } from "./Contracts.ts"
import { card, company, entity, newCard, newEntity, sameDocument, sameDocumentAndStanding } from "./Entity.ts"
import type { Load } from "./Load.ts"
import { instalments, newPayment } from "./NewPayments.ts"
import { chargeEdit, payment, paymentEdit } from "./Payment.ts"
import { delivery, endpoints, newReplay } from "./Webhooks.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const loads: { readonly [N in LoadName]: Load<N> } = {
  chargeEdit,
  card,
  company,
  customer: entity(customers, sameDocumentAndStanding),
  delivery,
  endpoints,
  instalments,
  newCard,
  newCustomer: newEntity(customers, sameDocument),
  newCharge,
  newPayment,
  newPlan: newEntity(plans),
  newReplay,
  newSubscription,
  payment,
  paymentEdit,
  plan: entity(plans),
  subscriptionEdit,
  subscriptionPayments
}
