/**
 * The parts of a load for the entities that a request may name: cards, customers, plans and instalments. A part has columns, joins, and a
 * function that decodes them.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { LoadedPlans, PlanNames } from "@parcela/core/plans/PlanDecider"
import { MyId, type SvcPayId } from "@parcela/core/values/Identifier"
import type {
  CardQuery,
  CustomerQuery,
  FoundCards,
  FoundInstalments,
  FoundPayer,
  InstalmentQuery,
  OnCards
} from "@parcela/engine/command/LoadedPayments"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import type { Row, Template } from "../sql/Statement.ts"
import { customers } from "../tables/Customers.ts"
import { cards, plans, transactions } from "../tables/Entities.ts"
import { emptyJson, join, lockRoots, orThrow, stateOf, stateOfAlias, statesAsJson, statesOf } from "./Load.ts"

/** The cards of a request. `owners` are the identifiers of the customers whose cards may have the vault's token. */
export const cardColumns = (owners: string, card: Template<CardQuery | undefined>): ReadonlyArray<string> => {
  if (!card.has((query) => query)) return []
  const inVault = `FROM cards WHERE cards.company_id = company.id
    AND cards.vault_token = ${card.bind((query) => query?.vaultToken ?? null)}
    AND cards.customer_id IN (${owners}) ORDER BY id`
  return [
    stateOfAlias("named_card"),
    stateOfAlias("my_id_card"),
    `${statesAsJson(card.dialect, inVault)} AS vault_cards`
  ]
}

export const cardJoins = (card: Template<CardQuery | undefined>): string =>
  card.has((query) => query)
    ? `
  ${join("cards", "named_card", `named_card.id = ${card.bind((query) => query?.svcPayId ?? null)}`)}
  ${join("cards", "my_id_card", `my_id_card.my_id = ${card.bind((query) => query?.myId ?? null)}`)}`
    : ""

export const cardsOf = (row: Row): FoundCards => ({
  bySvcPayId: stateOf(cards, "named_card", row)?.state,
  byMyId: stateOf(cards, "my_id_card", row)?.state,
  byVaultToken: statesOf(cards, row["vault_cards"])
})

/** The cards of a request, and their root: the joined customer. */
export const onCards = (row: Row, { id }: Pick<CustomerState, "id">): OnCards => ({
  customerGuard: { table: "customers", id, version: Number(row["customer_version"]) },
  cards: cardsOf(row)
})

/** The three names of a customer in a request. */
const customerNames = [
  { alias: "by_id", column: "id", nameIn: ({ svcPayId }: CustomerQuery) => svcPayId },
  { alias: "by_my_id", column: "my_id", nameIn: ({ myId }: CustomerQuery) => myId },
  { alias: "by_document", column: "document", nameIn: ({ document }: CustomerQuery) => document }
] as const

export const payerColumns = (
  customer: Template<CustomerQuery>,
  card: Template<CardQuery | undefined>
): ReadonlyArray<string> => {
  const aliases = customerNames.filter(({ nameIn }) => customer.has(nameIn)).map(({ alias }) => alias)
  const owners = aliases.length === 0 ? "NULL" : aliases.map((alias) => `${alias}.id`).join(", ")
  return [...cardColumns(owners, card), ...aliases.map(stateOfAlias)]
}

export const payerJoins = (customer: Template<CustomerQuery>, card: Template<CardQuery | undefined>): string =>
  [
    cardJoins(card),
    ...customerNames
      .filter(({ nameIn }) => customer.has(nameIn))
      .map(({ alias, column, nameIn }) =>
        join("customers", alias, `${alias}.${column} = ${customer.bind((query) => nameIn(query) ?? null)}`)
      )
  ].join(" ")

export const payerOf = (row: Row): FoundPayer => {
  const bySvcPayId = stateOf(customers, "by_id", row)
  const byMyId = stateOf(customers, "by_my_id", row)
  const byDocument = stateOf(customers, "by_document", row)
  const versions = new Map<SvcPayId, number>()
  for (const stored of [bySvcPayId, byMyId, byDocument]) {
    if (stored !== undefined) versions.set(stored.state.id, stored.version)
  }
  return {
    customers: { bySvcPayId: bySvcPayId?.state, byMyId: byMyId?.state, byDocument: byDocument?.state },
    versions,
    cards: cardsOf(row)
  }
}

/** Locks the customers that a request may name. */
export const lockPayer = lockRoots<{ readonly companyId: CompanyId; readonly customer: CustomerQuery }>(({ bind }) => ({
  ids: { customers: "id" },
  rows: `customers
    WHERE company_id = ${bind(({ companyId }) => companyId)} AND (
      id = ${bind(({ customer }) => customer.svcPayId ?? null)}
      OR my_id = ${bind(({ customer }) => customer.myId ?? null)}
      OR document = ${bind(({ customer }) => customer.document ?? null)}
    ) ORDER BY id`
}))

const planName = (names: PlanNames | undefined) => names?.planSvcPayId ?? names?.planMyId

export const planColumns = (names: Template<PlanNames | undefined>): ReadonlyArray<string> =>
  names.has(planName) ? [stateOfAlias("named_plan"), stateOfAlias("my_id_plan")] : []

export const planJoins = (names: Template<PlanNames | undefined>): string =>
  names.has(planName)
    ? `
  ${join("plans", "named_plan", `named_plan.id = ${names.bind((plan) => plan?.planSvcPayId ?? null)}`)}
  ${join("plans", "my_id_plan", `my_id_plan.my_id = ${names.bind((plan) => plan?.planMyId ?? null)}`)}`
    : ""

export const plansOf = (row: Row): LoadedPlans => ({
  bySvcPayId: stateOf(plans, "named_plan", row)?.state,
  byMyId: stateOf(plans, "my_id_plan", row)?.state
})

/** The first of the instalments, if it exists, and the `myId`s that other payments have. */
export const instalmentColumns = (instalments: Template<InstalmentQuery | undefined>): ReadonlyArray<string> => {
  if (!instalments.has((query) => query)) return []
  const { bind, dialect } = instalments
  const taken = `(SELECT my_id FROM transactions WHERE company_id = company.id
    AND my_id IN ${dialect.textsOf(bind((query) => JSON.stringify(query?.myIds ?? [])))}) AS taken`
  return [stateOfAlias("first_made"), `${dialect.jsonRows({ my_id: "my_id" }, taken)} AS taken_my_ids`]
}

export const instalmentJoins = (instalments: Template<InstalmentQuery | undefined>): string =>
  instalments.has((query) => query)
    ? join("transactions", "first_made", `first_made.id = ${instalments.bind((query) => query?.firstId ?? null)}`)
    : ""

const decodeTaken = Columns.decodeJson(Schema.Array(Schema.Struct({ my_id: MyId })))

export const instalmentsOf = (row: Row): FoundInstalments => {
  const taken = row["taken_my_ids"]
  return {
    first: stateOf(transactions, "first_made", row)?.state,
    takenMyIds: new Set(
      taken === emptyJson || taken === undefined
        ? []
        : orThrow(decodeTaken(taken), "transactions").map(({ my_id: myId }) => myId)
    )
  }
}
