/**
 * Entities that are their own roots: what a new one rests on, and one that is there.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { Guard, KeyName, KeyRow } from "@parcela/engine/command/LoadedCompany"
import type {
  EntityArgs,
  EntityContext,
  NewEntityArgs,
  NewEntityContext,
  WithDocument
} from "@parcela/engine/command/Loads"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import { type Entity, type EntityTable, cards } from "../tables/Entities.ts"
import { type Dialect, turnOf } from "../sql/Dialect.ts"
import { isAsked, loading, reading, stateColumns, stateOf, type Load, stateRows, statesOf } from "./Load.ts"
import { cardColumns, cardJoins, cardsOf } from "./RequestedEntities.ts"
import * as Statement from "../sql/Statement.ts"
import { customers, owed, owedFrom, standingOf } from "../tables/Customers.ts"
import type { CustomerState, CustomerStanding } from "@parcela/core/customers/CustomerState"

/** A load of those arguments, by whatever name. */
interface LoadOf<A extends { readonly companyId: CompanyId }, F> {
  readonly statement: (dialect: Dialect, args: A, key: KeyName | undefined) => Statement.Statement
  readonly turn: (dialect: Dialect, args: A) => Statement.Statement
  readonly read: (
    row: Statement.Row,
    args: A
  ) => Result.Result<{ readonly key: KeyRow | undefined; readonly found: F | undefined }, StoreError>
}

/** What names the entity that is asked for. */
const refOf = ({ ref }: { readonly ref: EntityRef }): EntityRef => ref

/** Rows of the company beside what is loaded. */
const joined = (table: string, alias: string, condition: string): string =>
  `LEFT JOIN ${table} AS ${alias} ON ${alias}.company_id = company.id AND ${condition}`

/**
 * What a load brings beside the entity.
 *
 * @category models
 * @since 0.1.0
 */
export interface Beside<A, B> {
  readonly columns: ReadonlyArray<string>
  readonly joins: (ask: Statement.Asking<A>) => string
  readonly read: (row: Statement.Row) => B
}

/** Of loads that bring the entity alone. */
const nothing: Beside<unknown, unknown> = { columns: [], joins: () => "", read: () => Result.succeed({}) }

/**
 * What a new entity of a table rests on.
 *
 * @category loads
 * @since 0.1.0
 */
export const newEntity = <S extends Entity, A = unknown, B = unknown>(
  table: EntityTable<S>,
  // Without one, nothing is asked for and nothing comes.
  beside: Beside<A, B> = nothing as Beside<A, B>
): LoadOf<NewEntityArgs & A, NewEntityContext<S> & B> => ({
  statement: loading((ask) => ({
    columns: [...["written", "same"].map(stateColumns), ...beside.columns],
    joins: [
      joined(table.name, "written", `written.id = ${ask.bind(({ id }) => id)}`),
      joined(table.name, "same", `same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`),
      beside.joins(ask)
    ].join(" ")
  })),
  turn: turnOfCompany,
  read: reading((row, company) => {
    const written = stateOf(table, "written", row)
    const same = stateOf(table, "same", row)
    return { ...company, written: written?.state, sameMyId: same?.state, ...beside.read(row) }
  })
})

/**
 * An entity of a table, which is its own root.
 *
 * @category loads
 * @since 0.1.0
 */
export const entity = <S extends Entity, A = unknown, B = unknown>(
  table: EntityTable<S, Guard["table"]>,
  // As above.
  beside: Beside<A, B> = nothing as Beside<A, B>
): LoadOf<EntityArgs & A, EntityContext<S> & B> => ({
  statement: loading((ask) => ({
    columns: [...["entity", "same"].map(stateColumns), ...beside.columns],
    joins: [
      joined(table.name, "entity", isAsked("entity", ask.of(refOf))),
      joined(table.name, "same", `same.my_id = ${ask.bind(({ myId }) => myId ?? null)}`),
      beside.joins(ask)
    ].join(" ")
  })),
  turn: Statement.prepared(
    (ask) => `
      SELECT ${turnOf(table.name, "id")} FROM ${table.name} AS entity
      WHERE company_id = ${ask.bind(({ companyId }) => companyId)} AND ${isAsked("entity", ask.of(refOf))}
    `
  ),
  read: reading((row, company) => {
    const found = stateOf(table, "entity", row)
    if (found === undefined) return undefined
    const same = stateOf(table, "same", row)
    return {
      ...company,
      guard: { table: table.name, id: found.state.id, version: found.version },
      entity: found.state,
      sameMyId: same?.state,
      ...beside.read(row)
    }
  })
})

/**
 * @category loads
 * @since 0.1.0
 */
