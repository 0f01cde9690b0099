/**
 * Use case: create a charge (public use, `POST /charges`).
 *
 * @since 0.1.0
 */
import type { CreateCharge as CreateChargeCommand } from "@parcela/core/charges/CreateCharge"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Effect from "effect/Effect"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import type { Commands } from "../commands/Command.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { CardVaulting } from "./CardVaulting.ts"
import * as Decisions from "./ChargeDecisions.ts"
import * as NewPayment from "./NewPayment.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import { noPayer, otherMyIdIn } from "./Payer.ts"

/**
 * Creates a charge with its payment, as its payment stands in it. A card payment that is due, a boleto and a Pix are taken
 * to their provider before it returns; when the provider's outcome is unknown, the payment is returned as it stands.
 *
 * @category models
 * @since 0.1.0
 */
export type CreateCharge = (
  companyId: CompanyId,
  command: CreateChargeCommand,
  key?: PaymentKey
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  RefusalsOf<typeof Decisions.create | typeof noPayer> | NewPayment.NewPaymentFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<CreateCharge, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const makePayment = yield* NewPayment.make
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    const { naming, zone } = yield* Settings
    const otherMyId = otherMyIdIn(naming)

    return Effect.fn("Charges.create")(function* (companyId, command, key) {
      const attemptId = yield* secrets.newAttemptId
      const options = {
        companyId,
        chargeId: yield* sequences.next("charge"),
        customerId: yield* sequences.next("customer"),
        payment: { id: yield* sequences.next("transaction"), myId: yield* secrets.newMyId },
        attemptId,
        otherMyId,
        zone
      }
      const { Customer: customer, myId, planMyId, planSvcPayId } = command
      return yield* makePayment({
        companyId,
        attemptId,
        card: command.PaymentMethodCreditCard?.Card,
        key,
        unit: (card) => ({
          load: "newCharge",
          args: { companyId, myId, customer, card, plan: { planMyId, planSvcPayId } },
          missing: noPayer
        }),
        decide: (requested) => Decisions.create(command, { ...options, requested })
      })
    })
  })
