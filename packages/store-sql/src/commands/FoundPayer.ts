/**
 * The customers and the cards that a request may mean, as part of a load.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { CardQuery } from "@parcela/engine/loads/FoundCards"
import type { CustomerQuery, FoundPayer } from "@parcela/engine/loads/PayerContext"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { customers } from "../tables/Customers.ts"
import { cardColumns, cardJoins, cardsOf, stateColumns, stateOf } from "./Load.ts"
import * as Statement from "./Statement.ts"

/**
 * @category columns
 * @since 0.1.0
 */
export const payerColumns = (card: Statement.Asking<CardQuery | undefined>): ReadonlyArray<string> => [
  cardColumns("by_id.id, by_my_id.id, by_document.id", card),
  ...["by_id", "by_my_id", "by_document"].map(stateColumns)
]

/**
 * @category joins
 * @since 0.1.0
 */
export const payerJoins = (
  customer: Statement.Asking<CustomerQuery>,
  card: Statement.Asking<CardQuery | undefined>
): string => `
  ${cardJoins(card)}
  LEFT JOIN customers AS by_id
    ON by_id.company_id = company.id AND by_id.id = ${customer.bind(({ svcPayId }) => svcPayId ?? null)}
  LEFT JOIN customers AS by_my_id
    ON by_my_id.company_id = company.id AND by_my_id.my_id = ${customer.bind(({ myId }) => myId ?? null)}
  LEFT JOIN customers AS by_document
    ON by_document.company_id = company.id AND by_document.document = ${customer.bind(({ document }) => document ?? null)}`

/**
 * Waits for the turn of the customers that a request may mean.
 *
 * @category statements
 * @since 0.1.0
 */
export const payerTurn = Statement.prepared<{ readonly companyId: CompanyId; readonly customer: CustomerQuery }>(
  ({ bind, dialect }) => `
    SELECT ${dialect.turnOf("customers", "id")} FROM customers
    WHERE company_id = ${bind(({ companyId }) => companyId)} AND (
      id = ${bind(({ customer }) => customer.svcPayId ?? null)}
      OR my_id = ${bind(({ customer }) => customer.myId ?? null)}
      OR document = ${bind(({ customer }) => customer.document ?? null)}
    ) ORDER BY id
  `
)

/**
 * @category conversions
 * @since 0.1.0
 */
export const payerIn = (row: Statement.Row): FoundPayer => {
  const bySvcPayId = stateOf(customers, "by_id", row)
  const byMyId = stateOf(customers, "by_my_id", row)
  const byDocument = stateOf(customers, "by_document", row)
  const versions = new Map<SvcPayId, number>()
  for (const found of [bySvcPayId, byMyId, byDocument]) {
    if (found !== undefined) versions.set(found.state.id, found.version)
  }
  return {
    customers: { bySvcPayId: bySvcPayId?.state, byMyId: byMyId?.state, byDocument: byDocument?.state },
    versions,
    cards: cardsOf(row)
  }
}
