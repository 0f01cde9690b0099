/**
 * Use case: expire a boleto or a Pix that was not paid in time.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/Instant"
import { referencesOf } from "@parcela/core/transactions/TransactionState"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, withoutKey } from "../command/Command.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import type { CompanyClocks } from "../ports/CompanyClocks.ts"
import { IncomingPayments } from "../ports/IncomingPayments.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { Settings } from "../Settings.ts"
import { FetchPayments } from "./FetchReports.ts"
import { ReceivePayments } from "./IncomingPayments.ts"
import { noTransaction } from "../command/Missing.ts"
import * as TransactionDeadlines from "@parcela/core/transactions/TransactionDeadlines"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { Times } from "../ports/WriteContext.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { unchangedPayment, changing, termsOf, type PaymentResult } from "./PaymentDecisions.ts"
import * as Spans from "../Spans.ts"

/**
 * The result of an expiry check.
 *
 * - `Later`: the payment expires at `dueAt`.
 * - `Waits`: a reported payment must be applied first.
 * - `Done`: the status of the payment.
 *
 * @category models
 * @since 0.1.0
 */
export type ExpiryResult =
  | { readonly _tag: "Later"; readonly dueAt: BusinessTime }
  | { readonly _tag: "Waits" }
  | { readonly _tag: "Done"; readonly status: TransactionStatus | "gone" }

/**
 * @category services
 * @since 0.1.0
 */
export class ExpirePayment extends Context.Service<
  ExpirePayment,
  {
    /**
     * Expires a payment whose deadline has passed. Reported payments are fetched and applied first. No withdrawal is
     * sent, because the provider accepts no payment after the deadline.
     */
    readonly expire: (companyId: CompanyId, id: SvcPayId) => Effect.Effect<ExpiryResult, ProviderError | StoreError>
  }
>()("@parcela/engine/payments/ExpirePayment") {
  static readonly layer: Layer.Layer<
    ExpirePayment,
    never,
    Commands | CompanyClocks | FetchPayments | IncomingPayments | ReceivePayments | Transactions
  > = Layer.effect(
    ExpirePayment,
    Effect.gen(function* () {
      const commands = yield* Commands
      const { fetch } = yield* FetchPayments
      const payments = yield* IncomingPayments
      const receipts = yield* ReceivePayments
      const transactions = yield* Transactions
      const { zone } = yield* Settings

      /** Returns true if a reported payment of the transaction still waits to be applied. */
      const isPaidPerhaps = Effect.fnUntraced(function* (companyId: CompanyId, id: SvcPayId) {
        const transaction = Option.getOrUndefined(yield* transactions.find(companyId, bySvcPayId(id)))
        if (transaction === undefined) return false
        const waiting = yield* payments.listWaiting(referencesOf(transaction))
        const applied = yield* Effect.forEach(waiting, (payment) => receipts.apply(payment.id))
        return applied.some((payment) => payment?.standing === "waiting")
      })

      const run = (companyId: CompanyId, id: SvcPayId) =>
        withoutKey(
          commands.run({
            load: "payment",
            args: { companyId, transaction: bySvcPayId(id) },
            decide: expire(zone),
            missing: () => noTransaction({ typeId: "svcPayId" })
          })
        )

      return ExpirePayment.of({
        expire: Spans.fn("ExpirePayment.expire")(function* (companyId, id) {
          yield* fetch(companyId)
          if (yield* isPaidPerhaps(companyId, id)) return { _tag: "Waits" }
          return yield* run(companyId, id).pipe(
            Effect.map(({ dueAt, payment }): ExpiryResult =>
              dueAt === undefined ? { _tag: "Done", status: payment.transaction.status } : { _tag: "Later", dueAt }
            ),
            // The job was scheduled by the same rules, so another refusal is a defect of this program.
            Effect.catchTag("BillingError", (error) =>
              error.refusal._tag === "TransactionNotFound"
                ? Effect.succeed<ExpiryResult>({ _tag: "Done", status: "gone" })
                : Effect.die(error)
            )
          )
        })
      })
    })
  )
}

/**
 * The payment after the check. `dueAt` is its deadline, if that is in the future.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpiredPayment extends PaymentResult {
  readonly dueAt?: BusinessTime
}

/**
 * Expires a payment whose deadline has passed. A finished or unregistered payment, or one with an open attempt, stays
 * unchanged: the change of its state schedules the job again.
 *
 * @category decisions
 * @since 0.1.0
 */
const expire =
  (zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    { business: now }: Times
  ): Result.Result<Decided<ExpiredPayment>, RefusalsOf<typeof TransactionDeadlines.expire>> => {
    const { transaction } = found
    const stands = unchangedPayment(found)
    if (!TransactionDeadlines.mayExpire(transaction)) return Result.succeed(stands)
    const terms = termsOf(found.owner)
    const dueAt = TransactionDeadlines.expiresAt(transaction, terms, { zone })
    return dueAt !== undefined && now < dueAt
      ? Result.succeed({ ...stands, value: { ...stands.value, dueAt } })
      : Result.map(TransactionDeadlines.expire(transaction, terms, now, { zone }), (decision) =>
          changing(found, decision, now)
        )
  }
