/**
 * Instants of the two clocks, and their conversion to wall-clock times. The service stores milliseconds since
 * 1970-01-01T00:00:00Z; users and the interface see a `LocalDateTime`.
 *
 * Business time is the time of a company: machine time plus the company's offset. Its entities, paydays and "today" use
 * business time. Timeouts, leases, tokens, signatures, deliveries and attempts use machine time.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as DateTime from "effect/DateTime"
import { type LocalDate, dateTimeText, type LocalDateTime } from "./LocalDate.ts"
import { memoize } from "../values/Memoize.ts"

// The interface can write the years 1000 to 9999. One day is excluded at both ends, so that an instant is within these
// years in every zone.
const minimum = Date.UTC(1000, 0, 2)
const maximum = Date.UTC(10_000, 0, 1) - 86_400_001

/**
 * A whole number of milliseconds whose year has four digits in every zone.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EpochMillis = Schema.Int.check(Schema.isBetween({ minimum, maximum })).pipe(Schema.brand("EpochMillis"))

/**
 * @category models
 * @since 0.1.0
 */
export type EpochMillis = typeof EpochMillis.Type

/**
 * The first valid instant.
 *
 * @category constants
 * @since 0.1.0
 */
export const earliest: EpochMillis = EpochMillis.make(minimum)

/**
 * The last valid instant.
 *
 * @category constants
 * @since 0.1.0
 */
export const latest: EpochMillis = EpochMillis.make(maximum)

/**
 * An instant on the machine's clock. It is not the business time of a company.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MachineTime = EpochMillis.pipe(Schema.brand("MachineTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type MachineTime = typeof MachineTime.Type

/**
 * An instant on a company's clock. {@link businessTimeOf} is the only conversion from machine time.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BusinessTime = EpochMillis.pipe(Schema.brand("BusinessTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type BusinessTime = typeof BusinessTime.Type

/**
 * The lead of a company's clock over the machine's clock, in whole milliseconds. It is never negative and never
 * decreases.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ClockOffset = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(Schema.brand("ClockOffset"))

/**
 * @category models
 * @since 0.1.0
 */
export type ClockOffset = typeof ClockOffset.Type

/**
 * The offset of a company whose clock was never advanced.
 *
 * @category constants
 * @since 0.1.0
 */
export const noOffset: ClockOffset = ClockOffset.make(0)

/**
 * Converts machine time to the business time of a company. The result is at most the last instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const businessTimeOf = (machine: MachineTime, offset: ClockOffset): BusinessTime =>
  // Both are whole numbers; the schema check is skipped because every command calls this.
  Math.min(machine + offset, latest) as BusinessTime

/**
 * The start of a day in `zone`. In some zones, the first and the last day of the calendar start outside the range of
 * instants. The result is then the first or last instant, so that payments of such a day fall due too.
 *
 * @category conversions
 * @since 0.1.0
 */
export const businessStartOf = (day: LocalDate, zone?: DateTime.TimeZone): BusinessTime =>
  // The result is a whole number within the range of instants.
  Math.min(Math.max(startOfDay(day, zone), earliest), latest) as BusinessTime

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

/** A server usually shows days of a few years. */
const maxCachedDays = 20_000

/** Computes a value once for each zone and day. */
const cachedByDay = <K, V>(compute: (day: K, zone: DateTime.TimeZone) => V) => {
  const zones = new WeakMap<DateTime.TimeZone, (day: K) => V>()
  return (day: K, zone: DateTime.TimeZone): V => {
    let ofZone = zones.get(zone)
    if (ofZone === undefined) zones.set(zone, (ofZone = memoize(maxCachedDays, (day) => compute(day, zone))))
    return ofZone(day)
  }
}

/** The offset of `zone` from UTC in seconds. */
const offsetOf = (epochSecond: number, zone: DateTime.TimeZone): number => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(
    DateTime.setZone(DateTime.makeUnsafe(epochSecond * 1_000), zone)
  )
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 - epochSecond
}

/**
 * The offset of a whole day in UTC; undefined if it changes on that day. Computing an offset takes longer than the rest of a response.
 */
const offsetOfDay = cachedByDay((day: number, zone) => {
  const offset = offsetOf(day * 86_400, zone)
  return offsetOf((day + 1) * 86_400 - 1, zone) === offset ? offset : undefined
})

/**
 * The wall-clock time in `zone` at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochMillis = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDateTime => {
  const epochSecond = Math.floor(epochMillis / 1_000)
  // `dateTimeText` returns only valid times. Checking each date took a tenth of the time of a list.
  return dateTimeText(
    epochSecond + (offsetOfDay(Math.floor(epochSecond / 86_400), zone) ?? offsetOf(epochSecond, zone))
  ) as LocalDateTime
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
export const startOfDay = (date: LocalDate, zone: DateTime.TimeZone = saoPaulo): number => startOf(date, zone)

const startOf = cachedByDay((date: LocalDate, zone) => {
  const options = { timeZone: zone, adjustForTimeZone: true, disambiguation: "later" } as const
  return DateTime.toEpochMillis(DateTime.makeZonedUnsafe(`${date}T00:00:00`, options))
})

/**
 * The same day and time in a later month in `zone`, or the last day of the month if the day does not exist.
 *
 * @category conversions
 * @since 0.1.0
 */
export const monthsLater = (epochMillis: number, months: number, zone: DateTime.TimeZone = saoPaulo): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.makeZonedUnsafe(epochMillis, { timeZone: zone }), { months }))
