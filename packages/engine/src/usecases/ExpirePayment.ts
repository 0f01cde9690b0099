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
import { Commands, withoutKey } from "../commands/Command.ts"
import type { CompanyClocks } from "../ports/CompanyClocks.ts"
import { IncomingPayments } from "../ports/IncomingPayments.ts"
import type { ProviderError } from "../ports/ProviderError.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { Settings } from "../Settings.ts"
import * as Decisions from "./ExpiryDecisions.ts"
import { FetchPayments } from "./FetchPayments.ts"
import { noTransaction } from "./Missing.ts"
import { ReceivePayments } from "./ReceivePayments.ts"

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
>()("@parcela/engine/usecases/ExpirePayment") {
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
            decide: Decisions.expire(zone),
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
