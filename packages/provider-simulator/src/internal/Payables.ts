/**
 * Boletos and Pix charges that payers can pay at the simulated providers.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type AmountDue, amountDue } from "@parcela/core/money/AmountDue"
import { Cents } from "@parcela/core/money/Cents"
import { Percentage } from "@parcela/core/money/Percentage"
import { PaymentMethodBoleto, PaymentMethodPix } from "@parcela/core/paymentMethods/PaymentMethod"
import { BusinessTime, latest, dateAt, startOfDay } from "@parcela/core/time/Instant"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { boletoLastDay, endOf, pixClosesAt, reportedOn } from "@parcela/core/transactions/TransactionDeadlines"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as PixIdentifiers from "@parcela/core/pix/PixIdentifiers"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Hex from "effect/encoding/Hex"

const Row = Schema.Struct({
  method: Schema.Literals(["boleto", "pix"]),
  reference: Schema.String,
  value: Cents,
  dueDate: LocalDate,
  openedAt: BusinessTime,
  paidAt: Schema.NullOr(BusinessTime),
  canceledAt: Schema.NullOr(Schema.Int),
  terms: Schema.String
})

const boletoTerms = Schema.decodeEffect(Schema.fromJsonString(PaymentMethodBoleto))
const pixTerms = Schema.decodeEffect(Schema.fromJsonString(PaymentMethodPix))

type Terms =
  | { readonly method: "boleto"; readonly terms: PaymentMethodBoleto }
  | { readonly method: "pix"; readonly terms: PaymentMethodPix }

/** A registered boleto or Pix charge. */
export type Payable = Omit<typeof Row.Type, "method" | "terms"> & Terms

const tables = { boleto: "boletos", pix: "pix_charges" } as const

/** Returns the registration of a transaction, or undefined. */
export const find = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  companyId: CompanyId,
  transactionId: SvcPayId
): Effect.fn.Return<Payable | undefined, unknown> {
  const selected = (method: "boleto" | "pix", reference: string) => sql`
    SELECT ${method} AS method, ${sql(reference)} AS reference, value, due_date AS "dueDate",
      opened_at AS "openedAt", paid_at AS "paidAt", canceled_at AS "canceledAt", terms
    FROM ${sql(tables[method])} WHERE transaction_id = ${transactionId} AND company_id = ${companyId}`
  const rows = [...(yield* selected("boleto", "barcode")), ...(yield* selected("pix", "txid"))]
  const [row] = yield* Schema.decodeUnknownEffect(Schema.Array(Row))(rows)
  if (row === undefined) return undefined
  return row.method === "boleto"
    ? { ...row, method: "boleto", terms: yield* boletoTerms(row.terms) }
    : { ...row, method: "pix", terms: yield* pixTerms(row.terms) }
})

/**
 * Marks the registration as paid. Returns false if it was cancelled concurrently, or a Pix was paid. Payment and
 * cancellation write to the same row, so one of them is first.
 */
export const claim = (sql: SqlClient.SqlClient, method: Payable["method"], transactionId: SvcPayId, at: BusinessTime) =>
  Effect.map(
    sql`
      UPDATE ${sql(tables[method])} SET paid_at = COALESCE(paid_at, ${at})
      WHERE transaction_id = ${transactionId} AND canceled_at IS NULL
        AND ${method === "pix" ? sql`paid_at IS NULL` : sql`1 = 1`}
      RETURNING transaction_id`,
    ({ length }) => length > 0
  )

/** Returns the amount due at a time. Fine and interest are left out if the total would exceed the maximum amount. */
export const dueAt = ({ dueDate, terms, value }: Payable, at: BusinessTime, zone: DateTime.TimeZone): AmountDue => {
  const { Discount: discount, fine = 0, interest = 0 } = terms
  const rates = { fine: Percentage.make(fine), interest: Percentage.make(interest), discount }
  return Result.getOrElse(amountDue({ value, due: dueDate, paidOn: dateAt(at, zone), ...rates }), () => ({
    fine: Cents.make(0),
    interest: Cents.make(0),
    discount: Cents.make(0),
    daysLate: 0,
    total: value
  }))
}

/** Returns the time from which the provider refuses payments. */
export const closesAt = (payable: Payable, zone: DateTime.TimeZone): BusinessTime => {
  const { dueDate: payday, openedAt } = payable
  if (payable.method === "pix") return pixClosesAt({ payday, openedAt }, payable.terms, { zone })
  const last = boletoLastDay(payday, payable.terms)
  return last === undefined ? BusinessTime.make(latest) : endOf(last, zone)
}

/** Returns the time of the provider's report: at once for a Pix, on the next business day for a boleto. */
export const reportAt = ({ method }: Payable, at: BusinessTime, zone: DateTime.TimeZone): BusinessTime =>
  method === "pix" ? at : BusinessTime.make(startOfDay(reportedOn(dateAt(at, zone)), zone))

/** The institution of every simulated payer. No ISPB starts with these digits. */
const ispb = "99999999"

/** Returns a new end-to-end id of a Pix payment at that time. */
export const newEndToEndId = (random: SecureRandom.SecureRandom["Service"], epochMillis: number) =>
  Effect.flatMap(random.randomBytes(6), (bytes) =>
    Effect.fromResult(PixIdentifiers.build({ ispb, epochMillis, sequence: Hex.encode(bytes).slice(1) }))
  )
