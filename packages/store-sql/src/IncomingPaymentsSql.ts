/**
 * Payments and disputes reported by providers, in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { IncomingReport, isSameReport } from "@parcela/core/transactions/IncomingReport"
import type { TransactionReference } from "@parcela/core/transactions/TransactionState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import {
  IncomingPayments,
  type PaymentFilter,
  type PaymentMark,
  PaymentStanding,
  type ReportedPayment
} from "@parcela/engine/ports/IncomingPayments"
import { companyRestored, Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Columns from "./sql/Columns.ts"
import { forKeyShare } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { dueWorkRow } from "./tables/DueWork.ts"
import * as Spans from "@parcela/engine/Spans"

const storeErrors = Effect.mapError(toStoreError("incoming_payments"))

const kind = "apply payment"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<IncomingPayments, never, SqlClient.SqlClient> = Layer.effect(
  IncomingPayments,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const select = selecting(sql)
    return IncomingPayments.of({
      keep: Spans.fn("IncomingPayments.keep")(
        (report: IncomingReport, at: Parameters<IncomingPayments["Service"]["keep"]>[1]) =>
          sql.withTransaction(keep(sql, report, at)),
        storeErrors
      ),
      find: Spans.fn("IncomingPayments.find")(function* (id: number) {
        const [found] = yield* select(sql`WHERE id = ${id}`)
        return Option.fromUndefinedOr(found)
      }, storeErrors),
      mark: Spans.fn("IncomingPayments.mark")(
        (payment: Pick<ReportedPayment, "id" | "restores">, mark: PaymentMark) =>
          sql.withTransaction(put(sql, payment, mark)),
        storeErrors
      ),
      listWaiting: Spans.fn("IncomingPayments.listWaiting")(function* (
        references: ReadonlyArray<TransactionReference>
      ) {
        if (references.length === 0) return []
        const named = references.map(
          ({ kind, value }) => sql`(reference_kind = ${kind} AND reference_value = ${value})`
        )
        return yield* select(sql`WHERE ${hasStanding(sql, "waiting")} AND ${sql.or(named)} ORDER BY id`)
      }, storeErrors),
      list: Spans.fn("IncomingPayments.list")(
        ({ companyId, standing }: PaymentFilter, page: { readonly after: number; readonly limit: number }) =>
          select(sql`
            WHERE ${sql.and([
              sql`id > ${page.after}`,
              ...(companyId === undefined ? [] : [sql`company_id = ${companyId}`]),
              ...(standing === undefined ? [] : [hasStanding(sql, standing)])
            ])} ORDER BY id LIMIT ${page.limit}
          `),
        storeErrors
      )
    })
  })
)

/** SQLite uses a partial index only if the query repeats its condition. */
const hasStanding = (sql: SqlClient.SqlClient, standing: PaymentStanding) =>
  standing === "applied"
    ? sql`standing = ${standing}`
    : sql.and([sql`standing = ${standing}`, sql`standing <> 'applied'`])

/** The payments that match `where`. */
const selecting = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (where: Fragment) {
    const rows = yield* sql`SELECT ${sql.literal(incomingPayments.selected)} FROM incoming_payments ${where}`
    return (yield* Effect.fromResult(incomingPayments.decode(rows))).map(reportedOf)
  })

const keep = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  report: IncomingReport,
  { companyId, now, owner, restores, until }: Parameters<IncomingPayments["Service"]["keep"]>[1]
) {
  if (restores !== undefined) yield* orRestored(sql, report.companyId, restores)
  const inserted = yield* sql`
    INSERT INTO incoming_payments ${sql.insert({
      method: report.method,
      payment_id: report.id,
      reference_kind: report.reference.kind,
      reference_value: report.reference.value,
      company_id: report.companyId ?? companyId ?? null,
      standing: "waiting",
      received_at: now,
      data: reportText(report)
    })} ON CONFLICT (method, payment_id) DO NOTHING RETURNING id
  `
  const [payment] = yield* selecting(sql)(sql`WHERE method = ${report.method} AND payment_id = ${report.id}`)
  if (payment === undefined) return yield* notStored()
  if (inserted.length === 0) return { payment: yield* known(sql, payment, report), isNew: false }
  const work = { kind, subject: String(payment.id), companyId, clock: "machine", dueAt: until } as const
  yield* sql`INSERT INTO due_work ${sql.insert(dueWorkRow({ ...work, waitsSince: now, leasedBy: owner }))}`
  return { payment, isNew: true }
})

/** Fails if the company was restored. On PostgreSQL a restore waits until the report is stored. */
const orRestored = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  companyId: number | undefined,
  restores: number
) {
  const held =
    yield* sql`SELECT 1 FROM companies WHERE id = ${companyId ?? null} AND restores = ${restores} ${forKeyShare(sql)}`
  if (held.length === 0) return yield* companyRestored()
})

const notStored = () =>
  new StoreError({ reason: new Corrupt({ table: "incoming_payments", cause: new Error("A payment was not stored") }) })

/** A known payment. A report that differs from the first one is stored with it. */
const known = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, payment: ReportedPayment, report: IncomingReport) {
  if (isSameReport(payment.report, report)) return payment
  yield* sql`UPDATE incoming_payments SET differing = ${reportText(report)} WHERE id = ${payment.id}`
  return { ...payment, differing: report }
})

const put = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, restores }: Pick<ReportedPayment, "id" | "restores">,
  { companyId, problem, standing, transactionId }: PaymentMark
) {
  const columns = {
    standing,
    problem: problem ?? null,
    ...(companyId === undefined ? {} : { company_id: companyId }),
    ...(transactionId === undefined ? {} : { transaction_id: transactionId })
  }
  const isAsRead =
    restores === undefined
      ? sql`1 = 1`
      : sql`EXISTS (
          SELECT 1 FROM companies WHERE companies.id = incoming_payments.company_id AND companies.restores = ${restores}
        )`
  const marked = yield* sql`
    UPDATE incoming_payments SET ${sql.update(columns)} WHERE id = ${id} AND standing = 'waiting' AND ${isAsRead} RETURNING id
  `
  if (standing !== "waiting" && marked.length > 0)
    yield* sql`DELETE FROM due_work WHERE kind = ${kind} AND subject = ${String(id)}`
})

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

/** The table of reported payments. */
const incomingPayments = Columns.rowTable({
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

const reportedOf = (row: typeof IncomingPaymentRow.Type): ReportedPayment => ({
  ...row,
  companyId: row.companyId ?? undefined,
  restores: row.restores ?? undefined,
  transactionId: row.transactionId ?? undefined,
  problem: row.problem ?? undefined,
  differing: row.differing ?? undefined
})

/** The text of a report. */
const reportText = Schema.encodeSync(ReportText)
