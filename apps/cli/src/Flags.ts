/**
 * Flags of several commands, and functions that leave out absent flags.
 *
 * @since 0.1.0
 */
import { Option } from "effect"
import { Flag } from "effect/cli"
import { amount } from "./Entities.ts"

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
  "Name of this write: run again with the same key, it is done at most once",
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
  Flag.withDescription(
    "Which identifier is given: yours (myId) or the service's own (svcPayId; galaxPayId is its other name)"
  ),
  Flag.withDefault("myId")
)

export const page = {
  startAt: Flag.Int("start-at").pipe(Flag.withDescription("Number of rows to skip"), Flag.withDefault(0)),
  limit: Flag.Int("limit").pipe(Flag.withDescription("How many at most, 1 to 100"), Flag.withDefault(20)),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("All that there are from --start-at on, page after page"),
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
