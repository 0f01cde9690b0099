/**
 * Interleaved 2 of 5 (ITF), the bar code symbology of boletos.
 *
 * @since 0.1.0
 */
import type { BoletoBarcode } from "./BoletoBarcode.ts"

// Widths of the five elements of each digit: two are wide, 3 times the narrow width. ISO/IEC 16390.
const digits = ["11331", "31113", "13113", "33111", "11313", "31311", "13311", "11133", "31131", "13131"]
const start = "1111"
const stop = "311"

/**
 * The alternating widths of bars and spaces, starting with a bar, in narrow units: 227 characters `1` or `3`.
 *
 * **Details**
 *
 * The widths add up to {@link units}. FEBRABAN requires a width of 103 mm and a height of 13 mm, so one unit is 0.254
 * mm. Leave a blank margin of at least 10 units on both sides.
 *
 * @category encoding
 * @since 0.1.0
 */
export const toItf = (barcode: BoletoBarcode): string => {
  let widths = start
  for (let index = 0; index < barcode.length; index += 2) {
    // A barcode has 44 digits, an even number.
    const bars = digits[Number(barcode[index])]!
    // The next index is below 44 too.
    const spaces = digits[Number(barcode[index + 1])]!
    // Each digit has as many bars as spaces.
    for (let element = 0; element < bars.length; element++) widths += bars[element]! + spaces[element]!
  }
  return widths + stop
}

/**
 * Total width of the bars of a boleto, in narrow units.
 *
 * @category constants
 * @since 0.1.0
 */
export const units = 405
