/**
 * All loads by their names.
 *
 * @since 0.1.0
 */
import type { LoadName } from "@parcela/engine/command/Loads"
import type { Load } from "./Load.ts"
import { company, card, newCard, sameDocument, sameDocumentAndStanding, entity, newEntity } from "./Entity.ts"
import { delivery, endpoints, newReplay } from "./Webhooks.ts"
import { instalments, newPayment } from "./NewPayments.ts"
import { newCharge, newSubscription, subscriptionEdit, subscriptionPayments } from "./Contracts.ts"
import { chargeEdit, payment, paymentEdit } from "./Payment.ts"
import { customers } from "../tables/Customers.ts"
import { plans } from "../tables/Entities.ts"

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
