/**
 * The definition of a list: its filters and orders. From it are derived the query of a request, the OpenAPI parameters,
 * the filter type of the engine, the SQL, the client's types and the CLI flags.
 *
 * @since 0.1.0
 */
import type { LocalDate } from "../time/LocalDate.ts"
import type * as Schema from "effect/Schema"

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
 * Maximum number of entities on a page under another naming profile, whose clients request up to 500.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxItemsOfOtherNaming = 500

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
  /** Maximum number of entities, 1 to 100; up to 500 under another naming profile. */
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

/** Documentation of a filter. */
interface Documentation {
  /**
   * A phrase without a full stop for OpenAPI, the reference page and the CLI: "Statuses of a subscription". For a span
   * it follows "First" or "Last": "day of creation".
   */
  readonly description: string
  /** An example value as it is written in a query. */
  readonly example: string
  /** The name of the CLI flag, in lower case. Derived from the filter's name if absent. */
  readonly flag?: string
}

/**
 * Matches entities whose field has one of these values: `status=denied,captured`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ValuesFilter<out T> extends Documentation {
  readonly kind: "values"
  /** The schema of one value, a text or a number. Its identifier names the OpenAPI component. */
  readonly value: Schema.ConstraintCodec<T, string | number>
}

/**
 * Matches entities whose field, a day, is in a span of days: `payDayFrom=2026-01-01&payDayTo=2026-01-31`. Both days are
 * included.
 *
 * @category models
 * @since 0.1.0
 */
export interface DaysFilter extends Documentation {
  readonly kind: "days"
}

/**
 * Matches entities whose field, an instant, is in a span of days in the company's zone: `createdAtFrom=2026-01-01`.
 *
 * @category models
 * @since 0.1.0
 */
export interface TimesFilter extends Documentation {
  readonly kind: "times"
}

/**
 * @category models
 * @since 0.1.0
 */
export type ListFilter = ValuesFilter<unknown> | DaysFilter | TimesFilter

/**
 * A span of days, both included. An absent end is open.
 *
 * @category models
 * @since 0.1.0
 */
export interface DaySpan {
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
}

/**
 * A span of instants in milliseconds since 1970, `from` included and `before` excluded. An absent end is open.
 *
 * @category models
 * @since 0.1.0
 */
export interface TimeSpan {
  readonly from?: number | undefined
  readonly before?: number | undefined
}

/**
 * The value of a filter.
 *
 * @category models
 * @since 0.1.0
 */
export type FilterValue<F extends ListFilter> =
  F extends ValuesFilter<infer T> ? ReadonlyArray<T> : F extends DaysFilter ? DaySpan : TimeSpan

/**
 * Creates a filter by values of a field. `value` is the schema of one value.
 *
 * @category constructors
 * @since 0.1.0
 */
export const values = <T>(
  value: Schema.ConstraintCodec<T, string | number>,
  documentation: Documentation
): ValuesFilter<T> => ({
  kind: "values",
  value,
  ...documentation
})

/**
 * Creates a filter by days for a field that is a day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const days = (documentation: Documentation): DaysFilter => ({ kind: "days", ...documentation })

/**
 * Creates a filter by days for a field that is an instant.
 *
 * @category constructors
 * @since 0.1.0
 */
export const times = (documentation: Documentation): TimesFilter => ({ kind: "times", ...documentation })
