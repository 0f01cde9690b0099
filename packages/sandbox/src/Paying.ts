/**
 * Pays a boleto or a Pix of a company at its simulated provider, at the company's current time.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { bySvcPayId, type EntityRef } from "@parcela/core/values/Identifier"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { ClockManagement } from "@parcela/engine/clock/Clocks"
import { FetchPayments } from "@parcela/engine/payments/FetchReports"
import { Payers, type Payment, type PaymentOrder } from "@parcela/provider-simulator/Payers"
import { NotFound, Unavailable } from "@parcela/transport/ApiError"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TransactionNames from "./TransactionNames.ts"

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

/** The error for a providers' store that is unavailable. Nothing was changed. */
export const providersDown = () => new Unavailable({ message: "The providers' store cannot be used now" })

/**
 * A store failed during or after the payment: the payment may have been made. A job fetches its report.
 *
 * @category errors
 * @since 0.1.0
 */
export class PaymentUnknown extends Data.TaggedError("PaymentUnknown")<{ readonly cause: unknown }> {}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const clocks = yield* ClockManagement
  const named = yield* TransactionNames.makeFind
  const payers = yield* Payers
  const { expecting } = yield* FetchPayments
  const transactions = yield* Transactions

  const outcome = Effect.fnUntraced(
    function* (companyId: CompanyId, transaction: TransactionState, paid: ReadonlyArray<Payment>) {
      const transactionId = transaction.id
      const first = paid[0]?.number ?? 0
      const all = yield* payers.list(companyId, { after: 0, limit: maxPageSize, transactionId })
      // Read again: immediate reports have been acknowledged since.
      const payments = yield* payers.list(companyId, { after: first - 1, limit: paid.length, transactionId })
      const after = yield* transactions.find(companyId, bySvcPayId(transactionId))
      const paidTransaction = Option.getOrElse(after, () => transaction)
      const earlierPayments = all.filter(({ number }) => number < first).length
      return { payments, earlierPayments, status: paidTransaction.status } satisfies Paid
    },
    Effect.mapError((cause) => new PaymentUnknown({ cause }))
  )

  return Effect.fn("Paying.pay")(function* (
    companyId: CompanyId,
    ref: EntityRef,
    order: Pick<PaymentOrder, "name" | "times" | "value">
  ) {
    const transaction = yield* named(companyId, ref)
    const clock = yield* clocks.show(companyId)
    if (Option.isNone(clock)) return yield* new NotFound({ message: "There is no such company" })
    const payment = payers.pay({ ...order, companyId, transactionId: transaction.id, at: clock.value.business })
    const paid = yield* Effect.catchTag(expecting(companyId, payment), "ProviderError", (cause) =>
      Effect.fail(new PaymentUnknown({ cause }))
    )
    return yield* outcome(companyId, transaction, paid)
  })
})
