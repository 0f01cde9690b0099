/**
 * The service that contains the use cases of payments.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PaymentAttempts } from "./PaymentAttempts.ts"
import type { Commands } from "../command/Command.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import type { Sequences } from "../ports/Sequences.ts"
import * as AddPayment from "./AddPayment.ts"
import type { CardVaulting } from "../cards/CardVaulting.ts"
import * as EditPayment from "./EditPayment.ts"
import * as ProviderCommands from "./ProviderCommands.ts"
import * as SendPayment from "./SendPayment.ts"
import * as ShowPayment from "./ShowPayment.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class Payments extends Context.Service<
  Payments,
  ProviderCommands.ProviderCommands & {
    readonly add: AddPayment.AddPayment
    readonly edit: EditPayment.EditPayment
    readonly sendDue: SendPayment.SendPayment
    readonly show: ShowPayment.ShowPayment["show"]
  }
>()("@parcela/engine/payments/Payments") {
  static readonly layer: Layer.Layer<Payments, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
    Layer.effect(
      Payments,
      Effect.gen(function* () {
        const { show } = yield* ShowPayment.make
        return Payments.of({
          add: yield* AddPayment.make,
          edit: yield* EditPayment.make,
          ...(yield* ProviderCommands.make),
          sendDue: yield* SendPayment.make,
          show
        })
      })
    )
}
