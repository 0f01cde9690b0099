/**
 * The query of a list as the engine's filters.
 *
 * @since 0.1.0
 */
import { addDays, type LocalDate } from "@parcela/core/time/LocalDate"
import { startOfDay } from "@parcela/core/time/WallClock"
import type { Page, Span } from "@parcela/engine/queries/Page"
import type * as DateTime from "effect/DateTime"

/** The last day that can be written, which is how some say "no end". No day follows it. */
const lastDay = "9999-12-31"

/**
 * The instants from the start of one day to the end of another, in a zone.
 *
 * @category conversions
 * @since 0.1.0
 */
export const spanOf = (from: LocalDate | undefined, to: LocalDate | undefined, zone: DateTime.TimeZone): Span => ({
  from: from === undefined ? undefined : startOfDay(from, zone),
  before: to === undefined || to === lastDay ? undefined : startOfDay(addDays(to, 1), zone)
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const pageOf = <Field extends string>(query: {
  readonly startAt: number
  readonly limit: number
  readonly order?: Page<Field>["order"]
}): Page<Field> => ({ startAt: query.startAt, limit: query.limit, order: query.order ?? [] })
