/**
 * Use cases of periodic subscriptions, which create their own instalments (public use, `POST /subscriptions`).
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CreateSubscription, Subscription } from "@parcela/core/subscriptions/Subscription"
import type { View } from "@parcela/core/json/ResponseSerializer"
import { pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PaymentAttempts } from "../payments/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { type Commands, type CommandOutcome, done } from "../command/Command.ts"
import { storingView, readSubject, subjectOf } from "../command/IdempotencyKey.ts"
import { type RefusalsOf } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { Sequences } from "../ports/Sequences.ts"
import { afterCommit, companyRestored } from "../ports/StoreError.ts"
import { Listings } from "../queries/Listings.ts"
import * as Views from "../queries/Views.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import type { CardVaulting, RequestedCard } from "../cards/CardVaulting.ts"
import * as Instalments from "../payments/Instalments.ts"
import { type CreationFailure, makeCreating, type SubscriptionKey } from "./NewSubscription.ts"
import { otherMyIdIn } from "../customers/Payer.ts"
import * as ShowPayment from "../payments/ShowPayment.ts"
import * as Spans from "../Spans.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class PeriodicSubscriptions extends Context.Service<
  PeriodicSubscriptions,
  {
    /**
     * Creates a subscription with its first instalments. If the first one is due, it is sent to its provider before the
     * effect returns. If the provider's outcome is unknown, the returned instalment is still open.
     */
    readonly create: (
      companyId: CompanyId,
      command: CreateSubscription,
      key?: SubscriptionKey
    ) => Effect.Effect<
      CommandOutcome<View<Subscription>>,
      | RefusalsOf<
          typeof Instalments.create | Listings["Service"]["subscription"] | ShowPayment.ShowPayment["show" | "respond"]
        >
      | CreationFailure
    >
    readonly makeDue: Instalments.MakeInstalments
  }
>()("@parcela/engine/subscriptions/PeriodicSubscriptions") {
  static readonly layer: Layer.Layer<
    PeriodicSubscriptions,
    never,
    CardVaulting | Commands | Listings | PaymentAttempts | Secrets | Sequences
  > = Layer.effect(
    PeriodicSubscriptions,
    Effect.gen(function* () {
      return PeriodicSubscriptions.of({ create: yield* makeCreate, makeDue: yield* Instalments.make })
    })
  )
}

const viewOf = (created: Instalments.NewPeriodic, settings: SettingsShape): View<Subscription> => {
  const { card, customer, instalments, payment, subscription } = created
  // The first instalment is replaced by its state after the attempt.
  const [, ...others] = instalments
  const transactions = payment === undefined ? [] : [payment.transaction, ...others]
  return Views.subscription(
    {
      subscription,
      customer,
      card,
      transactions: transactions.map((transaction) => ({
        transaction,
        card: transaction.method === "creditcard" ? card : undefined
      }))
    },
    settings
  )
}

const isComplete = ({ payment }: Instalments.NewPeriodic): boolean =>
  payment === undefined || pendingAttemptOf(payment.transaction) === undefined

/** Creates the subscription and executes the attempt of its first instalment. */
const makeWrite = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const creating = yield* makeCreating
  const names = yield* Instalments.makeNames
  const secrets = yield* Secrets
  const sequences = yield* Sequences
  const settings = yield* Settings
  const otherMyId = otherMyIdIn(settings.naming)

  return Effect.fnUntraced(function* (companyId: CompanyId, command: CreateSubscription, key: SubscriptionKey) {
    const { Customer: customer, myId, planMyId, planSvcPayId, Transactions: changes = [] } = command
    const subscriptionId = yield* sequences.next("subscription")
    const customerId = yield* sequences.next("customer")
    const attemptId = yield* secrets.newAttemptId
    // The quantity of a plan is known only after the load.
    const { quantity = Instalments.maxInstalmentsPerWrite } = command
    const ids = yield* names(quantity === 0 ? 1 : Math.min(quantity, Instalments.maxInstalmentsPerWrite))
    // The list contains at least one element.
    const instalments = { firstId: ids[0]!.id, myIds: changes.flatMap((change) => change.myId ?? []) }
    const options = { companyId, subscriptionId, customerId, otherMyId, attemptId, ids, zone: settings.zone } as const
    return yield* creating({
      companyId,
      card: command.PaymentMethodCreditCard?.Card,
      args: { companyId, myId, customer, instalments, plan: { planMyId, planSvcPayId } },
      decide: (requested: RequestedCard | undefined) => Instalments.create(command, { ...options, requested }),
      key: storingView(key, (created: Instalments.NewPeriodic) =>
        isComplete(created) ? viewOf(created, settings) : undefined
      ),
      perform: (begin) => attempts.perform(attemptId, begin)
    })
  })
})

const makeCreate = Effect.gen(function* () {
  const listings = yield* Listings
  const settings = yield* Settings
  const { respond, show } = yield* ShowPayment.make
  const write = yield* makeWrite

  /** Stores the response under the key once the attempt of the first instalment has ended. */
  const complete = Effect.fnUntraced(function* (
    view: View<Subscription>,
    payment: PaymentContext,
    key: SubscriptionKey
  ) {
    if (key === undefined || pendingAttemptOf(payment.transaction) !== undefined) return done(view)
    const outcome = yield* respond(payment, { name: key.name, respond: () => key.respond(view) })
    return outcome._tag === "Replayed" ? outcome : done(view)
  })

  /** Waits for the open attempt of a subscription that an earlier run wrote, and returns the subscription. */
  const resume = Effect.fnUntraced(
    function* (companyId: CompanyId, subject: string, key: SubscriptionKey) {
      const subscription = yield* listings.subscription(companyId, bySvcPayId(readSubject(subject).id))
      const [first] = subscription.Transactions
      if (first === undefined) return done(subscription)
      const payment = yield* show(companyId, bySvcPayId(first.svcPayId))
      return yield* complete(yield* listings.subscription(companyId, bySvcPayId(subscription.svcPayId)), payment, key)
    },
    // The key referred to these entities, so only a restore explains that they are missing.
    Effect.catchTag("BillingError", () => Effect.fail(companyRestored()))
  )

  return Spans.fn("PeriodicSubscriptions.create")(function* (
    companyId: CompanyId,
    command: CreateSubscription,
    key?: SubscriptionKey
  ) {
    const ran = yield* write(companyId, command, key)
    switch (ran._tag) {
      case "Replayed":
        return ran
      case "Resumed":
        return yield* afterCommit(resume(companyId, ran.subject, key))
      case "Done": {
        const { attempt, payment } = ran.value
        // An earlier run wrote the subscription, and the reply to its commit was lost. This command executes its
        // attempt.
        if (attempt === undefined && !isComplete(ran.value)) {
          const subject = subjectOf("subscription", ran.value.subscription.id)
          return yield* afterCommit(resume(companyId, subject, key))
        }
        const view = viewOf(ran.value, settings)
        return attempt === undefined || payment === undefined
          ? done(view)
          : yield* afterCommit(complete(view, payment, key))
      }
    }
  })
})
