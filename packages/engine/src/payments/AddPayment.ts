/**
 * Use case: add a payment to a subscription (interface section 4.1).
 *
 * @since 0.1.0
 */
import type { AddPayment as AddPaymentCommand } from "@parcela/core/transactions/AddPayment"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import type { PaymentAttempts } from "./PaymentAttempts.ts"
import type { Commands, RefusalsOf, CommandOutcome } from "../command/Command.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { CardVaulting } from "../cards/CardVaulting.ts"
import { noSubscription } from "../command/Missing.ts"
import * as NewPayment from "./NewPayment.ts"
import * as Decisions from "./PaymentDecisions.ts"
import type { PaymentKey } from "./PaymentKey.ts"
import * as Spans from "../Spans.ts"

/**
 * Adds a payment. A boleto, a Pix or a card payment that is due is sent to its provider before the effect returns. If
 * the provider's outcome is unknown, the returned transaction is still open.
 *
 * @category models
 * @since 0.1.0
 */
export type AddPayment = (
  companyId: CompanyId,
  subscription: EntityRef,
  command: AddPaymentCommand,
  key?: PaymentKey
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  RefusalsOf<typeof Decisions.add | typeof noSubscription> | NewPayment.NewPaymentFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AddPayment, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const makePayment = yield* NewPayment.make
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    const { zone } = yield* Settings

    return Spans.fn("Payments.add")(function* (companyId, subscription, command, key) {
      const ids = { attemptId: yield* secrets.newAttemptId, transactionId: yield* sequences.next("transaction") }
      return yield* makePayment({
        companyId,
        attemptId: ids.attemptId,
        card: command.PaymentMethodCreditCard?.Card,
        key,
        unit: (card) => ({
          load: "newPayment",
          args: { companyId, subscription, myId: command.myId, card },
          missing: () => noSubscription(subscription)
        }),
        decide: (requested) => Decisions.add(command, requested, ids, zone)
      })
    })
  })
