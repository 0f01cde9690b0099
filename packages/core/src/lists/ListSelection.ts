/**
 * The query of a request as what narrows a list and which page of it.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import { addDays, LocalDate } from "../time/LocalDate.ts"
import { startOfDay } from "../time/WallClock.ts"
import type { FilterOf, ListDefinition, PageOf, QueryOf } from "./ListDefinition.ts"
import type { DaySpan, TimeSpan } from "./ListFilter.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface ListSelection<D extends ListDefinition> {
  readonly filter: FilterOf<D>
  readonly page: PageOf<D>
}

/**
 * What a query asks for; its days begin and end in `zone`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const selectionOf = <D extends ListDefinition>(
  definition: D,
  query: QueryOf<D>,
  zone: DateTime.TimeZone
): ListSelection<D> => {
  // The compiler cannot follow names that are put together; QueryOf has exactly these.
  const given = query as { readonly [parameter: string]: unknown }
  const filter: Record<string, unknown> = {}
  // Of the many filters a request has few.
  for (const name in definition.filters) {
    // It is one of them.
    const { kind } = definition.filters[name]!
    if (kind === "values") {
      if (given[name] !== undefined) filter[name] = given[name]
      continue
    }
    // As QueryOf types the two ends of a span.
    const span = { from: given[`${name}From`], to: given[`${name}To`] } as DaySpan
    if (span.from !== undefined || span.to !== undefined) filter[name] = kind === "days" ? span : timesOf(span, zone)
  }
  return {
    // One filter for each name, of its kind.
    filter: filter as FilterOf<D>,
    // The query is typed by the same definition.
    page: { startAt: query.startAt, limit: query.limit, order: query.order ?? [] } as PageOf<D>
  }
}

/** The last day that can be written, which is how some say "no end". No day follows it. */
const lastDay = LocalDate.make("9999-12-31")

/**
 * The instants from the start of one day to the end of another, in a zone.
 *
 * @category conversions
 * @since 0.1.0
 */
export const timesOf = ({ from, to }: DaySpan, zone: DateTime.TimeZone): TimeSpan => ({
  from: from === undefined ? undefined : startOfDay(from, zone),
  before: to === undefined || to === lastDay ? undefined : startOfDay(addDays(to, 1), zone)
})
