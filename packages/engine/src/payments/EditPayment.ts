/**
 * Use case: edit a payment (public use, `PUT /transactions/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import { withinInstallmentLimit } from "@parcela/core/cards/CardBrand"
import { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EditPayment as EditPaymentCommand } from "@parcela/core/transactions/PaymentRequests"
import {
  mayChange,
  edit,
  type EditContext,
  type Edited,
  isRepeatedEdit
} from "@parcela/core/transactions/TransactionEdit"
import { pendingAttemptOf } from "@parcela/core/transactions/TransactionState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PaymentAttempts } from "./PaymentAttempts.ts"
import type { Secrets } from "../authentication/Secrets.ts"
import type { Sequences } from "../ports/Sequences.ts"
import { Commands, type CommandOutcome } from "../command/Command.ts"
import { readingKey, subjectOf } from "../command/IdempotencyKey.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { Guard } from "../command/LoadedCompany.ts"
import type { PaymentContext, PaymentEditContext } from "../command/LoadedPayments.ts"
import { Settings } from "../Settings.ts"
import {
  CardVaulting,
  type ExpectedCard,
  dryRun,
  type VaultingFailure,
  type OwnedCard,
  own,
  queryOf,
  type RequestedCard
} from "../cards/CardVaulting.ts"
import { noTransaction } from "../command/Missing.ts"
import { startedBefore, type PaymentResult, unchangedPayment, changing, openPaymentsOf } from "./PaymentDecisions.ts"
import { type PaymentKey, storingPayment } from "./AttemptRecords.ts"
import { type AwaitingFailure, makeAwaitOutcome } from "./ProviderCommands.ts"
import * as SendPayment from "./SendPayment.ts"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import { type BusinessTime, dateAt } from "@parcela/core/time/Instant"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import * as Attempts from "@parcela/core/transactions/TransactionAttempts"
import { mustSend } from "@parcela/core/transactions/TransactionDeadlines"
import { startCancellation } from "@parcela/core/transactions/TransactionEndings"
import type { Decision } from "@parcela/core/values/Decision"
import type { PaymentOwner } from "../ports/PaymentOwner.ts"
import * as Spans from "../Spans.ts"

/**
 * Edits a payment. An attempt that the edit starts is sent to its provider before the effect returns. If its outcome is
 * unknown, the effect fails with `OutcomeUnknown`, like a retry.
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
  RefusalsOf<typeof expectedEdit | typeof decide | typeof noTransaction> | AwaitingFailure | VaultingFailure
>

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<EditPayment, never, CardVaulting | Commands | PaymentAttempts | Secrets | Sequences> =
  Effect.gen(function* () {
    const awaitOutcome = yield* makeAwaitOutcome
    const registerAgain = yield* SendPayment.makeRegisterAgain
    const cardVaulting = yield* CardVaulting
    const commands = yield* Commands
    const { zone } = yield* Settings

    /** Checks the edit with a card like the requested one, before the card is stored in the vault. */
    const check =
      (companyId: CompanyId, transaction: EntityRef, command: EditPaymentCommand, key: PaymentKey) =>
      (expected: ExpectedCard) =>
        commands.run({
          load: "paymentEdit",
          args: { companyId, transaction, myId: command.myId, card: expected.query },
          key: readingKey(key),
          decide: dryRun(expected, (requested) => expectedEdit(command, requested, zone)),
          missing: () => noTransaction(transaction)
        })

    return Spans.fn("Payments.edit")(function* (companyId, transaction, command, key) {
      const checked = check(companyId, transaction, command, key)
      const taken = yield* cardVaulting.take(companyId, command.PaymentMethodCreditCard?.Card, checked)
      const begin = (attemptId: AttemptId) =>
        taken._tag === "Done"
          ? commands.run({
              load: "paymentEdit",
              args: { companyId, transaction, attempt: attemptId, myId: command.myId, card: queryOf(taken.value) },
              key: storingPayment(key),
              decide: decide(command, taken.value, zone)(attemptId),
              missing: () => noTransaction(transaction)
            })
          : Effect.succeed(taken)
      return yield* registerAgain(companyId, yield* awaitOutcome(companyId, begin, key), key)
    })
  })

/** The identifier of an attempt that never starts. */
const noAttempt = AttemptId.make("expected")

/**
 * Skips the decision during an attempt: only the vaulted card shows whether the edit joins that attempt, so the decision
 * is made after vaulting.
 */
const expectedEdit =
  (command: EditPaymentCommand, requested: RequestedCard, zone: DateTime.TimeZone) =>
  (found: PaymentEditContext, at: Times) =>
    Result.flatMap(
      mayChange(found.transaction, command),
      (transaction): ReturnType<ReturnType<ReturnType<typeof decide>>> | Result.Result<undefined> =>
        pendingAttemptOf(transaction) === undefined
          ? decide(command, requested, zone)(noAttempt)(found, at)
          : Result.succeed(undefined)
    )

