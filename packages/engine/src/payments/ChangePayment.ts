/**
 * A boleto or a Pix that is registered, and whose subscription costs something else now, or is paid by another method: it is
 * withdrawn, to be registered anew with that value, or to be asked for by that method.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { dateAt } from "@parcela/core/time/WallClock"
import { beginCancellation, openOf } from "@parcela/core/transactions/TransactionEndings"
import {
  documentKeyOf,
  type TransactionState,
  type UnderWay,
  underWayOf
} from "@parcela/core/transactions/TransactionState"
import { type EditedTerms, type Terms, withTerms } from "@parcela/core/transactions/TransactionTerms"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { PaymentAttempts } from "./PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands, type RefusalsOf } from "../command/Command.ts"
import { editedIn, partOf } from "../command/ScheduledWork.ts"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { Settings } from "../Settings.ts"
import { companyRestored } from "../ports/StoreError.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * Whether a payment is open, and registered otherwise than its subscription wants it now. One that an attempt is under way
 * for may be, once that has ended.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToBeChanged = (transaction: TransactionState, terms: Terms, edited: EditedTerms): boolean => {
  const open = openOf([transaction])
  const mayBeRegistered =
    open.now.length > 0
      ? documentKeyOf(transaction) !== undefined
      : open.onceAnswered.length > 0 && transaction.method !== "creditcard"
  return mayBeRegistered && isOther(transaction, terms, edited)
}

/** What it is once the withdrawal that is under way has ended. */
const toBe = (transaction: TransactionState): Pick<TransactionState, "method" | "value"> => {
  const withdrawn = "underWay" in transaction ? transaction.underWay?.withdrawn : undefined
  switch (withdrawn?._tag) {
    case "Changed":
      return { method: transaction.method, value: withdrawn.value }
    case "Reopened":
      return withdrawn
    default:
      return transaction
  }
}

/** Whether it differs from what was edited of the terms. */
const isOther = (transaction: TransactionState, terms: Terms, edited: EditedTerms): boolean => {
  const { method, value } = toBe(transaction)
  return (
    (edited.value && terms.value !== undefined && terms.value !== value) ||
    (edited.method && terms.mainPaymentMethodId !== method)
  )
}

/** The payment as it is left; `waits` says that an attempt has to end first. */
interface ChangedPayment extends PaymentLeft {
  readonly waits?: true
}

/** What it becomes once it is withdrawn: another method, or the same with another value. */
const withdrawnFor = (
  { method, payday, value: before }: TransactionState,
  { cardId, creditCard, mainPaymentMethodId, value: wanted = before }: Terms,
  edited: EditedTerms
): UnderWay["withdrawn"] => {
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

interface Asked {
  readonly attemptId: AttemptId
  readonly edited: EditedTerms
  /** The row of due work, which goes with the attempt that begins. */
  readonly subject: string
}

/** What is overdue stays as it is: nothing is registered for a day that is over. */
const change =
  ({ attemptId, edited, subject }: Asked, zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    at: Times
  ): Result.Result<Decided<ChangedPayment>, RefusalsOf<typeof beginCancellation | typeof withTerms>> => {
    const { owner, transaction } = found
    const before = begunBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const stands = asItStands(found)
    const today = dateAt(at.business, zone)
    if (owner._tag !== "Subscription" || transaction.payday < today) return Result.succeed(stands)
    const { cardId, creditCard, mainPaymentMethodId, schedule } = owner.subscription
    const terms = { cardId, creditCard, mainPaymentMethodId, value: schedule?.value }
    if (!isOther(transaction, terms, edited)) return Result.succeed(stands)
    const isWanted = isToBeChanged(transaction, terms, edited)
    if (isWanted && underWayOf(transaction) !== undefined) {
      return Result.succeed({ ...stands, value: { ...stands.value, waits: true } })
    }
    if (!isWanted) {
      // It was withdrawn meanwhile, and is not registered again yet.
      return Result.map(withTerms(transaction, terms, edited, { today, now: at.business }), (decision) =>
        decision === undefined ? stands : changing(found, decision, at.business)
      )
    }
    const withdrawn = withdrawnFor(transaction, terms, edited)
    return Result.map(
      beginCancellation(transaction, { attemptId, startedAt: at.machine }, at.business, withdrawn),
      // The attempt has the rest: what its provider denies is not asked for again.
      (begun) => ({
        ...changing(found, begun, at.business, begun.attempt),
        cancel: [{ kind: "change payment", subject }]
      })
    )
  }

/** Of the terms that were edited, those that a registered payment is changed for. */
const editedOf = (mask: number): EditedTerms => ({ ...editedIn(mask), card: false, cardCame: false })

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const attempts = yield* PaymentAttempts
  const commands = yield* Commands
  const secrets = yield* Secrets
  const { zone } = yield* Settings
  return Effect.fn("ChangePayment")(
    function* (companyId: CompanyId, subject: string) {
      const { after: [mask = 0] = [], id } = partOf(subject)
      const attemptId = yield* secrets.newAttemptId
      const begin = commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(SvcPayId.make(id)), attempt: attemptId },
        decide: change({ attemptId, edited: editedOf(mask), subject }, zone),
        // Due work is about what is there.
        missing: companyRestored
      })
      const ran = yield* attempts.perform(attemptId, begin)
      if (ran._tag === "Done" && "waits" in ran.value) return "waits" as const
      const attempt = ran._tag === "Done" ? ran.value.attempt : undefined
      return attempt?.id === attemptId ? (attempt.result?.outcome ?? "unknown") : undefined
    },
    // What is open and registered may be withdrawn: a refusal is a fault of ours.
    Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
  )
})