export const newCard: Load<"newCard"> = {
  statement: loading((ask) => {
    const card = ask.of(({ card }) => card)
    return {
      columns: [
        ...cardColumns("customer.id", card),
        stateColumns("customer"),
        `${stateRows(
          ask.dialect,
          `FROM cards WHERE cards.company_id = company.id AND cards.customer_id = customer.id AND is_backup = 1 ORDER BY id`
        )} AS backups`
      ],
      joins: `${cardJoins(card)} ${joined("customers", "customer", isAsked("customer", ask.of(refOf)))}`
    }
  }),
  turn: Statement.prepared(
    (ask) => `
      SELECT ${turnOf("customers", "id")} FROM customers AS customer
      WHERE company_id = ${ask.bind(({ companyId }) => companyId)} AND ${isAsked("customer", ask.of(refOf))}
    `
  ),
  read: reading((row, company) => {
    const customer = stateOf(customers, "customer", row)
    if (customer === undefined) return undefined
    return {
      ...company,
      guard: { table: "customers", id: customer.state.id, version: customer.version } as const,
      customer: customer.state,
      cards: cardsOf(row),
      backups: statesOf(cards, row["backups"])
    }
  })
}

const isPaidWith = (table: string): string => `EXISTS (
  SELECT 1 FROM ${table} WHERE ${table}.company_id = card.company_id AND ${table}.customer_id = card.customer_id
    AND ${table}.card_id = card.id AND ${table}.status IN ('active', 'waitingPayment', 'stopped')
)`

/** Of a payment that was not made, whoever its subscription is paid with. */
const isToPay = `EXISTS (
  SELECT 1 FROM transactions AS payment WHERE payment.company_id = card.company_id
    AND payment.customer_id = card.customer_id AND payment.card_id = card.id AND ${owed("payment")}
)`

/**
 * @category loads
 * @since 0.1.0
 */
export const card: Load<"card"> = {
  statement: loading((ask) => ({
    columns: [
      stateColumns("card"),
      stateColumns("customer"),
      `CASE WHEN ${isPaidWith("subscriptions")} OR ${isPaidWith("charges")} OR ${isToPay} THEN 1 ELSE 0 END AS is_in_use`
    ],
    joins: `
      ${joined("cards", "card", isAsked("card", ask.of(refOf)))}
      ${joined("customers", "customer", "customer.id = card.customer_id")}`
  })),
  turn: Statement.prepared(
    (ask) => `
      SELECT ${turnOf("customers", "customer_id")} FROM cards AS card
      WHERE company_id = ${ask.bind(({ companyId }) => companyId)} AND ${isAsked("card", ask.of(refOf))}
    `
  ),
  read: reading((row, company) => {
    const found = stateOf(cards, "card", row)
    const customer = stateOf(customers, "customer", row)
    if (found === undefined || customer === undefined) return undefined
    return {
      ...company,
      guard: { table: "customers", id: customer.state.id, version: customer.version } as const,
      entity: found.state,
      customer: customer.state,
      isInUse: Number(row["is_in_use"]) === 1
    }
  })
}

/**
 * @category loads
 * @since 0.1.0
 */
export const sameDocument: Beside<WithDocument, { readonly sameDocument: CustomerState | undefined }> = {
  columns: [stateColumns("same_document")],
  joins: ({ bind }) =>
    joined("customers", "same_document", `same_document.document = ${bind(({ document }) => document ?? null)}`),
  read: (row) => ({ sameDocument: stateOf(customers, "same_document", row)?.state })
}

/**
 * The same, with the standing of the customer that is loaded.
 *
 * @category loads
 * @since 0.1.0
 */
export const sameDocumentAndStanding: Beside<
  WithDocument,
  { readonly sameDocument: CustomerState | undefined; readonly standing: CustomerStanding }
> = {
  columns: [...sameDocument.columns, "entity.contracts", `${owedFrom("company.id", "entity.id")} AS owed_from`],
  joins: sameDocument.joins,
  read: (row) => ({ ...sameDocument.read(row), standing: Result.getOrThrow(standingOf(row)) })
}

/**
 * Waits for the company's turn.
 *
 * @category statements
 * @since 0.1.0
 */
export const turnOfCompany = Statement.prepared<{ readonly companyId: CompanyId }>(
  ({ bind }) => `SELECT ${turnOf("companies", "id")} FROM companies WHERE id = ${bind(({ companyId }) => companyId)}`
)

/**
 * @category loads
 * @since 0.1.0
 */
export const company: Load<"company"> = {
  statement: loading(() => ({ columns: [], joins: "" })),
  turn: turnOfCompany,
  read: reading((_, company) => company)
}
