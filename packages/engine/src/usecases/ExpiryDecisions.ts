/**
 * What becomes of a boleto or a Pix whose time may be over.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import * as Expiry from "@parcela/core/transactions/TransactionExpiry"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import type { Decided } from "../commands/Decided.ts"
import type { PaymentContext } from "../loads/PaymentContext.ts"
import { termsOf } from "../ports/PaymentOwner.ts"
import { asItStands, changing, type PaymentLeft } from "./PaymentDecisions.ts"

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
export const expire =
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
