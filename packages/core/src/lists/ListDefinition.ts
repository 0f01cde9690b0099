/**
 * A list: what it can be narrowed and ordered by. The query of a request, its OpenAPI parameters, the type that narrows
 * it in the engine, the SQL, the client's types and the flags of the CLI are derived from this one value.
 *
 * @since 0.1.0
 */
import type { FilterValue, ListFilter, ValuesFilter } from "./ListFilter.ts"
import type { LocalDate } from "../time/LocalDate.ts"

/**
 * Filters by name. The query calls a filter by values by its name, and the ends of a span `nameFrom` and `nameTo`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Filters {
  readonly [name: string]: ListFilter
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ListDefinition<out F extends Filters = Filters, out Order extends string = string> {
  /** The last word of its path and the name of its table: `transactions`. */
  readonly name: string
  /** What is listed, as faults name it: `Transaction`. */
  readonly entity: string
  /** Of several spans that narrow it, the first one here gives a list its order where none is asked for. */
  readonly filters: F
  /** The fields that it can be ordered by, in either direction. */
  readonly orders: ReadonlyArray<Order>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = <const F extends Filters, const Order extends string>(
  definition: ListDefinition<F, Order>
): ListDefinition<F, Order> => definition

/**
 * As many entities as one page holds, and as many values as a filter takes.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximumItems = 100

/**
 * As many entities as may be skipped: the largest `int 11`, so that a client may go on until a page is empty.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximumStartAt = 99_999_999_999

/**
 * One term of an order: `payday.desc`.
 *
 * @category models
 * @since 0.1.0
 */
export interface OrderTerm<out Order extends string = string> {
  readonly field: Order
  readonly direction: "asc" | "desc"
}

/**
 * The fields that a list can be ordered by.
 *
 * @category models
 * @since 0.1.0
 */
export type OrderOf<D extends ListDefinition> = D extends ListDefinition<Filters, infer Order> ? Order : never

/**
 * Which entities of a list are wanted; what is absent does not narrow, and no values at all match nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type FilterOf<D extends ListDefinition> = {
  readonly [Name in keyof D["filters"]]?: FilterValue<D["filters"][Name]> | undefined
}

/**
 * Which part of a list is wanted, and in which order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page<out Order extends string = string> {
  /** How many to pass over, from 0. */
  readonly startAt: number
  /** How many at most, 1 to 100. */
  readonly limit: number
  /** Most significant first; ties are broken by identifier. Empty means by a span that narrows, else by identifier. */
  readonly order: ReadonlyArray<OrderTerm<Order>>
}

/**
 * The page of a definition's list.
 *
 * @category models
 * @since 0.1.0
 */
export type PageOf<D extends ListDefinition> = Page<OrderOf<D>>

/**
 * The query of a request for a page, decoded.
 *
 * @category models
 * @since 0.1.0
 */
export type QueryOf<D extends ListDefinition> = {
  readonly startAt: number
  readonly limit: number
  readonly order?: ReadonlyArray<OrderTerm<OrderOf<D>>>
} & {
  readonly [
    Name in keyof D["filters"] & string as D["filters"][Name] extends ValuesFilter<unknown>
      ? Name
      : `${Name}From` | `${Name}To`
  ]?: D["filters"][Name] extends ValuesFilter<infer T> ? ReadonlyArray<T> : LocalDate
}
