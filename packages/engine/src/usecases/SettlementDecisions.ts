/**
 * What a payment that came in, or a dispute, makes of its transaction.
 *
 * @since 0.1.0
 */
import type { BillingError } from "@parcela/core/errors/BillingError"
import { dateAt } from "@parcela/core/time/WallClock"
import type { IncomingChargeback } from "@parcela/core/transactions/IncomingChargeback"
import type { IncomingPayment } from "@parcela/core/transactions/IncomingPayment"
import type { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import { dispute as disputed } from "@parcela/core/transactions/TransactionReversal"
import * as Settlement from "@parcela/core/transactions/TransactionSettlement"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/Decided.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import type { PaymentMark } from "../ports/IncomingPayments.ts"
import { termsOf } from "../ports/PaymentOwner.ts"
import { asItStands, changing, type PaymentLeft } from "./PaymentDecisions.ts"

/** Notes a payment on its transaction; nothing is written where it is noted already. */
const settle =
  ({ fee, id, method, paidAt, value }: IncomingPayment, zone: DateTime.TimeZone) =>
  (
    found: PaymentContext,
    { business: now }: Times
  ): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof Settlement.settle>> => {
    const settlement = { id, value, paidOn: dateAt(paidAt, zone), ...(fee === undefined ? {} : { fee }) }
    const terms = termsOf(found.owner)[method]
    return Result.map(Settlement.settle(found.transaction, settlement, { terms, now }), (decision) =>
      decision.events.length === 0 ? asItStands(found) : changing(found, decision, now)
    )
  }

/** The same of a dispute, which its operator's name stands for. */
const dispute =
  ({ id }: IncomingChargeback) =>
  (found: PaymentContext, { business: now }: Times): Result.Result<Decided<PaymentLeft>, RefusalsOf<typeof disputed>> =>
    Result.map(disputed(found.transaction, id, now), (decision) =>
      decision.events.length === 0 ? asItStands(found) : changing(found, decision, now)
    )

/**
 * Notes on a transaction what was reported of it; nothing is written where it is noted already.
 *
 * @category decisions
 * @since 0.1.0
 */
export const record = (report: IncomingReport, zone: DateTime.TimeZone) =>
  report.method === "creditcard" ? dispute(report) : settle(report, zone)

/**
 * What becomes of a payment that its transaction does not take. It waits for an attempt that is under way (a
 * withdrawal is none of these), as that may decide whether it fits; all other refusals are for good.
 *
 * @category decisions
 * @since 0.1.0
 */
export const markOfRefusal = ({ message, refusal }: BillingError): Pick<PaymentMark, "problem" | "standing"> => ({
  standing: refusal._tag === "AttemptUnderWay" ? "waiting" : "unmatched",
  problem: message
})
