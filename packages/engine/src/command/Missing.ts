/**
 * The refusals for entities that a path names and the company does not have.
 *
 * @since 0.1.0
 */
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { EntityRef } from "@parcela/core/values/Identifier"

type By = Pick<EntityRef, "typeId">

/**
 * @category errors
 * @since 0.1.0
 */
export const noSubscription = ({ typeId }: By): RefusedBy<"SubscriptionNotFound"> =>
  refuse({ _tag: "SubscriptionNotFound", typeId })

/**
 * @category errors
 * @since 0.1.0
 */
export const noTransaction = ({ typeId }: By): RefusedBy<"TransactionNotFound"> =>
  refuse({ _tag: "TransactionNotFound", typeId })

/**
 * @category errors
 * @since 0.1.0
 */
export const noCharge = ({ typeId }: By): RefusedBy<"ChargeNotFound"> => refuse({ _tag: "ChargeNotFound", typeId })

/**
 * @category errors
 * @since 0.1.0
 */
export const noCustomer = ({ typeId }: By): RefusedBy<"CustomerUnknown"> => refuse({ _tag: "CustomerUnknown", typeId })

/**
 * @category errors
 * @since 0.1.0
 */
export const noCard = ({ typeId }: By): RefusedBy<"CardUnknown"> => refuse({ _tag: "CardUnknown", typeId })

/**
 * @category errors
 * @since 0.1.0
 */
export const noPlan = ({ typeId }: By): RefusedBy<"PlanNotFound"> => refuse({ _tag: "PlanNotFound", typeId })
