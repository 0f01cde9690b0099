/**
 * A wall-clock time without a zone: the interface's `datetime`, `YYYY-MM-DD HH:MM:SS`. It is Brazil time
 * (America/Sao_Paulo) unless the service is set otherwise, and not an instant until a zone is given.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { derivedText } from "./internal/derivedText.ts"
import { LocalDate } from "./LocalDate.ts"

const pattern = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

// 1000-01-01 00:00:00 to 9999-12-31 23:59:59. Chance would almost never write a time that exists, so times are drawn as
// seconds.
const anySecond = Schema.Int.check(Schema.isBetween({ minimum: -30_610_224_000, maximum: 253_402_300_799 }))

const toText = (epochSecond: number): string =>
  new Date(epochSecond * 1000).toISOString().slice(0, 19).replace("T", " ")

/**
 * @category schemas
 * @since 0.1.0
 */
export const LocalDateTime = derivedText({ pattern, seed: anySecond, derive: toText })
  .check(
    Schema.isPattern(pattern, { expected: "a time written YYYY-MM-DD HH:MM:SS" }).abort(),
    Schema.makeFilter((text: string) => Schema.is(LocalDate)(text.slice(0, 10)), {
      expected: "a day that exists in the calendar",
      toJsonSchema: () => [{}, true]
    })
  )
  .pipe(Schema.brand("LocalDateTime"))

/**
 * @category models
 * @since 0.1.0
 */
export type LocalDateTime = typeof LocalDateTime.Type

/**
 * The zone that zoneless times are in: America/Sao_Paulo, `-03:00` without summer time since 2019.
 *
 * @category zones
 * @since 0.1.0
 */
export const saoPaulo: DateTime.TimeZone = DateTime.zoneMakeNamedUnsafe("America/Sao_Paulo")

const pad = (value: number, width = 2): string => String(value).padStart(width, "0")

/**
 * What a clock on the wall in `zone` shows at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const fromEpochMillis = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDateTime => {
  const { day, hour, minute, month, second, year } = DateTime.toParts(
    DateTime.setZone(DateTime.makeUnsafe(epochMillis), zone)
  )
  return LocalDateTime.make(`${pad(year, 4)}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`)
}

/**
 * The day that a wall clock in `zone` shows at an instant.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dateAt = (epochMillis: number, zone: DateTime.TimeZone = saoPaulo): LocalDate =>
  LocalDate.make(fromEpochMillis(epochMillis, zone).slice(0, 10))

/**
 * The instant at which a day begins in `zone`: midnight, or the first moment after it where summer time skips it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const startOfDay = (date: LocalDate, zone: DateTime.TimeZone = saoPaulo): number =>
  DateTime.toEpochMillis(
    DateTime.makeZonedUnsafe(`${date}T00:00:00`, { timeZone: zone, adjustForTimeZone: true, disambiguation: "later" })
  )
