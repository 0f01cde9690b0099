/**
 * Money: an exact, whole number of cents of the real (BRL).
 *
 * An operation that can leave the range or round shows this in its name or its result type. No operation overflows or
 * loses a cent.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Percentage from "./Percentage.ts"
import { wholeNumber } from "../values/Text.ts"

/**
 * The largest amount: `int 11`.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximum = 99_999_999_999

/**
 * The description of an amount. It also identifies the schemas of amounts.
 *
 * @category constants
 * @since 0.1.0
 */
export const amountInCents = "an amount in cents: a whole number from 0 to 99999999999"

/**
 * An amount in cents, from 0 to 99,999,999,999 (`int 11`, interface section 2.4).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Cents = wholeNumber(0, maximum, amountInCents).pipe(Schema.brand("Cents"))

/**
 * @category models
 * @since 0.1.0
 */
export type Cents = typeof Cents.Type

/**
 * Rounding of a fraction of a cent: `down` drops the fraction, `halfUp` rounds half a cent or more up.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Rounding = Schema.Literals(["down", "halfUp"])

/**
 * @category models
 * @since 0.1.0
 */
export type Rounding = typeof Rounding.Type

/**
 * The result is below zero or above the largest amount.
 *
 * @category errors
 * @since 0.1.0
 */
export class CentsOutOfRange extends Schema.TaggedError<CentsOutOfRange>()("CentsOutOfRange", {
  operation: Schema.Literals(["add", "subtract", "sum", "proportion"]),
  limit: Schema.Literals(["minimum", "maximum"])
}) {
  override get message() {
    return this.limit === "minimum"
      ? `The amount (${this.operation}) would be below ${format(zero)}`
      : `The amount (${this.operation}) would be above ${format(Cents.make(maximum))}`
  }
}

/**
 * The parameters of `split` are invalid.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidSplit extends Schema.TaggedError<InvalidSplit>()("InvalidSplit", {
  problem: Schema.String
}) {
  override get message() {
    return `The amount cannot be split: ${this.problem}`
  }
}

/**
 * Zero cents.
 *
 * @category constants
 * @since 0.1.0
 */
export const zero: Cents = Cents.make(0)

/**
 * `a + b`.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const add = (a: Cents, b: Cents): Result.Result<Cents, CentsOutOfRange> => inRange("add", a + b)

/**
 * `a - b`; fails if `b` is larger.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const subtract = (a: Cents, b: Cents): Result.Result<Cents, CentsOutOfRange> => inRange("subtract", a - b)

/**
 * The sum of all amounts; zero for an empty list.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const sum = (amounts: Iterable<Cents>): Result.Result<Cents, CentsOutOfRange> => {
  let total = 0
  for (const amount of amounts) {
    total += amount
    // Amounts are never negative, so the sum cannot become smaller. Stopping here keeps it an exact number.
    if (total > maximum) break
  }
  return inRange("sum", total)
}

/**
 * `value * numerator / denominator`, rounded once, at the end. The numerator must not be negative; the denominator must
 * be positive.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const proportion = (
  value: Cents,
  numerator: bigint,
  denominator: bigint,
  rounding: Rounding
): Result.Result<Cents, CentsOutOfRange> => {
  const product = BigInt(value) * numerator
  const quotient = rounding === "down" ? product / denominator : (2n * product + denominator) / (2n * denominator)
  return inRange("proportion", quotient > BigInt(maximum) ? Infinity : Number(quotient))
}

/**
 * `percent` of an amount. The result can exceed the amount, because a percentage can exceed 100 %.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const percentage = (
  value: Cents,
  percent: Percentage.Percentage,
  rounding: Rounding
): Result.Result<Cents, CentsOutOfRange> => proportion(value, BigInt(percent), BigInt(Percentage.whole), rounding)

/**
 * Splits `total` into 1 to 10,000 equal parts, or into one part per weight. The parts always add up to `total`.
 *
 * **Details**
 *
 * Each part first gets its exact share, rounded down. The remaining cents go, one each, to the parts with the largest
 * dropped fractions, and to earlier parts first if fractions are equal. R$ 10,00 in 3 parts is 3,34 + 3,33 + 3,33.
 * Parts of equal weight differ by at most a cent; a part with weight 0 gets nothing.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const split = (
  total: Cents,
  parts: number | ReadonlyArray<number>
): Result.Result<ReadonlyArray<Cents>, InvalidSplit> => {
  const count = typeof parts === "number" ? parts : parts.length
  if (!Number.isInteger(count) || count < 1 || count > maxParts) {
    return Result.fail(new InvalidSplit({ problem: `the number of parts must be from 1 to ${maxParts}` }))
  }
  const weights = typeof parts === "number" ? new Array<number>(parts).fill(1) : parts
  if (!weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0)) {
    return Result.fail(new InvalidSplit({ problem: "a weight must be a whole number, 0 or more" }))
  }
  const weight = weights.reduce((sum, right) => sum + BigInt(right), 0n)
  if (weight === 0n) return Result.fail(new InvalidSplit({ problem: "one weight at least must be above 0" }))

  const shares = weights.map((own) => {
    const exact = BigInt(total) * BigInt(own)
    return { cents: Number(exact / weight), lost: exact % weight }
  })
  const remainder = total - shares.reduce((sum, { cents }) => sum + cents, 0)
  // The sort is stable, so equal fractions keep the order of the parts.
  const byLoss = [...shares].sort((a, b) => (a.lost === b.lost ? 0 : a.lost > b.lost ? -1 : 1))
  for (const share of byLoss.slice(0, remainder)) share.cents += 1
  return Result.succeed(shares.map(({ cents }) => Cents.make(cents)))
}

/**
 * Formats an amount for users in Brazil: 123456 is `R$ 1.234,56`, with an ordinary space.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (value: Cents): string => {
  const reais = String(Math.floor(value / 100)).replace(/\B(?=(\d{3})+$)/g, ".")
  return `R$ ${reais},${String(value % 100).padStart(2, "0")}`
}

// Far above any instalment plan. The limit protects memory from a wrong number.
const maxParts = 10_000

const inRange = (operation: CentsOutOfRange["operation"], value: number): Result.Result<Cents, CentsOutOfRange> => {
  if (value < 0) return Result.fail(new CentsOutOfRange({ operation, limit: "minimum" }))
  if (value > maximum) return Result.fail(new CentsOutOfRange({ operation, limit: "maximum" }))
  return Result.succeed(Cents.make(value))
}
