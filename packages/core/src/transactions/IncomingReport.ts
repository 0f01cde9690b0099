/**
 * What providers report by themselves: money that came in, or money of a card that is taken back.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { IncomingChargeback } from "./IncomingChargeback.ts"
import { IncomingPayment } from "./IncomingPayment.ts"

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
