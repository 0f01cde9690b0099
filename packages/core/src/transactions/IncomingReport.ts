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
 * The provider's reference of the paid boleto or Pix charge: `txid` for a Pix charge, `barcode` or the bank's number
 * (`ourNumber`, nosso número) for a boleto.
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
 * A payment as its provider reported it. `value` and `fee` are in cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingPayment = Schema.Struct({
  method: Schema.Literals(["boleto", "pix"]),
  /**
   * The provider's identifier of the payment: a Pix's end-to-end id, or the bank's identifier of the settlement. A
   * report with the same id and method is about the same payment. If the identifiers of a bank are unique only within
   * that bank, its adapter adds the number of the bank.
   */
  id: nonEmptyString(255),
  reference: PaidReference,
  value: Cents,
  /** Time of the payment, in the business time of the company. */
  paidAt: BusinessTime,
  /** Fee of the provider. */
  fee: Schema.optionalKey(Cents),
  /** The payer, if the provider reports one. It may be someone other than the customer. */
  payer: Schema.optionalKey(
    Schema.Struct({ name: Schema.optionalKey(Schema.String), document: Schema.optionalKey(Schema.String) })
  ),
  /**
   * The company whose account received the money, if the provider reports it. References of other companies are not
   * considered.
   */
  companyId: Schema.optionalKey(CompanyId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type IncomingPayment = typeof IncomingPayment.Type

/**
 * A dispute as the card operator reported it: the cardholder's bank takes the money back.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingChargeback = Schema.Struct({
  method: Schema.Literal("creditcard"),
  /** The operator's identifier of the dispute. A report with the same id is about the same dispute. */
  id: nonEmptyString(255),
  /** The operator's reference of the charge. */
  reference: Schema.Struct({ kind: Schema.Literal("tid"), value: nonEmptyString(255) }),
  /**
   * The company of the charge, if the operator has an account for each company. References of other companies are not
   * considered.
   */
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

/** Empty for disputes: operators report no amounts for them. */
const amountsOf = (report: IncomingReport) =>
  report.method === "creditcard" ? [] : [report.value, report.fee, report.paidAt]

const contentOf = (report: IncomingReport) => [report.reference.kind, report.reference.value, ...amountsOf(report)]

/**
 * True if two reports with the same method and id have the same reference and amounts.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSameReport = (one: IncomingReport, other: IncomingReport): boolean => {
  const content = contentOf(other)
  return contentOf(one).every((value, index) => value === content[index])
}
