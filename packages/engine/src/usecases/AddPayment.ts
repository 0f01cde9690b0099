/**
 * Use case: add a payment to a subscription (interface section 4.1).
 *
 * @since 0.1.0
 */
import type { AddPayment as AddPaymentCommand } from "@parcela/core/transactions/AddPayment"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Commands, looking } from "../commands/Command.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import type { CardVaulting } from "./CardVaulting.ts"
import { type RequestedCard, queryOf } from "./RequestedCard.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import { mayBeNew } from "./MayBeNew.ts"
import { noSubscription } from "./Missing.ts"
import * as NewPayment from "./NewPayment.ts"
import * as Decisions from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./PaymentKey.ts"

/**
 * Adds a payment. A card payment that is due, a boleto and a Pix are taken to their provider before it returns; when
 * the provider's outcome is unknown, the transaction is returned as it stands.
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
  RefusalsOf<typeof mayBeNew | typeof Decisions.add | typeof noSubscription> | NewPayment.NewPaymentFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AddPayment, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const commands = yield* Commands
    const makePayment = yield* NewPayment.make
    const write = yield* makeWrite

    const check = (companyId: CompanyId, subscription: EntityRef, { myId }: AddPaymentCommand, key: PaymentKey) =>
      commands.run({
        load: "newPayment",
        args: { companyId, subscription, myId },
        key: looking(key),
        decide: mayBeNew("Transaction", myId),
        missing: () => noSubscription(subscription)
      })

    return Effect.fn("Payments.add")((companyId, subscription, command, key) =>
      makePayment({
        companyId,
        card: command.PaymentMethodCreditCard?.Card,
        key,
        check: check(companyId, subscription, command, key),
        write: (requested) => write(companyId, subscription, command, requested, key)
      })
    )
  })

const makeWrite = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands
  const secrets = yield* Secrets
  const sequences = yield* Sequences
  const { zone } = yield* Settings
  return Effect.fnUntraced(function* (
    companyId: CompanyId,
    subscription: EntityRef,
    command: AddPaymentCommand,
    requested: RequestedCard | undefined,
    key: PaymentKey
  ) {
    const ids = { attemptId: yield* secrets.newAttemptId, transactionId: yield* sequences.next("transaction") }
    const begin = commands.run({
      load: "newPayment",
      args: { companyId, subscription, myId: command.myId, card: queryOf(requested) },
      key: storingPayment(key),
      decide: Decisions.add(command, requested, ids, zone),
      missing: () => noSubscription(subscription)
    })
    return yield* attempts.perform(ids.attemptId, begin, key)
  })
})
