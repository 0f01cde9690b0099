/**
 * Every load by its name.
 *
 * @since 0.1.0
 */
import type { Args, Loaded, LoadName } from "@parcela/engine/command/Loads"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import type { Load } from "./Load.ts"
import { company } from "./LoadCompany.ts"
import { card, newCard } from "./LoadCard.ts"
import { sameDocument, sameDocumentAndStanding } from "./LoadCustomer.ts"
import { delivery } from "./LoadDelivery.ts"
import { endpoints } from "./LoadEndpoints.ts"
import { entity, newEntity } from "./LoadEntity.ts"
import { instalments } from "./LoadInstalments.ts"
import { newCharge } from "./LoadNewCharge.ts"
import { newReplay } from "./LoadNewReplay.ts"
import { newPayment } from "./LoadNewPayment.ts"
import { newSubscription } from "./LoadNewSubscription.ts"
import { chargeEdit, payment, paymentEdit } from "./LoadPayment.ts"
import { customers } from "../tables/Customers.ts"
import { subscriptionEdit, subscriptionPayments } from "./LoadSubscriptionPayments.ts"
import { plans } from "../tables/Plans.ts"
import type { Row } from "./Statement.ts"

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

/**
 * The load of a unit.
 *
 * @category getters
 * @since 0.1.0
 */
// A name has one type of arguments, which the table of loads says and the compiler does not see through.
export const loadOf = <N extends LoadName>({ load }: { readonly load: N }): Load<N> => loads[load] as Load<N>

/**
 * What a load brought, from its one row.
 *
 * @category conversions
 * @since 0.1.0
 */
export const readLoad = <N extends LoadName>(
  unit: { readonly load: N; readonly args: Args<N> },
  row: Row | undefined
): Result.Result<Loaded<N>, StoreError> =>
  row === undefined
    ? Result.fail(
        new StoreError({ reason: new Corrupt({ table: "companies", cause: new Error("The company is not there") }) })
      )
    : loadOf(unit).read(row, unit.args)
