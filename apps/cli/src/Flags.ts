/**
 * Flags that several commands take, and how a flag that is absent becomes a key that is absent.
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

/** Digits as the number that they are; anything else as NaN, which the request's check reports. */
export const digits = (text: string): number => (/^\d+$/u.test(text) ? Number(text) : Number.NaN)

/** An amount of money. `5.00` is none: as a number it would be 5 cents. */
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

/** The key with its value, or no key. */
export const key = <K extends string, A>(name: K, value: Option.Option<A>): { readonly [P in K]?: A } =>
  // A computed key has the type of any text.
  (Option.isSome(value) ? { [name]: value.value } : {}) as { readonly [P in K]?: A }

/** The key with its values, or no key when there are none. */
export const keys = <K extends string, A>(
  name: K,
  values: ReadonlyArray<A>
): { readonly [P in K]?: ReadonlyArray<A> } =>
  // A computed key has the type of any text.
  (values.length === 0 ? {} : { [name]: values }) as { readonly [P in K]?: ReadonlyArray<A> }

/** Values given by repeating a flag or joined by commas. */
export const split = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.flatMap((value) => value.split(",")).filter((value) => value !== "")

/** `field.asc` as its two parts; what is neither is left for the request's check to report. */
export const orders = (values: ReadonlyArray<string>) =>
  split(values).map((value) => {
    const [field, direction = "asc"] = value.split(".")
    return { field, direction }
  })

/** Identifiers of the service. */
export const numbers = (values: ReadonlyArray<string>): ReadonlyArray<number> => split(values).map(digits)
