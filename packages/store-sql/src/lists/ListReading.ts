/**
 * A page of a list that is to be read, and what its indexes do for it.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Writing } from "../commands/Statement.ts"
import { type Column, id, type WriteColumn } from "./ListColumns.ts"
import type { Narrowing } from "./Narrowing.ts"

/**
 * A page of a company's list.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reading {
  readonly writing: Writing
  readonly table: string
  readonly companyId: CompanyId
  readonly narrowings: ReadonlyArray<Narrowing>
  /** Without the identifier. */
  readonly terms: ReadonlyArray<Term>
  readonly startAt: number
  readonly limit: number
}

/**
 * One column of an order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Term {
  readonly column: Column
  readonly direction: "asc" | "desc"
}

/**
 * A column as it is.
 *
 * @category columns
 * @since 0.1.0
 */
export const plain: WriteColumn = ({ name }) => name

/**
 * Whether the index of a filter has its rows in the order of the list, so that nothing is sorted and the reading stops
 * at the end of the page. Of an order by several fields the first one decides: rows that are equal in it are sorted, a day's
 * at a time.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isServed = (narrowing: Narrowing, terms: ReadonlyArray<Term>): boolean => {
  const { sortedBy } = narrowing
  if (sortedBy === "id" || sortedBy === undefined) return sortedBy === "id" && terms.length === 0
  return terms[0]?.column.name === sortedBy.name
}

/**
 * The filter whose index has the rows in the order of the list, if there is one.
 *
 * @category getters
 * @since 0.1.0
 */
export const servedOf = ({ narrowings, terms }: Reading): Narrowing | undefined =>
  narrowings.find((narrowing) => isServed(narrowing, terms))

/**
 * The identifier comes last in the direction of the last term, so that rows with equal fields keep one order, no page
 * repeats or skips one, and an index read forwards or backwards has them so.
 *
 * @category conversions
 * @since 0.1.0
 */
export const orderOf = ({ terms }: Pick<Reading, "terms">, write: WriteColumn): string =>
  [...terms, { column: id, direction: terms.at(-1)?.direction ?? "asc" }]
    .map(({ column, direction }) => `${write(column)} ${direction === "desc" ? "DESC" : "ASC"}`)
    .join(", ")
