/**
 * Conversion of a list query to a filter and a page.
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
 * Returns a function that converts queries of a list. Days of a query are days in `zone`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const selectionOf = <D extends ListDefinition>(
  definition: D
): ((query: QueryOf<D>, zone: DateTime.TimeZone) => ListSelection<D>) => {
  const filters = new Map(Object.entries(definition.filters).flatMap(([name, filter]) => parametersOf(name, filter)))
  return (query, zone) => {
    // The compiler cannot follow computed names; QueryOf has exactly these keys.
    const parameters = query as { readonly [parameter: string]: unknown }
    const filter: Record<string, unknown> = {}
    // Iterating over the query is faster than over all filters, because a query uses few of them.
    for (const parameter in parameters) {
      const field = filters.get(parameter)
      if (field === undefined || parameters[parameter] === undefined) continue
      const { from, kind, name, to } = field
      // QueryOf defines both ends of a span with this type.
      const span = { from: parameters[from], to: parameters[to] } as DaySpan
      filter[name] = kind === "values" ? parameters[name] : kind === "days" ? span : timesOf(span, zone)
    }
    return {
      // The loop sets each filter by its name and kind.
      filter: filter as FilterOf<D>,
      // The definition also types the query.
      page: { startAt: query.startAt, limit: query.limit, order: query.order ?? [] } as PageOf<D>
    }
  }
}

/** Maps each query parameter of a filter to the filter. A span has two parameters. */
const parametersOf = (name: string, { kind }: ListFilter) => {
  const field = { name, kind, from: `${name}From`, to: `${name}To` }
  return (kind === "values" ? [name] : [field.from, field.to]).map((parameter) => [parameter, field] as const)
}

/** The last representable day, which some clients send to mean "no end". It has no following day. */
const lastDay = LocalDate.make("9999-12-31")

/**
 * The instants from the start of the first day to the end of the last day in a zone.
 *
 * @category conversions
 * @since 0.1.0
 */
export const timesOf = ({ from, to }: DaySpan, zone: DateTime.TimeZone): TimeSpan => ({
  from: from === undefined ? undefined : startOfDay(from, zone),
  before: to === undefined || to === lastDay ? undefined : startOfDay(addDays(to, 1), zone)
})
