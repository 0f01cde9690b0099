/**
 * Use case: add a payment to a subscription (interface section 4.1).
 *
 * @since 0.1.0
 */
import type { AddPayment as AddPaymentCommand } from "@parcela/core/transactions/AddPayment"
import { type BillingError, refuse } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { underWayOf } from "@parcela/core/transactions/TransactionState"
import * as Effect from "effect/Effect"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Commands } from "../commands/Command.ts"
import type { KeyReused } from "../commands/KeyReused.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import { afterCommit, type StoreError } from "../ports/StoreError.ts"
import { CardVaulting } from "./CardVaulting.ts"
import { type RequestedCard, queryOf } from "./RequestedCard.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import * as Decisions from "./PaymentDecisions.ts"
import { type PaymentKey, storing } from "./PaymentKey.ts"
import * as ShowPayment from "./ShowPayment.ts"
import { readSubject } from "../commands/KeySubject.ts"

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
) => Effect.Effect<CommandOutcome<PaymentContext>, BillingError | KeyReused | ProviderError | StoreError>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AddPayment, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const cardVaulting = yield* CardVaulting
    const commands = yield* Commands
    const { respond, resume } = yield* ShowPayment.make
    const write = yield* makeWrite

    /** Refuses what is refused whatever its card is. */
    const check = (companyId: CompanyId, subscription: EntityRef, { myId }: AddPaymentCommand, key: PaymentKey) =>
      commands.run({
        load: "newPayment",
        args: { companyId, subscription, myId },
        key: key === undefined ? undefined : { _tag: "Store", name: key.name, respond: () => undefined },
        decide: Decisions.mayBeAdded(myId),
        missing: () => refuse({ _tag: "SubscriptionNotFound", typeId: subscription.typeId })
      })

    return Effect.fn("Payments.add")(function* (companyId, subscription, command, key) {
      const checked = check(companyId, subscription, command, key)
      const taken = yield* cardVaulting.take(companyId, command.PaymentMethodCreditCard?.Card, checked)
      const ran = taken._tag === "Done" ? yield* write(companyId, subscription, command, taken.value, key) : taken
      switch (ran._tag) {
        case "Replayed":
          return ran
        case "Resumed":
          return done(yield* afterCommit(resume(companyId, readSubject(ran.subject).id, key)))
        case "Done": {
          const { attempt, payment } = ran.value
          // Written by a run whose commit had no response: the first command that finds it carries its attempt.
          if (attempt === undefined && underWayOf(payment.transaction) !== undefined) {
            return done(yield* afterCommit(resume(companyId, payment.transaction.id, key)))
          }
          const isComplete = key === undefined || underWayOf(payment.transaction) === undefined
          return done(isComplete ? payment : yield* afterCommit(respond(payment, key)))
        }
      }
    })
  })

/** Writes the payment, and carries the attempt that it begins. */
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
      key: storing(key),
      decide: Decisions.add(command, requested, ids, zone),
      missing: () => refuse({ _tag: "SubscriptionNotFound", typeId: subscription.typeId })
    })
    return yield* attempts.perform(ids.attemptId, begin, key)
  })
})

const done = <A>(value: A) => ({ _tag: "Done", value }) as const
