/**
 * Filters of a list: by values of a field, or by a span of days.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type { LocalDate } from "../time/LocalDate.ts"

/**
 * Documentation of a filter.
 *
 * @category models
 * @since 0.1.0
 */
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
