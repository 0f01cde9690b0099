/**
 * Conversion between instants and wall-clock times. Separate from `LocalDateTime`, because loading a time zone takes
 * longer than loading all entities.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import { dateTimeText } from "../internal/calendar.ts"
import type { LocalDate } from "./LocalDate.ts"
import type { LocalDateTime } from "./LocalDateTime.ts"

/**
 * A time zone that is loaded at its first use. The first formatter of a process takes 13 ms, which delays startup, and
 * which programs without times do not need.
 */
const lazyZone = (id: string): DateTime.TimeZone => {
  // Effect caches loaded zones.
  const load = () => DateTime.zoneMakeNamedUnsafe(id)
  // The proxy forwards every read to the loaded zone. Nothing writes to a zone.
  return new Proxy({} as DateTime.TimeZone, {
    get: (_, key) => Reflect.get(load(), key),
    has: (_, key) => Reflect.has(load(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(load())
  })
}

/**
 * The default zone: America/Sao_Paulo, `-03:00` without daylight saving time since 2019.
 *
 * @category zones
 * @since 0.1.0
 */
export const saoPaulo: DateTime.TimeZone = lazyZone("America/Sao_Paulo")

/** Cached values per zone and day. A server usually shows days of a few years. */
type Days = WeakMap<DateTime.TimeZone, Map<number | string, number>>
const maxCachedDays = 20_000

const store = (days: Days, zone: DateTime.TimeZone, day: number | string, value: number): number => {
  const ofZone = days.get(zone) ?? new Map<number | string, number>()
  if (ofZone.size >= maxCachedDays) ofZone.clear()
  ofZone.set(day, value)
  days.set(zone, ofZone)
  return value
}

const offsets: Days = new WeakMap()
const starts: Days = new WeakMap()

/** The offset of `zone` from UTC in seconds. */
const offsetOf = (epochSecond: number, zone: DateTime.TimeZone): number => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(
    DateTime.setZone(DateTime.makeUnsafe(epochSecond * 1_000), zone)
  )
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 - epochSecond
}

/** The offset, cached for days on which it does not change: computing it takes longer than the rest of a response. */
const cachedOffsetOf = (epochSecond: number, zone: DateTime.TimeZone): number => {
  const day = Math.floor(epochSecond / 86_400)
  const cached = offsets.get(zone)?.get(day)
  if (cached !== undefined) return cached
  const offset = offsetOf(epochSecond, zone)
  if (offsetOf(day * 86_400, zone) !== offset || offsetOf((day + 1) * 86_400 - 1, zone) !== offset) return offset
  return store(offsets, zone, day, offset)
}

/**
 * The wall-clock time in `zone` at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochMillis = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDateTime => {
  const epochSecond = Math.floor(epochMillis / 1_000)
  // `dateTimeText` returns only valid times. Checking each date took a tenth of the time of a list.
  return dateTimeText(epochSecond + cachedOffsetOf(epochSecond, zone)) as LocalDateTime
}

/**
 * The wall-clock date in `zone` at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dateAt = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDate =>
  // The first ten characters of a LocalDateTime are a LocalDate.
  fromEpochMillis(epochMillis, zone).slice(0, 10) as LocalDate

/**
 * The instant at which a day starts in `zone`: midnight, or the first moment after it if daylight saving time skips it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const startOfDay = (date: LocalDate, zone: DateTime.TimeZone = saoPaulo): number => {
  const options = { timeZone: zone, adjustForTimeZone: true, disambiguation: "later" } as const
  return (
    starts.get(zone)?.get(date) ??
    store(starts, zone, date, DateTime.toEpochMillis(DateTime.makeZonedUnsafe(`${date}T00:00:00`, options)))
  )
}

/**
 * The same day and time in a later month in `zone`, or the last day of the month if the day does not exist.
 *
 * @category conversions
 * @since 0.1.0
 */
export const monthsLater = (epochMillis: number, months: number, zone: DateTime.TimeZone = saoPaulo): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeZonedUnsafe(epochMillis, { timeZone: zone }), { months }))
