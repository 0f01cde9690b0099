/**
 * The query of a request as what narrows a list and which page of it.
 *
 * @since 0.1.0
 */
import type * as DateTime from "effect/DateTime"
import { addDays, LocalDate } from "../time/LocalDate.ts"
import { startOfDay } from "../time/WallClock.ts"
import type { FilterOf, ListDefinition, PageOf, QueryOf } from "./ListDefinition.ts"
import type { DaySpan, ListFilter, TimeSpan } from "./ListFilter.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface ListSelection<D extends ListDefinition> {
  readonly filter: FilterOf<D>
  readonly page: PageOf<D>
}

/**
 * What queries of a list ask for; their days begin and end in `zone`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const selectionOf = <D extends ListDefinition>(
  definition: D
): ((query: QueryOf<D>, zone: DateTime.TimeZone) => ListSelection<D>) => {
  const filters = new Map(Object.entries(definition.filters).flatMap(([name, filter]) => parametersOf(name, filter)))
  return (query, zone) => {
    // The compiler cannot follow names that are put together; QueryOf has exactly these.
    const given = query as { readonly [parameter: string]: unknown }
    const filter: Record<string, unknown> = {}
    // Of the many filters a request has few.
    for (const parameter in given) {
      const found = filters.get(parameter)
      if (found === undefined || given[parameter] === undefined) continue
      const { from, kind, name, to } = found
      // As QueryOf types the two ends of a span.
      const span = { from: given[from], to: given[to] } as DaySpan
      filter[name] = kind === "values" ? given[name] : kind === "days" ? span : timesOf(span, zone)
    }
    return {
      // One filter for each name, of its kind.
      filter: filter as FilterOf<D>,
      // The query is typed by the same definition.
      page: { startAt: query.startAt, limit: query.limit, order: query.order ?? [] } as PageOf<D>
    }
  }
}

/** A filter by each parameter that a query gives it by; a span has one for either end. */
const parametersOf = (name: string, { kind }: ListFilter) => {
  const found = { name, kind, from: `${name}From`, to: `${name}To` }
  return (kind === "values" ? [name] : [found.from, found.to]).map((parameter) => [parameter, found] as const)
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
