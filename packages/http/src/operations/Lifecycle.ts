/**
 * Operations that change an entity of a company on behalf of an operator. The sandbox controls and the administration
 * of a service share these operations.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { byMyId, type MyId } from "@parcela/core/values/Identifier"
import { withoutKey } from "@parcela/engine/command/Command"
import { Companies } from "@parcela/engine/ports/Companies"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import { Payments } from "@parcela/engine/payments/Payments"
import { SubscriptionChanges } from "@parcela/engine/subscriptions/SubscriptionEditing"
import type {
  ChargeLifecycleGroup,
  SubscriptionLifecycleGroup,
  TransactionLifecycleGroup
} from "@parcela/transport/administration/AdministrationContract"
import { NotFound } from "@parcela/transport/ApiError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Operations } from "../Operation.ts"

interface OfOne {
  readonly params: { readonly clientId: string }
  readonly payload: { readonly myId: MyId }
}

/** Returns a function that changes the entity of a request, or fails with a 404 if the company does not exist. */
const makeChanging = Effect.map(
  Companies,
  (companies) =>
    <A, E>(change: (companyId: CompanyId, ref: ReturnType<typeof byMyId>) => Effect.Effect<A, E>) =>
      Effect.fnUntraced(function* ({ params: { clientId }, payload: { myId } }: OfOne) {
        const known = yield* companies.findCredential(clientId)
        if (Option.isNone(known)) {
          return yield* new NotFound({ message: `There is no company with the client id "${clientId}"` })
        }
        return yield* change(known.value.companyId, byMyId(myId))
      })
)

/**
 * @category operations
 * @since 0.1.0
 */
export const subscriptions: Effect.Effect<
  Operations<typeof SubscriptionLifecycleGroup>,
  never,
  Companies | SubscriptionChanges
> = Effect.gen(function* () {
  const changes = yield* SubscriptionChanges
  const changing = yield* makeChanging
  const change = (name: "deactivate" | "reactivate" | "stop") => {
    const changed = changing((companyId, ref) => withoutKey(changes[name](companyId, ref)))
    return (request: OfOne) => Effect.map(changed(request), ({ status }) => ({ status }))
  }
  return {
    "subscriptions.stop": change("stop"),
    "subscriptions.reactivate": change("reactivate"),
    "subscriptions.deactivate": change("deactivate")
  }
})

/**
 * @category operations
 * @since 0.1.0
 */
export const transactions: Effect.Effect<
  Operations<typeof TransactionLifecycleGroup>,
  never,
  Companies | Payments
> = Effect.gen(function* () {
  const payments = yield* Payments
  const changing = yield* makeChanging
  const waive = changing((companyId, ref) => withoutKey(payments.waive(companyId, ref)))
  return {
    "transactions.waive": (request) => Effect.map(waive(request), ({ transaction: { status } }) => ({ status }))
  }
})

/**
 * @category operations
 * @since 0.1.0
 */
export const charges: Effect.Effect<
  Operations<typeof ChargeLifecycleGroup>,
  never,
  ChargeManagement | Companies
> = Effect.gen(function* () {
  const management = yield* ChargeManagement
  const changing = yield* makeChanging
  const deactivate = changing((companyId, ref) => management.deactivate(companyId, ref))
  return { "charges.deactivate": (request) => Effect.map(deactivate(request), ({ status }) => ({ status })) }
})
