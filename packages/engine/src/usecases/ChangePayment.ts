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
import { documentKeyOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
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
 * Whether a payment is registered with another value than the one that its subscription has now, and open.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToBeChanged = (transaction: TransactionState, value: Cents | undefined): boolean =>
  value !== undefined &&
  value !== transaction.value &&
  documentKeyOf(transaction) !== undefined &&
  openOf([transaction]).now.length > 0

/** What is overdue stays as it is: nothing is registered for a day that is over. */
const change =
  (attemptId: AttemptId, zone: DateTime.TimeZone) =>
  (found: PaymentContext, at: Times): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof beginCancellation>> => {
    const { owner, transaction } = found
    const before = begunBefore(found, attemptId)
    if (before !== undefined) return Result.succeed(before)
    const value = owner._tag === "Subscription" ? owner.subscription.schedule?.value : undefined
    const { payday } = transaction
    if (value === undefined || !isToBeChanged(transaction, value) || payday < dateAt(at.business, zone)) {
      return Result.succeed(asItStands(found))
    }
    const withdrawn = { _tag: "Changed", value, payday } as const
    return Result.map(
      beginCancellation(transaction, { attemptId, startedAt: at.machine }, at.business, withdrawn),
      (begun) => changing(found, begun, at.business, begun.attempt)
    )
  }

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
      const attempt = ran._tag === "Done" ? ran.value.attempt : undefined
      return attempt?.id === attemptId ? (attempt.result?.outcome ?? "unknown") : undefined
    },
    // What is open and registered may be withdrawn: a refusal is a fault of ours.
    Effect.catchTags({ BillingError: Effect.die, KeyReused: Effect.die })
  )
})
