/**
 * The loads of customers, plans, cards and the company. A customer, a plan and the company are their own roots; the root of a card is its
 * customer.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerStanding, CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { Guard } from "@parcela/engine/command/LoadedCompany"
import type { KeyName, KeyRow } from "@parcela/engine/command/IdempotencyKey"
import type {
  EntityArgs,
  EntityContext,
  NewEntityArgs,
  NewEntityContext,
  WithDocument
} from "@parcela/engine/command/Loads"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Result from "effect/Result"
import type { Dialect } from "../sql/Dialect.ts"
import type * as Statement from "../sql/Statement.ts"
import { customers, owed, owedFrom, standingOf } from "../tables/Customers.ts"
import { cards, type Entity, type EntityTable } from "../tables/Entities.ts"
import {
  decodeLoad,
  isRequested,
  join,
  type Load,
  loadStatement,
  lockCompany,
  lockRoots,
  stateOf,
  stateOfAlias,
  statesAsJson,
  statesOf
} from "./Load.ts"
import { cardColumns, cardJoins, cardsOf } from "./RequestedEntities.ts"

/** A load by the types of its arguments and its result. */
interface LoadOf<A extends { readonly companyId: CompanyId }, F> {
  readonly statement: (dialect: Dialect, args: A, key: KeyName | undefined) => Statement.Statement
  readonly lock: (args: A) => Statement.Statement
  readonly decode: (
    row: Statement.Row,
    args: A
  ) => Result.Result<{ readonly key: KeyRow | undefined; readonly found: F | undefined }, StoreError>
}

interface ByRef {
  readonly companyId: CompanyId
  readonly ref: EntityRef
}

const isRequestedEntity = (alias: string, template: Statement.Template<ByRef>): string =>
  isRequested(
    alias,
    template.of(({ ref }) => ref)
  )

/** The rows of the entity in the request, for `lockRoots`. */
const requestedRows = (table: string, alias: string, template: Statement.Template<ByRef>): string =>
  `${table} AS ${alias}
    WHERE company_id = ${template.bind(({ companyId }) => companyId)} AND ${isRequestedEntity(alias, template)}`

/** A further part of the load of an entity. */
interface Further<A, B> {
  readonly columns: ReadonlyArray<string>
  readonly joins: (template: Statement.Template<A>) => string
  readonly decode: (row: Statement.Row) => B
}

const nothingFurther: Further<unknown, unknown> = { columns: [], joins: () => "", decode: () => ({}) }

/**
 * The load of a new entity: the entity itself, if an earlier run has written it, and one with the same `myId`.
 *
 * @category loads
 * @since 0.1.0
 */
export const newEntity = <S extends Entity, A = unknown, B = unknown>(
  table: EntityTable<S>,
  // The types A and B are unknown if there is no further part.
  further: Further<A, B> = nothingFurther as Further<A, B>
): LoadOf<NewEntityArgs & A, NewEntityContext<S> & B> => ({
  statement: loadStatement((template) => ({
    columns: [...["written", "same"].map(stateOfAlias), ...further.columns],
    joins: [
      join(table.name, "written", `written.id = ${template.bind(({ id }) => id)}`),
      join(table.name, "same", `same.my_id = ${template.bind(({ myId }) => myId ?? null)}`),
      further.joins(template)
    ].join(" ")
  })),
  lock: lockCompany,
  decode: decodeLoad((row, company) => {
    const written = stateOf(table, "written", row)
    const same = stateOf(table, "same", row)
    return { ...company, written: written?.state, sameMyId: same?.state, ...further.decode(row) }
  })
})

/**
 * The load of an existing entity, and of one with its new `myId`.
 *
 * @category loads
 * @since 0.1.0
 */
export const entity = <S extends Entity, A = unknown, B = unknown>(
  table: EntityTable<S, Guard["table"]>,
  // As above.
  further: Further<A, B> = nothingFurther as Further<A, B>
): LoadOf<EntityArgs & A, EntityContext<S> & B> => ({
  statement: loadStatement((template) => ({
    columns: [...["entity", "same"].map(stateOfAlias), ...further.columns],
    joins: [
      join(table.name, "entity", isRequestedEntity("entity", template)),
      join(table.name, "same", `same.my_id = ${template.bind(({ myId }) => myId ?? null)}`),
      further.joins(template)
    ].join(" ")
  })),
  lock: lockRoots((template) => ({
    ids: { [table.name]: "id" },
    rows: requestedRows(table.name, "entity", template)
  })),
  decode: decodeLoad((row, company) => {
    const stored = stateOf(table, "entity", row)
    if (stored === undefined) return undefined
    const same = stateOf(table, "same", row)
    return {
      ...company,
      guard: { table: table.name, id: stored.state.id, version: stored.version },
      entity: stored.state,
      sameMyId: same?.state,
      ...further.decode(row)
    }
  })
})

