/**
 * Use case: create a manual subscription (interface section 4.1). It generates no transaction.
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/BillingError"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { CreateManualSubscription, CustomerInput } from "@parcela/core/CreateManualSubscription"
import { decideCustomer } from "@parcela/core/CustomerDecider"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { byMyId, bySvcPayId, type SvcPayId } from "@parcela/core/Identifier"
import { svcPay } from "@parcela/core/NamingProfile"
import type { Subscription } from "@parcela/core/Subscription"
import { createManual } from "@parcela/core/SubscriptionDecider"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Cardholding, type CardInHand } from "./Cardholding.ts"
import { alreadyWritten, subjectOf } from "./CurrentKey.ts"
import { Customers } from "./Customers.ts"
import { readBack } from "./internal/ReadBack.ts"
import { Listings } from "./Listings.ts"
import type { OutsideError } from "./OutsideError.ts"
import { Recorder } from "./Recorder.ts"
import { Sequences } from "./Sequences.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { UnitOfWork } from "./UnitOfWork.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class ManualSubscriptions extends Context.Service<
  ManualSubscriptions,
  {
    readonly create: (
      companyId: CompanyId,
      command: CreateManualSubscription
    ) => Effect.Effect<Subscription, BillingError | OutsideError | StoreError>
  }
>()("@parcela/engine/ManualSubscriptions") {
  static readonly layer: Layer.Layer<
    ManualSubscriptions,
    never,
    Cardholding | Customers | Listings | Recorder | Sequences | Subscriptions | UnitOfWork
  > = Layer.effect(
    ManualSubscriptions,
    Effect.gen(function* () {
      const cardholding = yield* Cardholding
      const customers = yield* Customers
      const listings = yield* Listings
      const recorder = yield* Recorder
      const sequences = yield* Sequences
      const subscriptions = yield* Subscriptions
      const unitOfWork = yield* UnitOfWork
      const { naming } = yield* Settings
      // Shops of the family name a buyer anew for each order: a returning one must get through there.
      const otherMyId = naming.name === svcPay.name ? "refuse" : "keep"

      const resolveCustomer = Effect.fnUntraced(function* (
        companyId: CompanyId,
        input: CustomerInput,
        now: EpochMillis
      ) {
        const find = <A>(value: A | undefined, by: (value: A) => ReturnType<typeof customers.find>) =>
          value === undefined ? Effect.succeedNone : by(value)
        const known = {
          bySvcPayId: Option.getOrUndefined(
            yield* find(input.svcPayId, (id) => customers.find(companyId, bySvcPayId(id)))
          ),
          byMyId: Option.getOrUndefined(yield* find(input.myId, (id) => customers.find(companyId, byMyId(id)))),
          byDocument: Option.getOrUndefined(
            yield* find(input.document, (document) => customers.findByDocument(companyId, document))
          )
        }
        const isKnown = Object.values(known).some((customer) => customer !== undefined)
        const id = yield* sequences.next("customer")
        const decision = yield* Effect.fromResult(decideCustomer(input, known, { companyId, id, now, otherMyId }))
        if (!isKnown) yield* customers.insert(decision.next)
        else if (decision.events.length > 0) yield* customers.update(decision.next)
        return decision
      })

      const write = Effect.fnUntraced(function* (
        companyId: CompanyId,
        command: CreateManualSubscription,
        inHand: CardInHand | undefined
      ): Effect.fn.Return<SvcPayId, BillingError | StoreError> {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const sameMyId = yield* subscriptions.find(companyId, byMyId(command.myId))
        const customer = yield* resolveCustomer(companyId, command.Customer, now)
        const owned =
          inHand === undefined
            ? undefined
            : yield* cardholding.own(inHand, { companyId, customerId: customer.next.id, now })
        const subscription = yield* Effect.fromResult(
          createManual(command, {
            companyId,
            id: yield* sequences.next("subscription"),
            customerId: customer.next.id,
            cardId: owned?.card.id,
            sameMyId: Option.getOrUndefined(sameMyId),
            now
          })
        )
        yield* subscriptions.insert(subscription.next)
        yield* recorder.record({
          companyId,
          now,
          events: [...customer.events, ...(owned?.events ?? []), ...subscription.events],
          subject: subjectOf("subscription", subscription.next.id)
        })
        return subscription.next.id
      })

      const create = Effect.fn("ManualSubscriptions.create")(function* (
        companyId: CompanyId,
        command: CreateManualSubscription
      ) {
        const written = yield* alreadyWritten("subscription")
        if (Option.isSome(written)) return yield* listings.subscription(companyId, bySvcPayId(written.value.id))
        const { myId } = command
        const input = command.PaymentMethodCreditCard?.Card
        // A vault forgets nothing: it gets no card of a request that is refused anyway.
        if (input !== undefined && Option.isSome(yield* subscriptions.find(companyId, byMyId(myId)))) {
          return yield* refuse({ _tag: "MyIdTaken", entity: "Subscription", myId })
        }
        const inHand = input === undefined ? undefined : yield* cardholding.take(companyId, input)
        const id = yield* unitOfWork.transact(write(companyId, command, inHand))
        return yield* readBack(listings.subscription(companyId, bySvcPayId(id)))
      })

      return ManualSubscriptions.of({ create })
    })
  )
}
