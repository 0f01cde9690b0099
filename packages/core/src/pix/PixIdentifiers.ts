/**
 * The two identifiers of Pix: the end-to-end id of a payment, and the txid of a charge.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

// Months, hours and minutes are in range, so that nearly all generated values are valid times.
const pattern = /^E(\d{8})([1-9]\d{3})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)([A-Za-z0-9]{11})$/u

/**
 * `E` + ISPB of the payer's institution (8 digits) + `yyyyMMddHHmm` in UTC + 11 letters and digits: 32 characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PixEndToEndId = Schema.String.check(
  Schema.isPattern(pattern, {
    expected: "E, 8 digits, a time in UTC written yyyyMMddHHmm and 11 letters or digits"
  }).abort(),
  Schema.makeFilter((text: string) => minuteOf(text) !== undefined, {
    expected: "a day that exists in the calendar",
    toJsonSchema: () => [{}, true]
  })
).pipe(Schema.brand("PixEndToEndId"))

/**
 * @category models
 * @since 0.1.0
 */
export type PixEndToEndId = typeof PixEndToEndId.Type

/**
 * The fields of a {@link PixEndToEndId}. `epochMillis` is truncated to the minute.
 *
 * @category models
 * @since 0.1.0
 */
export interface PixEndToEndIdParts {
  readonly ispb: string
  readonly epochMillis: number
  readonly sequence: string
}

/**
 * The parts are invalid, or the text is not an identifier.
 *
 * @category errors
 * @since 0.1.0
 */
export class PixEndToEndIdError extends Schema.TaggedError<PixEndToEndIdError>()("PixEndToEndIdError", {
  part: Schema.Literals(["shape", "ispb", "time", "sequence"])
}) {
  override get message() {
    return `Not a Pix end-to-end id: ${reasons[this.part]}`
  }
}

const reasons = {
  shape: "it is E, 8 digits, 12 digits of time and 11 letters or digits",
  ispb: "the ISPB has 8 digits",
  time: "the time does not exist, or is not in the years 1000 to 9999",
  sequence: "the sequence has 11 letters or digits"
} as const

/**
 * Builds an identifier. The seconds of `epochMillis` are dropped.
 *
 * @category constructors
 * @since 0.1.0
 */
export const build = (parts: PixEndToEndIdParts): Result.Result<PixEndToEndId, PixEndToEndIdError> => {
  if (!/^\d{8}$/.test(parts.ispb)) return Result.fail(new PixEndToEndIdError({ part: "ispb" }))
  if (!/^[A-Za-z0-9]{11}$/.test(parts.sequence)) return Result.fail(new PixEndToEndIdError({ part: "sequence" }))
  const date = new Date(parts.epochMillis)
  // toISOString throws on an invalid time, and writes years after 9999 with a sign.
  const time = Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 16).replace(/[-T:]/g, "")
  const text = `E${parts.ispb}${time}${parts.sequence}`
  return Schema.is(PixEndToEndId)(text) ? Result.succeed(text) : Result.fail(new PixEndToEndIdError({ part: "time" }))
}

/**
 * Parses an identifier.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Result.Result<PixEndToEndIdParts, PixEndToEndIdError> => {
  const match = pattern.exec(text)
  if (match === null) return Result.fail(new PixEndToEndIdError({ part: "shape" }))
  const epochMillis = minuteOf(text)
  return epochMillis === undefined
    ? Result.fail(new PixEndToEndIdError({ part: "time" }))
    : // Each group of the pattern is part of every match.
      Result.succeed({ ispb: match[1]!, epochMillis, sequence: match[7]! })
}

function minuteOf(text: string): number | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  // These five groups of the pattern are part of every match.
  const [year, month, day, hour, minute] = match.slice(2, 7).map(Number) as [number, number, number, number, number]
  const epochMillis = Date.UTC(year, month - 1, day, hour, minute)
  // Date.UTC converts a minute that does not exist to another minute. A valid minute is written back unchanged.
  const written = new Date(epochMillis).toISOString().slice(0, 16).replace(/[-T:]/g, "")
  return written === text.slice(9, 21) ? epochMillis : undefined
}

/**
 * The txid of a dynamic charge: 26 to 35 letters and digits, unique per receiver (API Pix).
 *
 * @category schemas
 * @since 0.1.0
 */
export const DynamicTxid = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9]{26,35}$/u, { expected: "a txid of 26 to 35 letters and digits" })
).pipe(Schema.brand("DynamicTxid"))

/**
 * @category models
 * @since 0.1.0
 */
export type DynamicTxid = typeof DynamicTxid.Type

/**
 * The txid in a static BR Code: 1 to 25 letters and digits. A code without a txid contains `***`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const StaticTxid = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9]{1,25}$/u, { expected: "a txid of 1 to 25 letters and digits" })
).pipe(Schema.brand("StaticTxid"))

/**
 * @category models
 * @since 0.1.0
 */
export type StaticTxid = typeof StaticTxid.Type
