/**
 * The picture behind `Pix.image` (interface section 2.6).
 *
 * @since 0.1.0
 */
import { encodeQR } from "qr"
import type { ClosedNotice } from "./ClosedNotice.ts"

/**
 * Returns the QR code of a Pix as SVG: black on white in every theme, with the blank margin of 4 modules that scanners
 * need (ISO/IEC 18004).
 *
 * **Gotchas**
 *
 * Throws for text above 2,331 bytes, the capacity of a QR code. A Pix code has at most 255.
 *
 * @category rendering
 * @since 0.1.0
 */
export const pixSvg = (qrCode: string): string => {
  const modules = encodeQR(qrCode, "raw", { ecc: "medium", border: 4 })
  const path = modules.map((row, y) =>
    runs(row)
      .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
      .join("")
  )
  return picture(
    "QR code do Pix",
    modules.length,
    `<path d="${path.join("")}" fill="#000" shape-rendering="crispEdges"/>`
  )
}

/**
 * Returns the picture that replaces the code when the Pix must not be paid.
 *
 * @category rendering
 * @since 0.1.0
 */
export const closedSvg = ({ title }: ClosedNotice): string =>
  picture(
    title,
    300,
    `<text x="150" y="158" text-anchor="middle" font-family="Helvetica, Arial, sans-serif" font-size="24" ` +
      `fill="#333">${title}</text>`
  )

function picture(label: string, size: number, content: string): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="0 0 ${size} ${size}" role="img" ` +
    `aria-label="${label}"><rect width="${size}" height="${size}" fill="#fff"/>${content}</svg>`
  )
}

/** Returns start and length of each run of dark modules. */
function runs(row: ReadonlyArray<boolean>): ReadonlyArray<readonly [number, number]> {
  const found: Array<readonly [number, number]> = []
  for (let x = 0; x < row.length; x++) {
    const from = x
    while (row[x] === true) x++
    if (x > from) found.push([from, x - from])
  }
  return found
}
