/**
 * What a new subscription rests on.
 *
 * @since 0.1.0
 */
import type { FoundPlans } from "@parcela/core/subscriptions/SubscriptionPlan"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { CompanyContext } from "./CompanyContext.ts"
import type { FoundInstalments } from "./Instalments.ts"
import type { FoundPayer } from "./PayerContext.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface NewSubscriptionContext extends CompanyContext, FoundPayer {
  readonly sameMyId: SubscriptionState | undefined
  readonly instalments: FoundInstalments
  readonly plans: FoundPlans
}
