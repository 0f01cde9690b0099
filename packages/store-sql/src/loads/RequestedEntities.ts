/**
 * The customers and the cards that a request may mean, as part of a load.
 *
 * @since 0.1.0
 */
import { type SvcPayId, MyId } from "@parcela/core/values/Identifier"
import type {
  CardQuery,
  CustomerQuery,
  FoundCards,
  FoundInstalments,
  FoundPayer,
  InstalmentQuery,
  OnCards
} from "@parcela/engine/command/LoadedPayments"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { customers } from "../tables/Customers.ts"
import { none, orThrow, stateColumns, stateOf, stateRows, statesOf } from "./Load.ts"
import * as Statement from "../sql/Statement.ts"
import type { Asking, Row } from "../sql/Statement.ts"
import { turnOf } from "../sql/Dialect.ts"
import type { LoadedPlans, PlanNames } from "@parcela/core/plans/PlanDecider"
import { cards, plans, transactions } from "../tables/Entities.ts"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"

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

/**
 * @category columns
 * @since 0.1.0
 */
export const planColumns = (names: Asking<PlanNames | undefined>): ReadonlyArray<string> =>
  names.has(nameOf) ? [stateColumns("named_plan"), stateColumns("my_id_plan")] : []

const nameOf = (names: PlanNames | undefined) => names?.planSvcPayId ?? names?.planMyId

/**
 * Joins of `planColumns`.
 *
 * @category joins
 * @since 0.1.0
 */
export const planJoins = (names: Asking<PlanNames | undefined>): string =>
  names.has(nameOf)
    ? `
  LEFT JOIN plans AS named_plan
    ON named_plan.company_id = company.id AND named_plan.id = ${names.bind((asked) => asked?.planSvcPayId ?? null)}
  LEFT JOIN plans AS my_id_plan
    ON my_id_plan.company_id = company.id AND my_id_plan.my_id = ${names.bind((asked) => asked?.planMyId ?? null)}`
    : ""

/**
 * @category conversions
 * @since 0.1.0
 */
export const plansOf = (row: Row): LoadedPlans => {
  const named = stateOf(plans, "named_plan", row)
  const sameMyId = stateOf(plans, "my_id_plan", row)
  return { bySvcPayId: named?.state, byMyId: sameMyId?.state }
}

/**
 * @category columns
 * @since 0.1.0
 */
export const instalmentColumns = (query: Asking<InstalmentQuery | undefined>): ReadonlyArray<string> => {
  if (!query.has((asked) => asked)) return []
  const { bind, dialect } = query
  const taken = `(SELECT my_id FROM transactions WHERE company_id = company.id
    AND my_id IN ${dialect.textsOf(bind((asked) => JSON.stringify(asked?.myIds ?? [])))}) AS taken`
  return [stateColumns("first_made"), `${dialect.jsonRows({ my_id: "my_id" }, taken)} AS taken_my_ids`]
}

/**
 * Joins of `instalmentColumns`.
 *
 * @category joins
 * @since 0.1.0
 */
export const instalmentJoins = (query: Asking<InstalmentQuery | undefined>): string =>
  query.has((asked) => asked)
    ? `
  LEFT JOIN transactions AS first_made
    ON first_made.company_id = company.id AND first_made.id = ${query.bind((asked) => asked?.firstId ?? null)}`
    : ""

const decodeTaken = Columns.decodeJson(Schema.Array(Schema.Struct({ my_id: MyId })))

/**
 * @category conversions
 * @since 0.1.0
 */
export const instalmentsOf = (row: Row): FoundInstalments => {
  const first = stateOf(transactions, "first_made", row)
  const taken = row["taken_my_ids"]
  return {
    first: first?.state,
    takenMyIds: new Set(
      taken === none || taken === undefined
        ? []
        : orThrow(decodeTaken(taken), "transactions").map(({ my_id: myId }) => myId)
    )
  }
}

/** The cards that a request may mean. `owners` are the places of the customers whose cards may have the vault's token. */
export const cardColumns = (owners: string, query: Statement.Asking<CardQuery | undefined>): ReadonlyArray<string> => {
  if (!query.has((card) => card)) return []
  const kept = `FROM cards WHERE cards.company_id = company.id
    AND cards.vault_token = ${query.bind((card) => card?.vaultToken ?? null)}
    AND cards.customer_id IN (${owners}) ORDER BY id`
  return [stateColumns("named_card"), stateColumns("my_id_card"), `${stateRows(query.dialect, kept)} AS vault_cards`]
}

/** Joins of `cardColumns`. */
export const cardJoins = (query: Statement.Asking<CardQuery | undefined>): string =>
  query.has((card) => card)
    ? `
  LEFT JOIN cards AS named_card
    ON named_card.company_id = company.id AND named_card.id = ${query.bind((card) => card?.svcPayId ?? null)}
  LEFT JOIN cards AS my_id_card
    ON my_id_card.company_id = company.id AND my_id_card.my_id = ${query.bind((card) => card?.myId ?? null)}`
    : ""

/** The cards that a request may mean, and their root: the customer that was joined. */
export const onCards = (row: Statement.Row, { id }: Pick<CustomerState, "id">): OnCards => ({
  customerGuard: { table: "customers", id, version: Number(row["customer_version"]) },
  cards: cardsOf(row)
})

export const cardsOf = (row: Statement.Row): FoundCards => ({
  bySvcPayId: stateOf(cards, "named_card", row)?.state,
  byMyId: stateOf(cards, "my_id_card", row)?.state,
  byVaultToken: statesOf(cards, row["vault_cards"])
})
