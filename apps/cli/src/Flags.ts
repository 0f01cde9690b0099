/**
 * Flags and arguments of several commands: texts, amounts, days, times, durations and identifiers, and functions that leave
 * out absent flags.
 *
 * @since 0.1.0
 */
import { Option, Schema, Duration, Effect } from "effect"
import { Flag, Argument } from "effect/cli"
import { amount } from "./Entities.ts"
import type { Ref } from "@parcela/transport/client/RequestEncoder"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { startOfDay } from "@parcela/core/time/Instant"
import { UsageError } from "./GlobalFlags.ts"

export const text = (name: string, description: string, metavar = "text") =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withMetavar(metavar), Flag.optional)

export const day = (name: string, description: string) => text(name, description, "YYYY-MM-DD")

export const many = (name: string, description: string, metavar: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}; may be repeated`),
    Flag.withMetavar(metavar),
    Flag.atLeast(0)
  )

export const idempotencyKey = text(
  "idempotency-key",
  "Idempotency key of this write: repeated with the same key it is done at most once",
  "key"
)

/** Returns digits as a number, and other text as NaN, which the request's validation reports. */
export const digits = (text: string): number => (/^\d+$/u.test(text) ? Number(text) : Number.NaN)

/** A flag for an amount in cents. `5.00` is refused, because as a number it would be 5 cents. */
export const cents = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filterMap(
      (text) => Option.filter(Option.some(digits(text)), Number.isSafeInteger),
      (text) => {
        const [, reais = "5", places = "00"] = /^(\d{1,9})[.,](\d\d)$/u.exec(text) ?? []
        return `Expected cents, without a comma or point: ${amount(Number(reais + places))} is ${Number(reais + places)}`
      }
    ),
    Flag.withDescription(description),
    Flag.withMetavar("cents"),
    Flag.optional
  )

export const by = Flag.Literals("by", ["myId", "svcPayId", "galaxPayId"]).pipe(
  Flag.withDescription("Kind of the identifier: yours (myId) or the service's (svcPayId, also named galaxPayId)"),
  Flag.withDefault("myId")
)

export const page = {
  startAt: Flag.Int("start-at").pipe(Flag.withDescription("Number of rows to skip"), Flag.withDefault(0)),
  limit: Flag.Int("limit").pipe(Flag.withDescription("Maximum number of rows, 1 to 100"), Flag.withDefault(20)),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("All rows from --start-at on, page by page"),
    Flag.withDefault(false)
  ),
  order: many("order", "Order, such as createdAt.desc", "field.asc|desc")
}

/** Returns an object with the key, or an empty object for a missing value. */
export const key = <K extends string, A>(name: K, value: Option.Option<A>): { readonly [P in K]?: A } =>
  // TypeScript types a computed key as `string`.
  (Option.isSome(value) ? { [name]: value.value } : {}) as { readonly [P in K]?: A }

/** Returns an object with the key, or an empty object if there are no values. */
export const keys = <K extends string, A>(
  name: K,
  values: ReadonlyArray<A>
): { readonly [P in K]?: ReadonlyArray<A> } =>
  // TypeScript types a computed key as `string`.
  (values.length === 0 ? {} : { [name]: values }) as { readonly [P in K]?: ReadonlyArray<A> }

/** Returns the values of a repeated or comma-separated flag. */
export const split = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.flatMap((value) => value.split(",")).filter((value) => value !== "")

/** Splits `field.asc` into its two parts. The request's validation reports invalid parts. */
export const orders = (values: ReadonlyArray<string>) =>
  split(values).map((value) => {
    const [field, direction = "asc"] = value.split(".")
    return { field, direction }
  })

/** Returns identifiers of the service as numbers. */
export const numbers = (values: ReadonlyArray<string>): ReadonlyArray<number> => split(values).map(digits)

/** Returns the identifier. The client's validation reports an invalid number. */
export const refOf = (typeId: "myId" | "svcPayId" | "galaxPayId", id: string): Ref =>
  typeId === "myId" ? { typeId, id } : { typeId: "svcPayId", id: /^\d+$/u.test(id) ? Number(id) : Number.NaN }

/** The argument that identifies an entity. */
export const argument = (entity: string) =>
  Argument.String(entity).pipe(Argument.withDescription(`Identifier of the ${entity}`))

/** The flags of a write on an existing entity. */
export const ofEntity = { by, idempotencyKey }

const isDate = Schema.is(LocalDate)

/**
 * Returns midnight in Brazil for a day; other text is returned unchanged and needs a zone. The request's validation
 * reports invalid text.
 */
export const instantOf = (text: string): string => (isDate(text) ? new Date(startOfDay(text)).toISOString() : text)

export const instant = (name: string, description: string) =>
  text(name, `${description}: a day (from midnight in Brazil) or 2027-03-01T10:00:00Z`, "time")

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
    remedy: "Use days, such as 30d"
  })
})

/** Returns the span of an argument that allows months and years. */
export const calendarSpanOf = (name: string, text: string) => spanOf(name, text, "90s, 30min, 2h, 10d, 2w, 3mo or 1y")
