/**
 * Money and percentages as API Pix writes them: text with a dot and two digits, `129.90`.
 *
 * @since 0.1.0
 */
import { Cents } from "@parcela/core/money/Cents"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const Text = Schema.String.check(
  Schema.isPattern(/^\d{1,10}\.\d{2}$/u, { expected: "1 to 10 digits, a dot and 2 digits" })
)

/** A whole number of hundredths as text. */
const write = (hundredths: number): string =>
  `${Math.trunc(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`

const hundredths = SchemaTransformation.transform({
  decode: (text: string) => Number(text.replace(".", "")),
  encode: write
})

/**
 * An amount in reais, `129.90`, read as cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Amount = Text.pipe(Schema.decodeTo(Cents, hundredths))

/**
 * An amount or a percentage, as the `modalidade` beside it says, in hundredths.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AmountOrPercent = Text.pipe(Schema.decodeTo(Schema.Natural, hundredths))
