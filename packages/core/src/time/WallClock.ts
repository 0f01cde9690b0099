/**
 * What a clock on the wall shows at an instant, and back. Apart from `LocalDateTime`, because finding a time zone
 * costs more than loading every entity.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import { dateTimeText } from "../internal/calendar.ts"
import type { LocalDate } from "./LocalDate.ts"
import type { LocalDateTime } from "./LocalDateTime.ts"

/**
 * A zone that is found when somebody looks into it: the first formatter of a process takes 13 ms, which a program that starts,
 * or that shows no times, need not wait for.
 */
const foundLate = (id: string): DateTime.TimeZone => {
  // Effect keeps the zones that it has found.
  const found = () => DateTime.zoneMakeNamedUnsafe(id)
  // A zone is read, and never written: what is asked of this one is asked of the one that is found.
  return new Proxy({} as DateTime.TimeZone, {
    get: (_, key) => Reflect.get(found(), key),
    has: (_, key) => Reflect.has(found(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(found())
  })
}

/**
 * The zone that zoneless times are in: America/Sao_Paulo, `-03:00` without summer time since 2019.
 *
 * @category zones
 * @since 0.1.0
 */
export const saoPaulo: DateTime.TimeZone = foundLate("America/Sao_Paulo")

/** What is known of days of each zone; a server shows some years of them. */
type Days = WeakMap<DateTime.TimeZone, Map<number | string, number>>
const mostDays = 20_000

const keep = (days: Days, zone: DateTime.TimeZone, day: number | string, value: number): number => {
  const ofZone = days.get(zone) ?? new Map<number | string, number>()
  if (ofZone.size >= mostDays) ofZone.clear()
  ofZone.set(day, value)
  days.set(zone, ofZone)
  return value
}

const offsets: Days = new WeakMap()
const starts: Days = new WeakMap()

/** Seconds that clocks in `zone` are ahead of Greenwich, by the zone's own rules. */
const offsetOf = (epochSecond: number, zone: DateTime.TimeZone): number => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(
    DateTime.setZone(DateTime.makeUnsafe(epochSecond * 1_000), zone)
  )
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 - epochSecond
}

/** The same, kept for days on which it does not change: asking a zone takes longer than all the rest of a response. */
const keptOffsetOf = (epochSecond: number, zone: DateTime.TimeZone): number => {
  const day = Math.floor(epochSecond / 86_400)
  const kept = offsets.get(zone)?.get(day)
  if (kept !== undefined) return kept
  const offset = offsetOf(epochSecond, zone)
  if (offsetOf(day * 86_400, zone) !== offset || offsetOf((day + 1) * 86_400 - 1, zone) !== offset) return offset
  return keep(offsets, zone, day, offset)
}

/**
 * What a clock on the wall in `zone` shows at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochMillis = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDateTime => {
  const epochSecond = Math.floor(epochMillis / 1_000)
  // `dateTimeText` writes no other: a check of each date was a tenth of a list.
  return dateTimeText(epochSecond + keptOffsetOf(epochSecond, zone)) as LocalDateTime
}

/**
 * The day that a wall clock in `zone` shows at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dateAt = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDate =>
  // The first part of a LocalDateTime is one.
  fromEpochMillis(epochMillis, zone).slice(0, 10) as LocalDate

/**
 * The instant at which a day begins in `zone`: midnight, or the first moment after it where summer time skips it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const startOfDay = (date: LocalDate, zone: DateTime.TimeZone = saoPaulo): number => {
  const options = { timeZone: zone, adjustForTimeZone: true, disambiguation: "later" } as const
  return (
    starts.get(zone)?.get(date) ??
    keep(starts, zone, date, DateTime.toEpochMillis(DateTime.makeZonedUnsafe(`${date}T00:00:00`, options)))
  )
}

/**
 * The same day and time of a later month in `zone`; the month's last day where it has no such day.
 *
 * @category conversions
 * @since 0.1.0
 */
export const monthsLater = (epochMillis: number, months: number, zone: DateTime.TimeZone = saoPaulo): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeZonedUnsafe(epochMillis, { timeZone: zone }), { months }))
