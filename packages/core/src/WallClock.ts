/**
 * What a clock on the wall shows at an instant, and back. Apart from `LocalDateTime`, because finding a time zone
 * costs more than loading every entity.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import { LocalDate } from "./LocalDate.ts"
import { LocalDateTime } from "./LocalDateTime.ts"

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
