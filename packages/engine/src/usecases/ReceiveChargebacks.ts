/**
 * Use case: take in what a card operator reports of disputes. This is what an adapter calls: for each dispute that its
 * operator reports, once or often, in any order.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { TransactionReference } from "@parcela/core/transactions/TransactionReference"
import { dispute } from "@parcela/core/transactions/TransactionReversal"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Commands, withoutKey } from "../commands/Command.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/WriteSet.ts"
import type { PaymentContext } from "../ports/CommandStore.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { Transactions } from "../ports/Transactions.ts"
import { noTransaction } from "./Missing.ts"
import { asItStands, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/**
 * A dispute as its operator reports it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReportedChargeback {
  /** The operator's own name of the dispute: the same one again is the same dispute. */
  readonly process: string
  /** What the operator calls the charge: its `tid`. */
  readonly reference: TransactionReference
  /** Whose charge it is, where the operator has an account for each company. */
  readonly companyId?: CompanyId
}

/**
 * @category services
 * @since 0.1.0
 */
export class ReceiveChargebacks extends Context.Service<
  ReceiveChargebacks,
  {
    /**
     * Takes a report in: its payment is `chargeback` then. Acknowledge it to the operator once this succeeds, and not before;
     * the same report again is safe. It is refused where no charge has the reference yet, while an attempt is under way, and
     * where nothing is captured any more.
     */
    readonly receive: (
      report: ReportedChargeback
    ) => Effect.Effect<TransactionStatus, RefusalsOf<typeof decide | typeof noTransaction> | StoreError>
  }
>()("@parcela/engine/usecases/ReceiveChargebacks") {
  static readonly layer: Layer.Layer<ReceiveChargebacks, never, Commands | Transactions> = Layer.effect(
    ReceiveChargebacks,
    Effect.gen(function* () {
      const commands = yield* Commands
      const transactions = yield* Transactions
      return ReceiveChargebacks.of({
        receive: Effect.fn("ReceiveChargebacks.receive")(function* ({ companyId, process, reference }) {
          const found = yield* transactions.findByReference(reference)
          const [disputed, ...others] = found.filter((one) => (companyId ?? one.companyId) === one.companyId)
          if (disputed === undefined || others.length > 0) return yield* noTransaction({ typeId: "svcPayId" })
          const { payment } = yield* withoutKey(
            commands.run({
              load: "payment",
              args: { companyId: disputed.companyId, transaction: bySvcPayId(disputed.id) },
              decide: decide(process),
              missing: companyRestored
            })
          )
          return payment.transaction.status
        }, Effect.uninterruptible)
      })
    })
  )
}

const decide =
  (process: string) =>
  (found: PaymentContext, at: Times): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof dispute>> =>
    Result.map(dispute(found.transaction, process, at.business), (decision) =>
      decision.next === found.transaction ? asItStands(found) : changing(found, decision, at.business)
    )
