/**
 * The definition of a list: its filters and orders. From it are derived the query of a request, the OpenAPI parameters,
 * the filter type of the engine, the SQL, the client's types and the CLI flags.
 *
 * @since 0.1.0
 */
import type { FilterValue, ListFilter, ValuesFilter } from "./ListFilter.ts"
import type { LocalDate } from "../time/LocalDate.ts"

/**
 * Filters by name. A values filter is a query parameter of that name; a span has `nameFrom` and `nameTo`.
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
  /** The last segment of the path, which is also the table name: `transactions`. */
  readonly name: string
  /** The entity name in validation errors: `Transaction`. */
  readonly entity: string
  /**
   * The filters. Without a requested order, a list is ordered by the first span in this definition that the query uses.
   */
  readonly filters: F
  /** Fields by which the list can be ordered, in either direction. */
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
 * Maximum number of entities on a page, and of values in a filter.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxItems = 100

/**
 * Maximum number of entities to skip: the largest `int 11`, so that a client can read pages until one is empty.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxStartAt = 99_999_999_999

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
 * The fields by which a list can be ordered.
 *
 * @category models
 * @since 0.1.0
 */
export type OrderOf<D extends ListDefinition> = D extends ListDefinition<Filters, infer Order> ? Order : never

/**
 * The filter values of a list. An absent filter matches everything; an empty list of values matches nothing.
 *
 * @category models
 * @since 0.1.0
 */
export type FilterOf<D extends ListDefinition> = {
  readonly [Name in keyof D["filters"]]?: FilterValue<D["filters"][Name]> | undefined
}

/**
 * The requested part of a list, and its order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page<out Order extends string = string> {
  /** Number of entities to skip, from 0. */
  readonly startAt: number
  /** Maximum number of entities, 1 to 100. */
  readonly limit: number
  /**
   * Most significant term first. Equal entities are ordered by identifier. If empty, the list is ordered by the first
   * span in use, otherwise by identifier.
   */
  readonly order: ReadonlyArray<OrderTerm<Order>>
}

/**
 * The page type of a definition.
 *
 * @category models
 * @since 0.1.0
 */
export type PageOf<D extends ListDefinition> = Page<OrderOf<D>>

/**
 * The decoded query of a request.
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
