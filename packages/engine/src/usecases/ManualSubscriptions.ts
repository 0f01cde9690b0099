/**
 * Use case: create a manual subscription (interface section 4.1). It generates no transaction.
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CreateManualSubscription } from "@parcela/core/subscriptions/CreateManualSubscription"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import type { View } from "@parcela/core/json/Picking"
import { svcPay } from "@parcela/core/json/NamingProfile"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Commands, type KeyPart, type KeyUse } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import { Listings } from "../queries/Listings.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import * as Views from "../queries/Views.ts"
import { CardVaulting } from "./CardVaulting.ts"
import { type RequestedCard, queryOf } from "./RequestedCard.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import { readSubject } from "../commands/KeySubject.ts"
import * as Decisions from "./SubscriptionDecisions.ts"

type SubscriptionKey = KeyUse<View<Subscription>> | undefined

/**
 * @category services
 * @since 0.1.0
 */
export class ManualSubscriptions extends Context.Service<
  ManualSubscriptions,
  {
    readonly create: (
      companyId: CompanyId,
      command: CreateManualSubscription,
      key?: SubscriptionKey
    ) => Effect.Effect<CommandOutcome<View<Subscription>>, BillingError | KeyReused | ProviderError | StoreError>
  }
>()("@parcela/engine/usecases/ManualSubscriptions") {
  static readonly layer: Layer.Layer<ManualSubscriptions, never, CardVaulting | Commands | Listings | Sequences> =
    Layer.effect(
      ManualSubscriptions,
      Effect.suspend(() => make)
    )
}

// A company that is not there cannot have sent the request.
const missing = () => refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] })

const argsOf = (companyId: CompanyId, { Customer, myId }: CreateManualSubscription, requested?: RequestedCard) => ({
  companyId,
  myId,
  customer: Customer,
  card: queryOf(requested)
})

const make = Effect.gen(function* () {
  const cardVaulting = yield* CardVaulting
  const commands = yield* Commands
  const listings = yield* Listings
  const sequences = yield* Sequences
  const settings = yield* Settings
  // Shops of the family name a buyer anew for each order: a returning one must get through there.
  const otherMyId = settings.naming.name === svcPay.name ? "refuse" : "keep"

  const view = (created: Decisions.NewSubscription) => Views.subscription(created, settings)

  const storing = (key: SubscriptionKey): KeyPart<Decisions.NewSubscription> | undefined =>
    key === undefined ? undefined : { _tag: "Store", name: key.name, respond: (created) => key.respond(view(created)) }

  /** Refuses what is refused whatever its card is. */
  const check = (companyId: CompanyId, command: CreateManualSubscription, key: SubscriptionKey) =>
    commands.run({
      load: "newSubscription",
      args: argsOf(companyId, command),
      key: key === undefined ? undefined : { _tag: "Store", name: key.name, respond: () => undefined },
      decide: Decisions.mayBeCreated(command.myId),
      missing
    })

  const write = Effect.fnUntraced(function* (
    companyId: CompanyId,
    command: CreateManualSubscription,
    requested: RequestedCard | undefined,
    key: SubscriptionKey
  ) {
    const subscriptionId = yield* sequences.next("subscription")
    const customerId = yield* sequences.next("customer")
    return yield* commands.run({
      load: "newSubscription",
      args: argsOf(companyId, command, requested),
      key: storing(key),
      decide: Decisions.create(command, { companyId, subscriptionId, customerId, requested, otherMyId }),
      missing
    })
  })

  const create: ManualSubscriptions["Service"]["create"] = Effect.fn("ManualSubscriptions.create")(
    function* (companyId, command, key) {
      const checked = check(companyId, command, key)
      const taken = yield* cardVaulting.take(companyId, command.PaymentMethodCreditCard?.Card, checked)
      const ran = taken._tag === "Done" ? yield* write(companyId, command, taken.value, key) : taken
      switch (ran._tag) {
        case "Replayed":
          return ran
        case "Resumed": {
          const { id } = readSubject(ran.subject)
          return { _tag: "Done", value: yield* listings.subscription(companyId, bySvcPayId(id)) } as const
        }
        case "Done":
          return { _tag: "Done", value: view(ran.value) } as const
      }
    }
  )

  return ManualSubscriptions.of({ create })
})
