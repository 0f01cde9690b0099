/**
 * The customers and the cards that a request may mean, as part of a load.
 *
 * @since 0.1.0
 */
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { CardQuery, CustomerQuery, FoundPayer } from "@parcela/engine/command/LoadedPayments"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { customers } from "../tables/Customers.ts"
import { cardColumns, cardJoins, cardsOf, stateColumns, stateOf } from "./Load.ts"
import * as Statement from "./Statement.ts"
import { turnOf } from "./Dialect.ts"

/**
 * @category columns
 * @since 0.1.0
 */
export const payerColumns = (
  customer: Statement.Asking<CustomerQuery>,
  card: Statement.Asking<CardQuery | undefined>
): ReadonlyArray<string> => {
  const found = names.filter(({ given }) => customer.has(given)).map(({ alias }) => alias)
  const owners = found.length === 0 ? "NULL" : found.map((alias) => `${alias}.id`).join(", ")
  return [...cardColumns(owners, card), ...found.map(stateColumns)]
}

/** By what a request names its customer. */
const names = [
  { alias: "by_id", column: "id", given: ({ svcPayId }: CustomerQuery) => svcPayId },
  { alias: "by_my_id", column: "my_id", given: ({ myId }: CustomerQuery) => myId },
  { alias: "by_document", column: "document", given: ({ document }: CustomerQuery) => document }
] as const

/**
 * @category joins
 * @since 0.1.0
 */
export const payerJoins = (
  customer: Statement.Asking<CustomerQuery>,
  card: Statement.Asking<CardQuery | undefined>
): string =>
  [
    cardJoins(card),
    ...names
      .filter(({ given }) => customer.has(given))
      .map(
        ({ alias, column, given }) =>
          `LEFT JOIN customers AS ${alias}
            ON ${alias}.company_id = company.id AND ${alias}.${column} = ${customer.bind((asked) => given(asked) ?? null)}`
      )
  ].join(" ")

/**
 * Waits for the turn of the customers that a request may mean.
 *
 * @category statements
 * @since 0.1.0
 */
export const payerTurn = Statement.prepared<{ readonly companyId: CompanyId; readonly customer: CustomerQuery }>(
  ({ bind }) => `
    SELECT ${turnOf("customers", "id")} FROM customers
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
