/**
 * Payments and disputes that providers report without a request.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { Cents } from "../money/Cents.ts"
import { BusinessTime } from "../time/Instant.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * What a provider calls the boleto or the Pix charge that was paid. A `txid` is a Pix charge; a `barcode` or the bank's
 * own number (nosso número) is a boleto.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaidReference = Schema.Struct({
  kind: Schema.Literals(["txid", "barcode", "ourNumber"]),
  value: nonEmptyString(255)
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaidReference = typeof PaidReference.Type

/**
 * One payment, as its provider reported it. `value` and `fee` are cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingPayment = Schema.Struct({
  method: Schema.Literals(["boleto", "pix"]),
  /**
   * The provider's own name of this payment: a Pix's end-to-end id, or the bank's name of the settlement. The same name
   * of the same method again is the same payment, so an adapter of a bank whose names are unique to that bank alone puts
   * the bank's number in front.
   */
  id: nonEmptyString(255),
  /** What it paid. */
  reference: PaidReference,
  value: Cents,
  /** When it was paid, on the clock of the company: the instant itself, unless that clock was advanced. */
  paidAt: BusinessTime,
  /** What the provider kept. */
  fee: Schema.optionalKey(Cents),
  /** Who paid, where the provider says it: not always the customer. */
  payer: Schema.optionalKey(
    Schema.Struct({ name: Schema.optionalKey(Schema.String), document: Schema.optionalKey(Schema.String) })
  ),
  /** Whose account the money came into, where the provider says it. References of other companies are not looked at. */
  companyId: Schema.optionalKey(CompanyId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type IncomingPayment = typeof IncomingPayment.Type

/**
 * One dispute, as its operator reported it: the holder's bank takes the money back.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingChargeback = Schema.Struct({
  method: Schema.Literal("creditcard"),
  /** The operator's own name of the dispute: the same name again is the same dispute. */
  id: nonEmptyString(255),
  /** What the operator calls the charge. */
  reference: Schema.Struct({ kind: Schema.Literal("tid"), value: nonEmptyString(255) }),
  /** Whose charge it is, where the operator has an account for each company. References of other companies are not looked at. */
  companyId: Schema.optionalKey(CompanyId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type IncomingChargeback = typeof IncomingChargeback.Type

/**
 * A payment or a dispute, by its `method`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingReport = Schema.Union([IncomingPayment, IncomingChargeback])

/**
 * @category models
 * @since 0.1.0
 */
export type IncomingReport = typeof IncomingReport.Type

/** Of disputes only what is disputed: their operators say nothing of the money. */
const moneyOf = (report: IncomingReport) =>
  report.method === "creditcard" ? [] : [report.value, report.fee, report.paidAt]

const saidBy = (report: IncomingReport) => [report.reference.kind, report.reference.value, ...moneyOf(report)]

/**
 * Whether two reports of one method and under one name say the same of the money.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSameReport = (one: IncomingReport, other: IncomingReport): boolean => {
  const said = saidBy(other)
  return saidBy(one).every((value, index) => value === said[index])
}
