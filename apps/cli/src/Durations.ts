/**
 * Durations in flags and arguments: `90s`, `30min`, `2h`, `10d`, `2 weeks`; with a calendar also `3mo` and `1y`. A
 * plain `m` is refused, because it could mean months or minutes.
 *
 * @since 0.1.0
 */
import { Duration, Effect } from "effect"
import { UsageError } from "./UsageError.ts"

/** Months have different lengths, so they are counted separately. */
type Span = { readonly duration: Duration.Duration } | { readonly months: number }

const units: ReadonlyArray<readonly [words: RegExp, of: (count: number) => Span]> = [
  [/^(s|secs?|seconds?)$/u, (count) => ({ duration: Duration.seconds(count) })],
  [/^(min|mins|minutes?)$/u, (count) => ({ duration: Duration.minutes(count) })],
  [/^(h|hrs?|hours?)$/u, (count) => ({ duration: Duration.hours(count) })],
  [/^(d|days?)$/u, (count) => ({ duration: Duration.days(count) })],
  [/^(w|weeks?)$/u, (count) => ({ duration: Duration.weeks(count) })],
  [/^(mo|mos|months?)$/u, (count) => ({ months: count })],
  [/^(y|yrs?|years?)$/u, (count) => ({ months: 12 * count })]
]

const spanOf = (name: string, text: string, examples: string): Effect.Effect<Span, UsageError> => {
  const [, count = "", unit = ""] = /^(\d{1,7})\s*([a-z]+)$/u.exec(text.trim().toLowerCase()) ?? []
  if (unit === "m") {
    return Effect.fail(
      new UsageError({
        problem: `${name} may be minutes or months: ${text}`,
        remedy: `Write ${count}min for minutes or ${count}mo for months`
      })
    )
  }
  const of = units.find(([words]) => words.test(unit))?.[1]
  return of === undefined
    ? Effect.fail(
        new UsageError({ problem: `${name} "${text}" is not a duration`, remedy: `It looks like ${examples}` })
      )
    : Effect.succeed(of(Number(count)))
}

/** Returns the duration of the flag `--name`. */
export const durationOf = Effect.fnUntraced(function* (name: string, text: string) {
  const span = yield* spanOf(name, text, "90s, 30min, 24h or 7d; 0s is none")
  if ("duration" in span) return span.duration
  return yield* new UsageError({
    problem: `${name} cannot be in months or years, which differ in length`,
    remedy: "Give it in days, such as 30d"
  })
})

/** Returns the span of an argument that allows months and years. */
export const calendarSpanOf = (name: string, text: string) => spanOf(name, text, "90s, 30min, 2h, 10d, 2w, 3mo or 1y")
