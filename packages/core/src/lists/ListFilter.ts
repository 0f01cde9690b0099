/**
 * What a list can be narrowed by: values of a field, or a span of days.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
import type { LocalDate } from "../time/LocalDate.ts"

/**
 * What every filter says of itself.
 *
 * @category models
 * @since 0.1.0
 */
interface Said {
  /**
   * One phrase without a full stop, for OpenAPI, the reference page and the CLI: "Statuses of a subscription". That of a
   * span follows "First" and "Last": "day of creation".
   */
  readonly description: string
  /** One of the values, as the query of a request writes it. */
  readonly example: string
  /** What a flag of a command line calls it, in small letters; made of the filter's name when absent. */
  readonly flag?: string
}

/**
 * The field has one of these values: `status=denied,captured`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ValuesFilter<out T> extends Said {
  readonly kind: "values"
  /** One value, text or a number; its identifier is the component of the OpenAPI document that it is shown as. */
  readonly value: Schema.ConstraintCodec<T, string | number>
}

/**
 * The field, a day, lies within these days: `payDayFrom=2026-01-01&payDayTo=2026-01-31`, the last one included.
 *
 * @category models
 * @since 0.1.0
 */
export interface DaysFilter extends Said {
  readonly kind: "days"
}

/**
 * The field, an instant, lies within these days of the company's zone: `createdAtFrom=2026-01-01`.
 *
 * @category models
 * @since 0.1.0
 */
export interface TimesFilter extends Said {
  readonly kind: "times"
}

/**
 * @category models
 * @since 0.1.0
 */
export type ListFilter = ValuesFilter<unknown> | DaysFilter | TimesFilter

/**
 * Days from the first to the last, both included; without an end where one is absent.
 *
 * @category models
 * @since 0.1.0
 */
export interface DaySpan {
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
}

/**
 * Instants in milliseconds since 1970, `from` included, `before` not; without an end where one is absent.
 *
 * @category models
 * @since 0.1.0
 */
export interface TimeSpan {
  readonly from?: number | undefined
  readonly before?: number | undefined
}

/**
 * What a filter is given to narrow a list.
 *
 * @category models
 * @since 0.1.0
 */
export type FilterValue<F extends ListFilter> =
  F extends ValuesFilter<infer T> ? ReadonlyArray<T> : F extends DaysFilter ? DaySpan : TimeSpan

/**
 * A filter by values of a field, each as `value` says: text or a number.
 *
 * @category constructors
 * @since 0.1.0
 */
export const values = <T>(value: Schema.ConstraintCodec<T, string | number>, said: Said): ValuesFilter<T> => ({
  kind: "values",
  value,
  ...said
})

/**
 * A filter by days of a field that is a day.
 *
 * @category constructors
 * @since 0.1.0
 */
export const days = (said: Said): DaysFilter => ({ kind: "days", ...said })

/**
 * A filter by days of a field that is an instant.
 *
 * @category constructors
 * @since 0.1.0
 */
export const times = (said: Said): TimesFilter => ({ kind: "times", ...said })
