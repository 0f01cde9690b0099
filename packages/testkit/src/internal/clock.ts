/** The target of an advance, in the form of the control. */
import { LocalDate } from "@parcela/core/time/LocalDate"
import { monthsLater, startOfDay } from "@parcela/core/time/Instant"
import * as Schema from "effect/Schema"
import type { Advance } from "../Clock.ts"
import { invalid } from "./errors.ts"

/** Seconds of each unit that has a fixed length: Brazil has had no summer time since 2019. */
const secondsOf = { weeks: 604_800, days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const

const isDate = Schema.is(LocalDate)

/** Days of an advance that ends when nothing is due. */
const farthest = 365

const lengthOf = (by: Advance): { readonly months: number; readonly seconds: number } => {
  let seconds = 0
  // `Object.keys` returns `string[]`, so the cast gives the keys their type.
  for (const unit of Object.keys(secondsOf) as ReadonlyArray<keyof typeof secondsOf>) {
    seconds += (by[unit] ?? 0) * secondsOf[unit]
  }
  return { months: (by.years ?? 0) * 12 + (by.months ?? 0), seconds }
}

/** `now` returns the time of the company's clock. */
export const targetOf = async (by: Advance, now: () => Promise<string>) => {
  const { months, seconds } = lengthOf(by)
  const stop = by.untilNothingIsDue === true ? { stopWhenNothingIsDue: true } : {}
  if (by.to !== undefined) {
    if (months !== 0 || seconds !== 0)
      throw invalid("Advance.to", "excludes durations: give either a time or a duration")
    return { to: isDate(by.to) ? new Date(startOfDay(by.to)).toISOString() : by.to, ...stop }
  }
  if (months !== 0) {
    if (!Number.isInteger(months)) throw invalid("Advance.months", "must be a whole number")
    return { to: new Date(monthsLater(Date.parse(await now()), months) + seconds * 1_000).toISOString(), ...stop }
  }
  if (seconds !== 0) return { bySeconds: seconds, ...stop }
  if (by.untilNothingIsDue === true) return { bySeconds: farthest * secondsOf.days, ...stop }
  throw invalid("Advance", 'must say how far: { days: 30 }, { to: "2027-03-01" } or { untilNothingIsDue: true }')
}
