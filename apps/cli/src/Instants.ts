/**
 * Times of a company's clock as flags write them.
 *
 * @since 0.1.0
 */
import { LocalDate } from "@parcela/core/time/LocalDate"
import { startOfDay } from "@parcela/core/time/WallClock"
import { Schema } from "effect"
import { text } from "./Flags.ts"

const isDate = Schema.is(LocalDate)

/** A day begins at midnight in Brazil; any other time says its zone. What is neither is left to the request's check. */
export const instantOf = (text: string): string => (isDate(text) ? new Date(startOfDay(text)).toISOString() : text)

export const instant = (name: string, description: string) =>
  text(name, `${description}: a day (from midnight in Brazil) or 2027-03-01T10:00:00Z`, "time")
