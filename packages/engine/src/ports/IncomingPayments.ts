/**
 * Port: every payment that a bank or a Pix provider reported and every dispute that a card operator reported, once, and what
 * became of it. What fits nothing stays here, where an operator sees it.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import type { TransactionReference } from "@parcela/core/transactions/TransactionReference"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoreError } from "./StoreError.ts"

/**
 * What became of a report.
 *
 * - `waiting`: it is to be applied; due work does it
 * - `applied`: its transaction has it
 * - `unmatched`: no transaction takes it, and `problem` says why
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
 * A payment or a dispute that was reported.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReportedPayment {
  readonly id: number
  readonly report: IncomingReport
  readonly standing: PaymentStanding
  /** Whose it is, once that is known. */
  readonly companyId: CompanyId | undefined
  /** How often that company had been restored when the row was read. */
  readonly restores?: number | undefined
  /** What it paid, or was meant to pay, once that is known. */
  readonly transactionId: SvcPayId | undefined
  readonly problem: string | undefined
  readonly receivedAt: MachineTime
  /** The last report under the same name that said something else of the money. */
  readonly differing: IncomingReport | undefined
}

/**
 * What is found out about a payment.
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
 * Which payments are listed; what is left out does not matter.
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
     * Keeps a report, and with it the due work that applies it, in one commit. One that is known by its method and its
     * name stays as it is; where it says something else of the money, that is noted as `differing`.
     */
    readonly keep: (
      report: IncomingReport,
      at: {
        readonly now: MachineTime
        /** The process that applies it now, and until when its due work is left to it. */
        readonly owner: string
        readonly until: MachineTime
        /** Whose transaction has its reference, if one has: its due work is that company's. */
        readonly companyId: CompanyId | undefined
        /** Of the company that asked for the report: once it was restored again, the report is not kept, and `CompanyRestored`. */
        readonly restores?: number | undefined
      }
    ) => Effect.Effect<{ readonly payment: ReportedPayment; readonly isNew: boolean }, StoreError>
    readonly find: (id: number) => Effect.Effect<Option.Option<ReportedPayment>, StoreError>
    /**
     * Notes what was found out. A payment that does not wait any more stays as it is; its due work is over. One whose
     * company was restored since it was read stays too.
     */
    readonly mark: (
      payment: Pick<ReportedPayment, "id" | "restores">,
      mark: PaymentMark
    ) => Effect.Effect<void, StoreError>
    /** Payments that are to be applied to what has one of these references. */
    readonly listWaiting: (
      references: ReadonlyArray<TransactionReference>
    ) => Effect.Effect<ReadonlyArray<ReportedPayment>, StoreError>
    /** A page of the payments whose id is above `after`, first received first. */
    readonly list: (
      filter: PaymentFilter,
      page: { readonly after: number; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<ReportedPayment>, StoreError>
  }
>()("@parcela/engine/ports/IncomingPayments") {}
