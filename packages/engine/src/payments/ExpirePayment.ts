/**
 * Use case: give up a boleto or a Pix that was not paid in time.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import { referencesOf } from "@parcela/core/transactions/TransactionReference"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { bySvcPayId, type SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Commands, withoutKey, type RefusalsOf } from "../command/Command.ts"
import type { CompanyClocks } from "../ports/CompanyClocks.ts"
import { IncomingPayments } from "../ports/IncomingPayments.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { Settings } from "../Settings.ts"
import { FetchPayments, ReceivePayments } from "./IncomingPayments.ts"
import { noTransaction } from "../command/Missing.ts"
import * as Expiry from "@parcela/core/transactions/TransactionExpiry"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import type { PaymentContext } from "../command/LoadedPayments.ts"
import { termsOf } from "../ports/PaymentOwner.ts"
import { asItStands, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * What became of a payment whose time may be over: when it is, if it is not yet; a payment of it that waits and has to be
 * decided on first; or its status.
 *
 * @category models
 * @since 0.1.0
 */
export type Expired =
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
     * Gives up a payment whose time is over. What its provider has to report, and what it reported already, is taken in
     * before. The provider is not asked to withdraw it: it takes no payment after that time by itself.
     */
    readonly expire: (companyId: CompanyId, id: SvcPayId) => Effect.Effect<Expired, ProviderError | StoreError>
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

      /** Whether a payment of it was reported and still waits. */
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
        expire: Effect.fn("ExpirePayment.expire")(function* (companyId, id) {
          yield* fetch(companyId)
          if (yield* isPaidPerhaps(companyId, id)) return { _tag: "Waits" }
          return yield* run(companyId, id).pipe(
            Effect.map(({ dueAt, payment }): Expired =>
              dueAt === undefined ? { _tag: "Done", status: payment.transaction.status } : { _tag: "Later", dueAt }
            ),
            // What is due was decided by the same rules: another refusal is a fault of ours.
            Effect.catchTag("BillingError", (error) =>
              error.refusal._tag === "TransactionNotFound"
                ? Effect.succeed<Expired>({ _tag: "Done", status: "gone" })
                : Effect.die(error)
            )
          )
        })
      })
    })
  )
}

/**
 * The payment as it is left; `dueAt` says when its time is over, where it is not yet.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExpiredPayment extends PaymentLeft {
  readonly dueAt?: BusinessTime
}

/**
 * Gives up a payment whose time is over. One that is over already, that is not registered, or that an attempt is under way
 * for stays as it is: its due work comes back with what changes that.
 *
 * @category decisions
 * @since 0.1.0
 */
const expire =
  (zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    { business: now }: Times
  ): Result.Result<Decided<ExpiredPayment>, RefusalsOf<typeof Expiry.expire>> => {
    const { transaction } = found
    const stands = asItStands(found)
    if (!Expiry.mayExpire(transaction)) return Result.succeed(stands)
    const terms = termsOf(found.owner)
    const dueAt = Expiry.expiresAt(transaction, terms, { zone })
    return dueAt !== undefined && now < dueAt
      ? Result.succeed({ ...stands, value: { ...stands.value, dueAt } })
      : Result.map(Expiry.expire(transaction, terms, now, { zone }), (decision) => changing(found, decision, now))
  }
