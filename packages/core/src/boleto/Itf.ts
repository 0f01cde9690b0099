/**
 * Interleaved 2 of 5 (ITF): the bars that a boleto's barcode is printed as.
 *
 * @since 0.1.0
 */
import type { BoletoBarcode } from "./BoletoBarcode.ts"

// Five elements a digit, two of them wide (3 times as wide as a narrow one). ISO/IEC 16390.
const digits = ["11331", "31113", "13113", "33111", "11313", "31311", "13311", "11133", "31131", "13131"]
const start = "1111"
const stop = "311"

/**
 * The widths of bars and spaces in turn, a bar first, in units of the narrow one: 227 characters `1` or `3`.
 *
 * **Details**
 *
 * The widths add up to {@link units}. FEBRABAN wants the whole 103 mm wide and 13 mm high, so a unit is 0.254 mm, with
 * a blank margin of 10 units or more on either side.
 *
 * @category encoding
 * @since 0.1.0
 */
export const toItf = (barcode: BoletoBarcode): string => {
  let widths = start
  for (let index = 0; index < barcode.length; index += 2) {
    // A barcode has 44 digits, an even number.
    const bars = digits[Number(barcode[index])]!
    // As above.
    const spaces = digits[Number(barcode[index + 1])]!
    // Each digit has as many bars as spaces.
    for (let element = 0; element < bars.length; element++) widths += bars[element]! + spaces[element]!
  }
  return widths + stop
}

/**
 * Width of the bars of any boleto, in units of the narrow bar.
 *
 * @category constants
 * @since 0.1.0
 */
export const units = 405
