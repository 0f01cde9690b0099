/**
 * Durations as flags and arguments write them: `90s`, `30m`, `2h`, `30d`; where a calendar is at hand also `2mo`.
 *
 * @since 0.1.0
 */
import { Duration, Effect } from "effect"
import { UsageError } from "./UsageError.ts"

const units: Readonly<Record<string, Duration.Duration>> = {
  s: Duration.seconds(1),
  m: Duration.minutes(1),
  h: Duration.hours(1),
  d: Duration.days(1)
}

/** The duration that `--name` or an argument writes. */
export const durationOf = (name: string, text: string): Effect.Effect<Duration.Duration, UsageError> => {
  const [, count, letter = ""] = /^(\d{1,7})([smhd])$/u.exec(text) ?? []
  const unit = units[letter]
  return unit === undefined
    ? Effect.fail(
        new UsageError({ problem: `${name} is no duration`, remedy: "It looks like 90s, 30m, 24h or 7d; 0s is none" })
      )
    : Effect.succeed(Duration.times(unit, Number(count)))
}

/** How many months `2mo` writes; undefined for what is no such text. */
export const monthsOf = (text: string): number | undefined => {
  const [, count] = /^(\d{1,3})mo$/u.exec(text) ?? []
  return count === undefined ? undefined : Number(count)
}