/**
 * A customer with the document in the request.
 *
 * @category loads
 * @since 0.1.0
 */
export const sameDocument: Further<WithDocument, { readonly sameDocument: CustomerState | undefined }> = {
  columns: [stateOfAlias("same_document")],
  joins: ({ bind }) =>
    join("customers", "same_document", `same_document.document = ${bind(({ document }) => document ?? null)}`),
  decode: (row) => ({ sameDocument: stateOf(customers, "same_document", row)?.state })
}

/**
 * `sameDocument`, with the standing of the loaded customer.
 *
 * @category loads
 * @since 0.1.0
 */
export const sameDocumentAndStanding: Further<
  WithDocument,
  { readonly sameDocument: CustomerState | undefined; readonly standing: CustomerStanding }
> = {
  columns: [...sameDocument.columns, "entity.contracts", `${owedFrom("company.id", "entity.id")} AS owed_from`],
  joins: sameDocument.joins,
  decode: (row) => ({ ...sameDocument.decode(row), standing: Result.getOrThrow(standingOf(row)) })
}

/**
 * The customer of a new card, the cards that the request may name, and the customer's backup cards.
 *
 * @category loads
 * @since 0.1.0
 */
export const newCard: Load<"newCard"> = {
  statement: loadStatement((template) => {
    const card = template.of(({ card }) => card)
    const backups = `FROM cards
      WHERE cards.company_id = company.id AND cards.customer_id = customer.id AND is_backup = 1 ORDER BY id`
    return {
      columns: [
        ...cardColumns("customer.id", card),
        stateOfAlias("customer"),
        `${statesAsJson(template.dialect, backups)} AS backups`
      ],
      joins: `${cardJoins(card)} ${join("customers", "customer", isRequestedEntity("customer", template))}`
    }
  }),
  lock: lockRoots((template) => ({
    ids: { customers: "id" },
    rows: requestedRows("customers", "customer", template)
  })),
  decode: decodeLoad((row, company) => {
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

/** The card pays a live contract. */
const paysContract = (table: string): string => `EXISTS (
  SELECT 1 FROM ${table} WHERE ${table}.company_id = card.company_id AND ${table}.customer_id = card.customer_id
    AND ${table}.card_id = card.id AND ${table}.status IN ('active', 'waitingPayment', 'stopped')
)`

/** The card pays an owed payment, whichever card its contract has. */
const paysOwedPayment = `EXISTS (
  SELECT 1 FROM transactions AS payment WHERE payment.company_id = card.company_id
    AND payment.customer_id = card.customer_id AND payment.card_id = card.id AND ${owed("payment")}
)`

/**
 * A card, its customer, and whether it is in use.
 *
 * @category loads
 * @since 0.1.0
 */
export const card: Load<"card"> = {
  statement: loadStatement((template) => ({
    columns: [
      stateOfAlias("card"),
      stateOfAlias("customer"),
      `CASE WHEN ${paysContract("subscriptions")} OR ${paysContract("charges")} OR ${paysOwedPayment} THEN 1 ELSE 0 END AS is_in_use`
    ],
    joins: `
      ${join("cards", "card", isRequestedEntity("card", template))}
      ${join("customers", "customer", "customer.id = card.customer_id")}`
  })),
  lock: lockRoots((template) => ({
    ids: { customers: "customer_id" },
    rows: requestedRows("cards", "card", template)
  })),
  decode: decodeLoad((row, company) => {
    const stored = stateOf(cards, "card", row)
    const customer = stateOf(customers, "customer", row)
    if (stored === undefined || customer === undefined) return undefined
    return {
      ...company,
      guard: { table: "customers", id: customer.state.id, version: customer.version } as const,
      entity: stored.state,
      customer: customer.state,
      isInUse: Number(row["is_in_use"]) === 1
    }
  })
}

/**
 * @category loads
 * @since 0.1.0
 */
export const company: Load<"company"> = {
  statement: loadStatement(() => ({ columns: [], joins: "" })),
  lock: lockCompany,
  decode: decodeLoad((_, company) => company)
}
