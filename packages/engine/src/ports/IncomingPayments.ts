/**
 * Port: the payments that banks and Pix providers reported and the disputes that card operators reported, each stored
 * once with its state. Unmatched reports stay stored for the operator of the service.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import type { TransactionReference } from "@parcela/core/transactions/TransactionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoreError } from "./StoreError.ts"

/**
 * The state of a report.
 *
 * - `waiting`: a job applies it later
 * - `applied`: its transaction contains it
 * - `unmatched`: no transaction accepts it; `problem` contains the reason
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentStanding = Schema.Literals(["waiting", "applied", "unmatched"])

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentStanding = typeof PaymentStanding.Type

/**
 * A reported payment or dispute.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReportedPayment {
  readonly id: number
  readonly report: IncomingReport
  readonly standing: PaymentStanding
  /** The company, if known. */
  readonly companyId: CompanyId | undefined
  /** The number of restores of the company when the row was read. */
  readonly restores?: number | undefined
  /** The transaction that was paid or disputed, if known. */
  readonly transactionId: SvcPayId | undefined
  readonly problem: string | undefined
  readonly receivedAt: MachineTime
  /** The last report with the same id and different amounts. */
  readonly differing: IncomingReport | undefined
}

/**
 * The result of applying a report.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentMark {
  readonly standing: PaymentStanding
  readonly companyId?: CompanyId | undefined
  readonly transactionId?: SvcPayId | undefined
  readonly problem?: string | undefined
}

/**
 * The filter of a list. An absent field matches all payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentFilter {
  readonly companyId?: CompanyId | undefined
  readonly standing?: PaymentStanding | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class IncomingPayments extends Context.Service<
  IncomingPayments,
  {
    /**
     * Stores a report and the job that applies it, in one commit. A report with a known method and id is not changed.
     * If its amounts differ, the new report is stored as `differing`.
     */
    readonly keep: (
      report: IncomingReport,
      at: {
        readonly now: MachineTime
        /** The process that applies the report, and the end of its lease of the job. */
        readonly owner: string
        readonly until: MachineTime
        /**
         * The company of the transaction with this reference, if there is one. The job then belongs to this company.
         */
        readonly companyId: CompanyId | undefined
        /**
         * The company's number of restores at the time of the query. After another restore the report is not stored,
         * and the call fails with `CompanyRestored`.
         */
        readonly restores?: number | undefined
      }
    ) => Effect.Effect<{ readonly payment: ReportedPayment; readonly isNew: boolean }, StoreError>
    readonly find: (id: number) => Effect.Effect<Option.Option<ReportedPayment>, StoreError>
    /**
     * Stores the result of a report and deletes its job. A report that no longer waits is not changed, and neither is a
     * report whose company was restored since the row was read.
     */
    readonly mark: (
      payment: Pick<ReportedPayment, "id" | "restores">,
      mark: PaymentMark
    ) => Effect.Effect<void, StoreError>
    /** Returns the waiting reports with one of these references. */
    readonly listWaiting: (
      references: ReadonlyArray<TransactionReference>
    ) => Effect.Effect<ReadonlyArray<ReportedPayment>, StoreError>
    /** Returns a page of reports with an id above `after`, in the order of their arrival. */
    readonly list: (
      filter: PaymentFilter,
      page: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<ReportedPayment>, StoreError>
  }
>()("@parcela/engine/ports/IncomingPayments") {}
