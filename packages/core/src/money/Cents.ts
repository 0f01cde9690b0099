/**
 * Money: an exact, whole number of cents of the real (BRL).
 *
 * Every operation that can leave the range, or that has to round, says so in its name or its result; none
 * overflows and none loses a cent.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Percentage from "./Percentage.ts"
import { amountInCents } from "../internal/plainWords.ts"
import { wholeNumber } from "../values/Text.ts"

/**
 * The largest amount: `int 11`.
 *
 * @category constants
 * @since 0.1.0
 */
export const maximum = 99_999_999_999

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
 * What happens to a fraction of a cent: `down` drops it, `halfUp` makes a whole cent of half a cent or more.
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
 * The result of an operation is below zero or above the largest amount.
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
 * The parts asked of `split` cannot be made.
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
 * No money.
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
 * `a - b`; fails when `b` is the larger.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const subtract = (a: Cents, b: Cents): Result.Result<Cents, CentsOutOfRange> => inRange("subtract", a - b)

/**
 * All amounts together; zero when there are none.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const sum = (amounts: Iterable<Cents>): Result.Result<Cents, CentsOutOfRange> => {
  let total = 0
  for (const amount of amounts) {
    total += amount
    // Amounts are never negative, so a sum that is too large stays so; leaving here keeps it an exact number.
    if (total > maximum) break
  }
  return inRange("sum", total)
}

/**
 * `value * numerator / denominator`, exact until the one rounding at its end. The numerator may not be negative
 * and the denominator must be above zero.
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
 * `percent` of an amount; it may be more than the amount, as a percentage may be above 100 %.
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
 * Parts that always add up to `total`: that many equal ones (1 to 10,000), or one for each weight.
 *
 * **Details**
 *
 * Each part first gets its exact share without the fraction of a cent. The cents left over go, one each, to the
 * parts that lost the largest fractions; between equals the earlier part comes first. So R$ 10,00 in 3 gives
 * 3,34 + 3,33 + 3,33, two parts of equal weight never differ by more than a cent, and a weight of 0 gets nothing.
 *
 * @category arithmetic
 * @since 0.1.0
 */
export const split = (
  total: Cents,
  parts: number | ReadonlyArray<number>
): Result.Result<ReadonlyArray<Cents>, InvalidSplit> => {
  const count = typeof parts === "number" ? parts : parts.length
  if (!Number.isInteger(count) || count < 1 || count > maximumParts) {
    return Result.fail(new InvalidSplit({ problem: `the number of parts must be from 1 to ${maximumParts}` }))
  }
  const weights = typeof parts === "number" ? new Array<number>(parts).fill(1) : parts
  if (!weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0)) {
    return Result.fail(new InvalidSplit({ problem: "a weight must be a whole number, 0 or more" }))
  }
  const weight = weights.reduce((left, right) => left + BigInt(right), 0n)
  if (weight === 0n) return Result.fail(new InvalidSplit({ problem: "one weight at least must be above 0" }))

  const shares = weights.map((own) => {
    const exact = BigInt(total) * BigInt(own)
    return { cents: Number(exact / weight), lost: exact % weight }
  })
  const leftOver = total - shares.reduce((given, { cents }) => given + cents, 0)
  // The sort is stable, so equal fractions keep the order of the parts.
  const byLoss = [...shares].sort((a, b) => (a.lost === b.lost ? 0 : a.lost > b.lost ? -1 : 1))
  for (const share of byLoss.slice(0, leftOver)) share.cents += 1
  return Result.succeed(shares.map(({ cents }) => Cents.make(cents)))
}

/**
 * The amount for people, as Brazil writes it: 123456 gives `R$ 1.234,56`, with an ordinary space.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (value: Cents): string => {
  const reais = String(Math.floor(value / 100)).replace(/\B(?=(\d{3})+$)/g, ".")
  return `R$ ${reais},${String(value % 100).padStart(2, "0")}`
}

// Far above any instalment plan; it keeps a mistaken number from filling the memory.
const maximumParts = 10_000

const inRange = (operation: CentsOutOfRange["operation"], value: number): Result.Result<Cents, CentsOutOfRange> => {
  if (value < 0) return Result.fail(new CentsOutOfRange({ operation, limit: "minimum" }))
  if (value > maximum) return Result.fail(new CentsOutOfRange({ operation, limit: "maximum" }))
  return Result.succeed(Cents.make(value))
}
