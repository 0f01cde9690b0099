/**
 * Use case: change a registered boleto or Pix after an edit of its subscription.
 *
 * The provider withdraws the payment. The payment is then registered with its new value, or sent by its new method.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { dateAt } from "@parcela/core/time/Instant"
import { startCancellation, paymentsToCancel } from "@parcela/core/transactions/TransactionEndings"
import {
  documentKeyOf,
  type TransactionState,
  type PendingAttempt,
  pendingAttemptOf
} from "@parcela/core/transactions/TransactionState"
import { type EditedTerms, type Terms, withTerms } from "@parcela/core/transactions/TransactionEdit"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands } from "../command/Command.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import { editedIn, partOf } from "../command/ScheduledWork.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { Settings } from "../Settings.ts"
import { companyRestored } from "../ports/StoreError.ts"
import { unchangedPayment, startedBefore, changing, type PaymentResult } from "./PaymentDecisions.ts"
import * as Spans from "../Spans.ts"

/**
 * True if a payment is open and its registration differs from its subscription's terms. Includes payments with an open
 * attempt, which are changed after the attempt ends.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToBeChanged = (transaction: TransactionState, terms: Terms, edited: EditedTerms): boolean => {
  const open = paymentsToCancel([transaction])
  const mayBeRegistered =
    open.now.length > 0
      ? documentKeyOf(transaction) !== undefined
      : open.afterOutcome.length > 0 && transaction.method !== "creditcard"
  return mayBeRegistered && isOther(transaction, terms, edited)
}

/** Returns the method and value after the open withdrawal has ended. */
const toBe = (transaction: TransactionState): Pick<TransactionState, "method" | "value"> => {
  const withdrawn = "pendingAttempt" in transaction ? transaction.pendingAttempt?.withdrawn : undefined
  switch (withdrawn?._tag) {
    case "Changed":
      return { method: transaction.method, value: withdrawn.value }
    case "Reopened":
      return withdrawn
    default:
      return transaction
  }
}

/** True if a payment differs from the edited terms. */
const isOther = (transaction: TransactionState, terms: Terms, edited: EditedTerms): boolean => {
  const { method, value } = toBe(transaction)
  return (
    (edited.value && terms.value !== undefined && terms.value !== value) ||
    (edited.method && terms.mainPaymentMethodId !== method)
  )
}

/** The changed payment. `waits` is set if an open attempt must end first. */
interface ChangedPayment extends PaymentResult {
  readonly waits?: true
}

/** Returns the state after the withdrawal: another method, or the same method with another value. */
const withdrawnFor = (
  { method, payday, value: before }: TransactionState,
  { cardId, creditCard, mainPaymentMethodId, value: wanted = before }: Terms,
  edited: EditedTerms
): PendingAttempt["withdrawn"] => {
  const value = edited.value ? wanted : before
  if (!edited.method || method === mainPaymentMethodId) return { _tag: "Changed", value, payday }
  return {
    _tag: "Reopened",
    value,
    payday,
    method: mainPaymentMethodId,
    ...(mainPaymentMethodId !== "creditcard" || cardId === undefined ? {} : { cardId }),
    ...(mainPaymentMethodId !== "creditcard" || creditCard === undefined ? {} : { creditCard })
  }
}

interface ChangeRequest {
  readonly attemptId: AttemptId
  readonly edited: EditedTerms
  /** The subject of the job, which is deleted when the attempt starts. */
  readonly subject: string
}

/** An overdue payment stays unchanged, because a past day cannot be registered. */
const change =
  ({ attemptId, edited, subject }: ChangeRequest, zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    at: Times
  ): Result.Result<Decided<ChangedPayment>, RefusalsOf<typeof startCancellation | typeof withTerms>> => {
    const { owner, transaction } = found
    const before = startedBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const stands = unchangedPayment(found)
    const today = dateAt(at.business, zone)
    if (owner._tag !== "Subscription" || transaction.payday < today) return Result.succeed(stands)
    const { cardId, creditCard, mainPaymentMethodId, schedule } = owner.subscription
    const terms = { cardId, creditCard, mainPaymentMethodId, value: schedule?.value }
    if (!isOther(transaction, terms, edited)) return Result.succeed(stands)
    const isWanted = isToBeChanged(transaction, terms, edited)
    if (isWanted && pendingAttemptOf(transaction) !== undefined) {
      return Result.succeed({ ...stands, value: { ...stands.value, waits: true } })
    }
    if (!isWanted) {
      // The payment was withdrawn concurrently and is not registered again yet.
      return Result.map(withTerms(transaction, terms, edited, { today, now: at.business }), (decision) =>
        decision === undefined ? stands : changing(found, decision, at.business)
      )
    }
    const withdrawn = withdrawnFor(transaction, terms, edited)
    return Result.map(
      startCancellation(transaction, { attemptId, startedAt: at.machine }, at.business, withdrawn),
      // The attempt continues the work of this job. If the provider denies the withdrawal, the job is not repeated.
      (started) => ({
        ...changing(found, started, at.business, started.attempt),
        cancel: [{ kind: "change payment", subject }]
      })
    )
  }

/** Returns the edited terms that change a registered payment: its value and its method. */
const editedOf = (mask: number): EditedTerms => ({ ...editedIn(mask), card: false, cardAdded: false })

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands
  const secrets = yield* Secrets
  const { zone } = yield* Settings
  return Spans.fn("ChangePayment")(
    function* (companyId: CompanyId, subject: string) {
      const { after: [mask = 0] = [], id } = partOf(subject)
      const attemptId = yield* secrets.newAttemptId
      const begin = commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(SvcPayId.make(id)), attempt: attemptId },
        decide: change({ attemptId, edited: editedOf(mask), subject }, zone),
        // Entities are never deleted individually, so only a restore explains a missing payment.
        missing: companyRestored
      })
      const ran = yield* attempts.perform(attemptId, begin)
      if (ran._tag === "Done" && "waits" in ran.value) return "waits" as const
      const attempt = ran._tag === "Done" ? ran.value.attempt : undefined
      return attempt?.id === attemptId ? (attempt.result?.outcome ?? "unknown") : undefined
    },
    // An open, registered payment can always be withdrawn, so a refusal is a defect of this program.
    Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
  )
})