const decide =
  (command: EditPaymentCommand, requested: RequestedCard | undefined, zone: DateTime.TimeZone) =>
  (attemptId: AttemptId) =>
  (
    found: PaymentEditContext,
    at: Times
  ): Result.Result<
    Decided<PaymentResult>,
    PaymentEditRefusal | RefusalsOf<typeof own | typeof withinInstallmentLimit>
  > =>
    Result.gen(function* () {
      const { cards, customerGuard, sameMyId, ...payment } = found
      const before = startedBefore(payment, attemptId)
      if (before !== undefined) return before
      const owner = { companyId: payment.transaction.companyId, customerId: payment.customer.id, now: at.business }
      const owned = requested === undefined ? undefined : yield* own(requested, cards, owner)
      const options = { attemptId, at, cardId: owned?.card.id, charge: Result.succeed(undefined), sameMyId, zone }
      const decided = yield* decideEdit(payment, command, options)
      if (decided.changes.length === 0) return decided
      const { transaction } = decided.value.payment
      if (transaction.method === "creditcard")
        yield* withinInstallmentLimit(owned?.card ?? payment.card, transaction.creditCard)
      return withCard(decided, customerGuard, owned)
    })

/** Adds the card of the edit to the decision and to the returned payment. */
const withCard = (
  decided: Decided<PaymentResult>,
  customerGuard: Guard,
  owned: OwnedCard | undefined
): Decided<PaymentResult> => {
  if (owned === undefined) return decided
  const { owner, ...left } = decided.value.payment
  // A charge without a card gets the card of its payment.
  const isOfOwner = owner._tag === "Charge" && owner.charge.cardId === owned.card.id
  const payment = { ...left, card: owned.card, owner: isOfOwner ? { ...owner, card: owned.card } : owner }
  return {
    ...decided,
    value: { ...decided.value, payment },
    // The card may be removed concurrently.
    guards: [...decided.guards, customerGuard],
    changes: [...owned.changes, ...decided.changes],
    events: [...owned.events, ...decided.events],
    snapshots: payment
  }
}

/**
 * The inputs of an edit decision.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditOptions<R> extends Omit<EditContext, "now" | "today"> {
  readonly attemptId: AttemptId
  readonly at: Times
  readonly zone: DateTime.TimeZone
  /** The edit of the payment's charge, or its refusal. */
  readonly charge: Result.Result<Decision<ChargeState> | undefined, R>
}

/**
 * The refusals of an edit of a payment.
 *
 * @category errors
 * @since 0.1.0
 */
export type PaymentEditRefusal = RefusalsOf<typeof edit | typeof beginning>

/**
 * Edits the payment and starts the attempt that follows. Joins the open attempt if the edit requests the same change.
 * Writes nothing if the payment already equals the edit.
 *
 * @category decisions
 * @since 0.1.0
 */
export const decideEdit = <R>(
  payment: PaymentContext,
  command: EditPaymentCommand,
  { at, attemptId, cardId, sameMyId, terms, zone, ...options }: EditOptions<R>
): Result.Result<Decided<PaymentResult>, R | PaymentEditRefusal> =>
  Result.gen(function* () {
    const { owner, transaction } = payment
    const now = at.business
    const today = dateAt(now, zone)
    const context = { sameMyId, cardId, terms, today, now }
    const way = pendingAttemptOf(transaction)
    const stands = unchangedPayment(payment, subjectOf("transaction", transaction.id, way?.attemptId))
    if (isRepeatedEdit(transaction, command, context)) return stands
    const charge = yield* options.charge
    const edited = yield* edit(transaction, command, context)
    const started = yield* beginning(edited, { attemptId, startedAt: at.machine }, today, owner, now)
    const isChargeSame = charge === undefined || charge.events.length === 0
    if (isChargeSame && started === undefined && edited.next === transaction) return stands
    const decision =
      started === undefined ? edited : { next: started.next, events: [...edited.events, ...started.events] }
    return changing(payment, decision, now, started?.attempt, charge)
  })

/** Returns the attempt that the edit requests, or the attempt that is due after the edit. */
const beginning = (
  edited: Edited,
  attempt: Attempts.NewAttempt,
  today: LocalDate,
  owner: PaymentOwner,
  now: BusinessTime
): Result.Result<
  Attempts.StartedAttempt | undefined,
  RefusalsOf<typeof Attempts.retry | typeof startCancellation | typeof Attempts.send>
> => {
  const { next } = edited
  switch (edited.requires) {
    case "charge":
      return Attempts.retry(next, attempt, now)
    case "withdraw":
      return startCancellation(next, attempt, now, edited.withdrawn)
    case "nothing":
      return edited.events.length > 0 && mustSend(next, today, openPaymentsOf(owner))
        ? Attempts.send(next, attempt, now)
        : Result.succeed(undefined)
  }
}
