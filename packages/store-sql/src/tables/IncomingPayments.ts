/**
 * The table of payments and disputes that providers reported.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { IncomingReport } from "@parcela/core/transactions/IncomingReport"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { PaymentStanding, type ReportedPayment } from "@parcela/engine/ports/IncomingPayments"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import * as RowTable from "../internal/RowTable.ts"

const ReportText = Schema.fromJsonString(IncomingReport)

const IncomingPaymentRow = Schema.Struct({
  id: Columns.integer(Schema.Int),
  report: ReportText,
  standing: PaymentStanding,
  companyId: Schema.NullOr(Columns.integer(CompanyId)),
  restores: Schema.NullOr(Columns.integer(Schema.Int)),
  transactionId: Schema.NullOr(Columns.integer(SvcPayId)),
  problem: Schema.NullOr(Schema.String),
  receivedAt: Columns.integer(MachineTime),
  differing: Schema.NullOr(ReportText)
})

/**
 * How rows of payments are read.
 *
 * @category tables
 * @since 0.1.0
 */
export const incomingPayments = RowTable.make({
  table: "incoming_payments",
  schema: IncomingPaymentRow,
  columns: {
    id: "id",
    report: "data",
    standing: "standing",
    companyId: "company_id",
    restores: "(SELECT restores FROM companies WHERE companies.id = company_id)",
    transactionId: "transaction_id",
    problem: "problem",
    receivedAt: "received_at",
    differing: "differing"
  }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const reportedOf = (row: typeof IncomingPaymentRow.Type): ReportedPayment => ({
  ...row,
  companyId: row.companyId ?? undefined,
  restores: row.restores ?? undefined,
  transactionId: row.transactionId ?? undefined,
  problem: row.problem ?? undefined,
  differing: row.differing ?? undefined
})

/**
 * The text of a report.
 *
 * @category conversions
 * @since 0.1.0
 */
export const reportText = Schema.encodeSync(ReportText)
