/**
 * Pays a boleto or a Pix of a company at its simulated provider, at the company's current time.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { bySvcPayId, type EntityRef } from "@parcela/core/values/Identifier"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { FetchPayments } from "@parcela/engine/payments/IncomingPayments"
import { Payers, type Payment, type PaymentOrder } from "@parcela/provider-simulator/Payers"
import { NotFound, Unavailable } from "@parcela/transport/ApiError"
import { longestPage } from "@parcela/transport/sandbox/Control"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as NamedTransaction from "./NamedTransaction.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Paid {
  readonly payments: ReadonlyArray<Payment>
  /** The number of earlier payments; 100 at most. */
  readonly earlierPayments: number
  /** The status of the transaction after immediate reports were processed. */
  readonly status: TransactionStatus
}

/** The error for a providers' store that is unavailable. */
export const providersDown = () => new Unavailable({ message: "The providers' store cannot be used now" })

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const clocks = yield* ClockManagement
  const named = yield* NamedTransaction.make
  const payers = yield* Payers
  const { expecting } = yield* FetchPayments
  const transactions = yield* Transactions

  return Effect.fn("Paying.pay")(function* (
    companyId: CompanyId,
    ref: EntityRef,
    order: Pick<PaymentOrder, "name" | "times" | "value">
  ) {
    const transaction = yield* named(companyId, ref)
    const clock = yield* clocks.show(companyId)
    if (Option.isNone(clock)) return yield* new NotFound({ message: "There is no such company" })
    const { id: transactionId } = transaction
    const at = clock.value.business
    const paid = yield* expecting(companyId, payers.pay({ ...order, companyId, transactionId, at }))
    // Immediate reports have been acknowledged at this point.
    const payments = paid.map((one) => ({ ...one, isAcknowledged: one.isAcknowledged || one.reportAt <= at }))
    const all = yield* payers.list(companyId, { after: 0, limit: longestPage, transactionId })
    const first = all.findIndex(({ id }) => id === paid[0]?.id)
    const earlierPayments = first === -1 ? all.length : first
    const after = Option.getOrElse(yield* transactions.find(companyId, bySvcPayId(transactionId)), () => transaction)
    return { payments, earlierPayments, status: after.status } satisfies Paid
  })
})
