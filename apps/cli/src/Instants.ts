/**
 * Times of a company's clock in flags.
 *
 * @since 0.1.0
 */
import { LocalDate } from "@parcela/core/time/LocalDate"
import { startOfDay } from "@parcela/core/time/Instant"
import { Schema } from "effect"
import { text } from "./Flags.ts"

const isDate = Schema.is(LocalDate)

/**
 * Returns midnight in Brazil for a day; other text is returned unchanged and needs a zone. The request's validation
 * reports invalid text.
 */
export const instantOf = (text: string): string => (isDate(text) ? new Date(startOfDay(text)).toISOString() : text)

export const instant = (name: string, description: string) =>
  text(name, `${description}: a day (from midnight in Brazil) or 2027-03-01T10:00:00Z`, "time")
