/**
 * Use case: edit a payment (public use, `PUT /transactions/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { dateAt } from "@parcela/core/time/WallClock"
import type { EditPayment as EditPaymentCommand } from "@parcela/core/transactions/EditPayment"
import * as Decider from "@parcela/core/transactions/TransactionDecider"
import { type Edited, edit, isUnderWay, mayChange } from "@parcela/core/transactions/TransactionEdit"
import { beginCancellation } from "@parcela/core/transactions/TransactionEndings"
import { underWayOf } from "@parcela/core/transactions/TransactionState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import { Commands, looking } from "../commands/Command.ts"
import type { CommandOutcome } from "../commands/CommandOutcome.ts"
import { subjectOf } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/WriteSet.ts"
import type { Guard, PaymentContext, PaymentEditContext } from "../ports/CommandStore.ts"
import { openPaymentsOf } from "../ports/PaymentOwner.ts"
import { Settings } from "../Settings.ts"
import { CardVaulting, type ExpectedCard, tried, type VaultingFailure } from "./CardVaulting.ts"
import { noTransaction } from "./Missing.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./PaymentKey.ts"
import { type AwaitingFailure, makeAwaitOutcome } from "./ProviderCommands.ts"
import { type OwnedCard, own, queryOf, type RequestedCard } from "./RequestedCard.ts"

/**
 * Edits a payment. What is due by it, or is to be tried now, is taken to its provider before it returns; an outcome that
 * is unknown is none, as for a retry.
 *
 * @category models
 * @since 0.1.0
 */
export type EditPayment = (
  companyId: CompanyId,
  transaction: EntityRef,
  command: EditPaymentCommand,
  key?: PaymentKey
) => Effect.Effect<
  CommandOutcome<PaymentContext>,
  RefusalsOf<typeof mayBeEdited | typeof decide | typeof noTransaction> | AwaitingFailure | VaultingFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<EditPayment, never, CardVaulting | Commands | PaymentAttempts | Secrets> = Effect.gen(
  function* () {
    const awaitOutcome = yield* makeAwaitOutcome
    const cardVaulting = yield* CardVaulting
    const commands = yield* Commands
    const { zone } = yield* Settings

    /** Refuses what is refused whatever its card is. */
    const check =
      (companyId: CompanyId, transaction: EntityRef, command: EditPaymentCommand, key: PaymentKey) =>
      (expected: ExpectedCard) =>
        commands.run({
          load: "payment",
          args: { companyId, transaction },
          key: looking(key),
          decide: tried(expected, () => mayBeEdited(command)),
          missing: () => noTransaction(transaction)
        })

    return Effect.fn("Payments.edit")(function* (companyId, transaction, command, key) {
      const checked = check(companyId, transaction, command, key)
      const taken = yield* cardVaulting.take(companyId, command.PaymentMethodCreditCard?.Card, checked)
      const begin = (attemptId: AttemptId) =>
        taken._tag === "Done"
          ? commands.run({
              load: "paymentEdit",
              args: { companyId, transaction, myId: command.myId, card: queryOf(taken.value) },
              key: storingPayment(key),
              decide: decide(command, taken.value, zone)(attemptId),
              missing: () => noTransaction(transaction)
            })
          : Effect.succeed(taken)
      return yield* awaitOutcome(companyId, begin, key)
    })
  }
)

const mayBeEdited =
  (command: EditPaymentCommand) =>
  ({ transaction }: PaymentContext) =>
    mayChange(transaction, command)

/** Edits, and begins the attempt that follows; joins the one under way where it is asked for what stands. */
const decide =
  (command: EditPaymentCommand, requested: RequestedCard | undefined, zone: DateTime.TimeZone) =>
  (attemptId: AttemptId) =>
  (
    found: PaymentEditContext,
    at: Times
  ): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof own | typeof edit | typeof beginning>> =>
    Result.gen(function* () {
      const { cards, customerGuard, sameMyId, ...payment } = found
      const before = begunBefore(payment, attemptId)
      if (before !== undefined) return before
      const { customer, transaction } = payment
      const now = at.business
      const today = dateAt(now, zone)
      const owner = { companyId: transaction.companyId, customerId: customer.id, now }
      const owned = requested === undefined ? undefined : yield* own(requested, cards, owner)
      const context = { sameMyId, cardId: owned?.card.id, today, now }
      const way = underWayOf(transaction)
      const stands = asItStands(payment, subjectOf("transaction", transaction.id, way?.attemptId))
      if (isUnderWay(transaction, command, context)) return stands
      const edited = yield* edit(transaction, command, context)
      const begun = yield* beginning(edited, { attemptId, startedAt: at.machine }, today, payment, now)
      if (begun === undefined && edited.next === transaction) return stands
      const decision = begun === undefined ? edited : { next: begun.next, events: [...edited.events, ...begun.events] }
      return withCard(changing(payment, decision, now, begun?.attempt), customerGuard, owned)
    })

/**
 * The attempt that an edit asks for, or that the payment wants by now.
 *
 * @category decisions
 * @since 0.1.0
 */
export const beginning = (
  edited: Edited,
  attempt: Decider.NewAttempt,
  today: ReturnType<typeof dateAt>,
  { owner }: PaymentContext,
  now: BusinessTime
): Result.Result<
  Decider.Begun | undefined,
  RefusalsOf<typeof Decider.retry | typeof beginCancellation | typeof Decider.send>
> => {
  const { next } = edited
  switch (edited.asks) {
    case "charge":
      return Decider.retry(next, attempt, now)
    case "withdraw":
      return beginCancellation(next, attempt, now, edited.withdrawn)
    case "nothing":
      return edited.events.length > 0 && Decider.wantsAttempt(next, today, openPaymentsOf(owner))
        ? Decider.send(next, attempt, now)
        : Result.succeed(undefined)
  }
}

/** With the card that the edit gives: written with it, and shown. */
const withCard = (
  decided: Decided<PaymentLeft>,
  customerGuard: Guard,
  owned: OwnedCard | undefined
): Decided<PaymentLeft> => {
  if (owned === undefined) return decided
  const payment = { ...decided.value.payment, card: owned.card }
  return {
    ...decided,
    value: { ...decided.value, payment },
    // It may be removed meanwhile.
    guards: [...decided.guards, customerGuard],
    changes: [...owned.changes, ...decided.changes],
    events: [...owned.events, ...decided.events],
    shown: payment
  }
}
