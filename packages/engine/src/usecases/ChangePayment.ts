/**
 * A boleto or a Pix that is registered, and whose subscription costs something else now: it is withdrawn, to be registered
 * anew with that value.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Cents } from "@parcela/core/money/Cents"
import { dateAt } from "@parcela/core/time/WallClock"
import { beginCancellation, openOf } from "@parcela/core/transactions/TransactionEndings"
import { documentKeyOf, type TransactionState, underWayOf } from "@parcela/core/transactions/TransactionState"
import { withTerms } from "@parcela/core/transactions/TransactionTerms"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { PaymentAttempts } from "../attempts/PaymentAttempts.ts"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands } from "../commands/Command.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/WriteSet.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { Settings } from "../Settings.ts"
import { noTransaction } from "./Missing.ts"
import { asItStands, begunBefore, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * Whether a payment is open, and registered with another value than the one that its subscription has now. One that an
 * attempt is under way for may be, once that has ended.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToBeChanged = (transaction: TransactionState, value: Cents | undefined): boolean => {
  const open = openOf([transaction])
  const mayBeRegistered =
    open.now.length > 0
      ? documentKeyOf(transaction) !== undefined
      : open.onceAnswered.length > 0 && transaction.method !== "creditcard"
  return mayBeRegistered && value !== undefined && value !== valueToBe(transaction)
}

/** What it costs once the withdrawal that is under way has ended. */
const valueToBe = (transaction: TransactionState): Cents => {
  const withdrawn = "underWay" in transaction ? transaction.underWay?.withdrawn : undefined
  return withdrawn?._tag === "Changed" ? withdrawn.value : transaction.value
}

/** The payment as it is left; `waits` says that an attempt has to end first. */
interface ChangedPayment extends PaymentLeft {
  readonly waits?: true
}

/** What is overdue stays as it is: nothing is registered for a day that is over. */
const change =
  (attemptId: AttemptId, zone: DateTime.TimeZone) =>
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
    const value = schedule?.value
    if (value === undefined || value === valueToBe(transaction)) return Result.succeed(stands)
    const isWanted = isToBeChanged(transaction, value)
    if (isWanted && underWayOf(transaction) !== undefined) {
      return Result.succeed({ ...stands, value: { ...stands.value, waits: true } })
    }
    if (!isWanted) {
      // It was withdrawn meanwhile, and is not registered again yet.
      const context = { today, now: at.business }
      const terms = { cardId, creditCard, mainPaymentMethodId, value }
      return Result.map(withTerms(transaction, terms, onlyValue, context), (decision) =>
        decision === undefined ? stands : changing(found, decision, at.business)
      )
    }
    const withdrawn = { _tag: "Changed", value, payday: transaction.payday } as const
    return Result.map(
      beginCancellation(transaction, { attemptId, startedAt: at.machine }, at.business, withdrawn),
      (begun) => changing(found, begun, at.business, begun.attempt)
    )
  }

const onlyValue = { value: true, method: false, card: false, cardCame: false } as const

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
    function* (companyId: CompanyId, id: SvcPayId) {
      const attemptId = yield* secrets.newAttemptId
      const begin = commands.run({
        load: "payment",
        args: { companyId, transaction: bySvcPayId(id) },
        decide: change(attemptId, zone),
        missing: () => noTransaction({ typeId: "svcPayId" })
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
