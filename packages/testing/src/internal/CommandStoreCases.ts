/**
 * What the parts of the suite of `CommandStore` share.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { KeyWrite } from "@parcela/engine/command/WriteSet"
import type { KeyName } from "@parcela/engine/command/LoadedCompany"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { DueWork } from "@parcela/engine/ports/DueWork"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { minute, type onEmptyStore } from "../StoreFixtures.ts"
import { writes } from "../CommandStoreFixtures.ts"

/** Runs a test on a store of its own. */
export type OnEmpty = ReturnType<typeof onEmptyStore>

/** Whether a row of due work is there. */
export const isDue = (subject: string) =>
  Effect.map(
    DueWork.use((work) =>
      work.take({ kind: "resolve attempt", subject, owner: "test", now: minute(600), until: minute(601) })
    ),
    Option.isSome
  )

export const keyOf = (companyId: CompanyId, fingerprint = "f"): KeyName => ({ companyId, key: "k", fingerprint })

export const storedKey = (name: KeyName, subject = "transaction:1"): KeyWrite => ({
  _tag: "Insert",
  name,
  subject,
  response: undefined,
  at: minute(1)
})

/** The subscription that a payment belongs to. */
const subscriptionIn = ({ owner }: PaymentContext): SubscriptionState => {
  if (owner._tag !== "Subscription") throw new Error("The payment belongs to no subscription")
  return owner.subscription
}

/** How many payments the subscription of a payment has. */
export const paymentsIn = (found: PaymentContext | undefined): number | undefined =>
  found === undefined ? undefined : subscriptionIn(found).payments

/** The change that counts one payment more. */
export const countedIn = (found: PaymentContext) => {
  const before = subscriptionIn(found)
  return { table: "subscriptions", before, next: { ...before, payments: before.payments + 1 } } as const
}

/** One payment more of a subscription. */
export const counting = Effect.map(
  writes,
  (make) => (found: PaymentContext) =>
    make(
      {
        guards: [found.guard],
        changes: [countedIn(found)]
      },
      found
    )
)
