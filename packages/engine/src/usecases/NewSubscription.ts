/**
 * What creating a manual and a periodic subscription have in common.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { View } from "@parcela/core/json/Picking"
import type { CreateManualSubscription } from "@parcela/core/subscriptions/CreateManualSubscription"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import * as Effect from "effect/Effect"
import { Commands, type KeyUse, looking } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import { CardVaulting, type VaultingFailure } from "./CardVaulting.ts"
import { mayBeNew } from "./MayBeNew.ts"
import { noPayer } from "./Payer.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionKey = KeyUse<View<Subscription>> | undefined

/**
 * What taking the card of a new subscription may fail with.
 *
 * @category errors
 * @since 0.1.0
 */
export type TakingFailure = RefusalsOf<typeof mayBeNew | typeof noPayer> | KeyReused | VaultingFailure

type Asked = Pick<CreateManualSubscription, "Customer" | "myId" | "PaymentMethodCreditCard">

/**
 * Takes the card of a new subscription, unless the subscription is refused whatever its card is or its key is known.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeTakeCard = Effect.gen(function* () {
  const cardVaulting = yield* CardVaulting
  const commands = yield* Commands

  return (companyId: CompanyId, { Customer: customer, myId, PaymentMethodCreditCard }: Asked, key: SubscriptionKey) => {
    const check = commands.run({
      load: "newSubscription",
      args: { companyId, myId, customer },
      key: looking(key),
      decide: mayBeNew("Subscription", myId),
      missing: noPayer
    })
    return cardVaulting.take(companyId, PaymentMethodCreditCard?.Card, check)
  }
})
