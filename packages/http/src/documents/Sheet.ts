/**
 * Draws a form of labelled cells on a PDF page. Lengths are millimetres from the top left corner of the page.
 *
 * @since 0.1.0
 */
import { linesOf } from "./PrintableText.ts"

const pointsPerMm = 72 / 25.4

/**
 * @category models
 * @since 0.1.0
 */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface TextStyle {
  /** In points; 8 by default. */
  readonly size?: number
  readonly bold?: boolean
  readonly align?: "left" | "right" | "center"
  /** True if the last line is aligned to the bottom of the box. By default the first line is aligned to the top. */
  readonly atBottom?: boolean
}

/**
 * A cell of a form: `width` mm, a small label, and below the label as much of `text` as fits.
 *
 * @category models
 * @since 0.1.0
 */
export interface Cell extends TextStyle {
  readonly width: number
  readonly label: string
  readonly text?: string | ReadonlyArray<string>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Sheet {
  /**
   * Draws text within a box; text is wrapped, and cut if it does not fit. Each text of a list starts on a new line and
   * leaves at least one line for each of the next texts.
   */
  readonly text: (text: string | ReadonlyArray<string>, box: Box, style?: TextStyle) => void
  /** A framed cell. */
  readonly cell: (cell: Omit<Cell, "width">, box: Box) => void
  /** Draws a framed cell. */
  readonly row: (cells: ReadonlyArray<Cell>, at: { readonly x: number; readonly y: number }, height: number) => number
  readonly line: (from: readonly [number, number], to: readonly [number, number], style?: LineStyle) => void
  /** Draws filled black rectangles. */
  readonly bars: (boxes: ReadonlyArray<Box>) => void
}

/**
 * @category models
 * @since 0.1.0
 */
export interface LineStyle {
  /** In points; 0.5 by default. */
  readonly thickness?: number
  readonly dashed?: boolean
}

const margin = 1
const labelSize = 5.5
const labelHeight = 2.6

/**
 * A sheet over the current page of a document. The margins of the document must be 0.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (pdf: PDFKit.PDFDocument): Sheet => {
  const text: Sheet["text"] = (value, box, { align = "left", atBottom = false, bold = false, size = 8 } = {}) => {
    pdf.font(bold ? "Helvetica-Bold" : "Helvetica").fontSize(size)
    const width = box.width * pointsPerMm
    const height = box.height * pointsPerMm
    const leading = size * 1.2
    const widthOf = (line: string) => pdf.widthOfString(line)
    // The last line needs no gap below it; 0.001 compensates for rounding.
    const maximum = Math.floor((height - size) / leading + 1.001)
    const lines = allLines(typeof value === "string" ? [value] : value, maximum, width, widthOf)
    const top = box.y * pointsPerMm + (atBottom ? height - size - (lines.length - 1) * leading : 0)
    lines.forEach((line, index) => {
      const indent = align === "left" ? 0 : (width - widthOf(line)) / (align === "right" ? 1 : 2)
      pdf.text(line, box.x * pointsPerMm + indent, top + index * leading, { lineBreak: false })
    })
  }

  const cell: Sheet["cell"] = ({ label, text: value = "", ...style }, box) => {
    pdf
      .lineWidth(0.5)
      // `points` returns the four sides of a box.
      .rect(...(points(box) as [number, number, number, number]))
      .stroke()
    const inner = { x: box.x + margin, y: box.y + 0.6, width: box.width - 2 * margin, height: box.height - 1 }
    text(label, { ...inner, height: labelHeight }, { size: labelSize })
    text(value, { ...inner, y: inner.y + labelHeight, height: inner.height - labelHeight }, style)
  }

  return {
    text,
    cell,
    row: (cells, at, height) => {
      let x = at.x
      for (const { width, ...rest } of cells) {
        cell(rest, { x, y: at.y, width, height })
        x += width
      }
      return at.y + height
    },
    line: ([x1, y1], [x2, y2], { dashed = false, thickness = 0.5 } = {}) => {
      pdf.save().lineWidth(thickness)
      if (dashed) pdf.dash(3, { space: 2 })
      pdf
        .moveTo(x1 * pointsPerMm, y1 * pointsPerMm)
        .lineTo(x2 * pointsPerMm, y2 * pointsPerMm)
        .stroke()
        .restore()
    },
    bars: (boxes) => {
      // `points` returns the four sides of a box.
      for (const box of boxes) pdf.rect(...(points(box) as [number, number, number, number]))
      pdf.fill("black")
    }
  }
}

function allLines(
  texts: ReadonlyArray<string>,
  maximum: number,
  width: number,
  widthOf: (line: string) => number
): ReadonlyArray<string> {
  const shown = texts.filter((text) => text !== "")
  const lines: Array<string> = []
  shown.forEach((text, index) => {
    const later = shown.length - 1 - index
    lines.push(...linesOf(text, { maximum: Math.max(maximum - lines.length - later, 0), width, widthOf }))
  })
  return lines
}

function points({ height, width, x, y }: Box): ReadonlyArray<number> {
  return [x, y, width, height].map((length) => length * pointsPerMm)
}
