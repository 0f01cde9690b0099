/**
 * Use case: create a manual subscription (interface section 4.1). It generates no transaction.
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/BillingError"
import type { CardInput } from "@parcela/core/CardInput"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { CreateManualSubscription } from "@parcela/core/CreateManualSubscription"
import { bySvcPayId } from "@parcela/core/Identifier"
import { svcPay } from "@parcela/core/NamingProfile"
import type { Subscription } from "@parcela/core/Subscription"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Commands, type KeyUse } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import { Listings } from "../Listings.ts"
import type { OutsideError } from "../OutsideError.ts"
import { Sequences } from "../Sequences.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../StoreError.ts"
import * as Views from "../Views.ts"
import { Cardholding } from "./Cardholding.ts"
import { type CardInHand, queryOf } from "./CardInHand.ts"
import type { Completed } from "./Completed.ts"
import { readSubject } from "./Subject.ts"
import * as Decisions from "./SubscriptionDecisions.ts"

type SubscriptionKey = KeyUse<Subscription> | undefined

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
    ) => Effect.Effect<Completed<Subscription>, BillingError | KeyReused | OutsideError | StoreError>
  }
>()("@parcela/engine/usecases/ManualSubscriptions") {
  static readonly layer: Layer.Layer<ManualSubscriptions, never, Cardholding | Commands | Listings | Sequences> =
    Layer.effect(
      ManualSubscriptions,
      Effect.gen(function* () {
        const cardholding = yield* Cardholding
        const commands = yield* Commands
        const listings = yield* Listings
        const sequences = yield* Sequences
        const settings = yield* Settings
        // Shops of the family name a buyer anew for each order: a returning one must get through there.
        const otherMyId = settings.naming.name === svcPay.name ? "refuse" : "keep"

        const view = (created: Decisions.NewSubscription) =>
          Views.subscription({ ...created, transactions: [] }, settings)

        // A company that is not there cannot have sent the request.
        const missing = () => refuse({ _tag: "CustomerNotFound", by: ["svcPayId"] })

        const argsOf = (
          companyId: CompanyId,
          { Customer, myId }: CreateManualSubscription,
          inHand: CardInHand | undefined
        ) => ({ companyId, myId, customer: Customer, card: queryOf(inHand) })

        /** Hands a card to the vault, unless the request is refused anyway: a vault forgets nothing. */
        const takeCard = Effect.fnUntraced(function* (
          companyId: CompanyId,
          command: CreateManualSubscription,
          input: CardInput,
          key: SubscriptionKey
        ) {
          const ran = yield* commands.run({
            load: "newSubscription",
            args: argsOf(companyId, command, undefined),
            key: key === undefined ? undefined : { _tag: "Store", name: key.name, respond: () => undefined },
            decide: Decisions.mayBeCreated(command.myId),
            missing
          })
          return ran._tag === "Done"
            ? ({ _tag: "Done", value: yield* cardholding.take(companyId, input) } as const)
            : ran
        })

        const write = Effect.fnUntraced(function* (
          companyId: CompanyId,
          command: CreateManualSubscription,
          inHand: CardInHand | undefined,
          key: SubscriptionKey
        ) {
          const options = {
            companyId,
            subscriptionId: yield* sequences.next("subscription"),
            customerId: yield* sequences.next("customer"),
            inHand,
            otherMyId
          } as const
          return yield* commands.run({
            load: "newSubscription",
            args: argsOf(companyId, command, inHand),
            key:
              key === undefined
                ? undefined
                : { _tag: "Store", name: key.name, respond: (created) => key.respond(view(created)) },
            decide: Decisions.create(command, options),
            missing
          })
        })

        const create = Effect.fn("ManualSubscriptions.create")(function* (
          companyId: CompanyId,
          command: CreateManualSubscription,
          key?: SubscriptionKey
        ) {
          const input = command.PaymentMethodCreditCard?.Card
          const taken =
            input === undefined
              ? ({ _tag: "Done", value: undefined } as const)
              : yield* takeCard(companyId, command, input, key)
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
        })

        return ManualSubscriptions.of({ create })
      })
    )
}
