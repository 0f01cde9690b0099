/**
 * Draws a form of labelled cells on a PDF page, with the characters that the fonts of a PDF contain. Lengths are
 * millimetres from the top left corner of the page.
 *
 * @since 0.1.0
 */

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

// Characters of WinAnsiEncoding in addition to ASCII and Latin-1 (ISO 32000-1, annex D).
const extras = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"

const fits = (character: string): boolean =>
  /^[ -~\u00a1-\u00ac\u00ae-\u00ff]$/.test(character) || extras.includes(character)

const replaced = (character: string): string => {
  if (fits(character)) return character
  if (/^\s$/u.test(character)) return " "
  // Control characters, directions and joiners are invisible.
  if (/^[\p{Cc}\p{Cf}\p{M}]$/u.test(character)) return ""
  const plain = [...character.normalize("NFKD").replace(/\p{M}/gu, "")]
  return plain.length > 0 && plain.every(fits) ? plain.join("") : "?"
}

/**
 * Returns one line of text with characters of WinAnsiEncoding only. Other characters become their plain letters, or
 * `?`.
 *
 * **Gotchas**
 *
 * The PDF library writes other characters as broken hex, which garbles the whole line. All printed text must pass
 * through this function.
 *
 * @category conversions
 * @since 0.1.0
 */
export const printable = (text: string): string => [...text.normalize("NFC")].map(replaced).join("")

/**
 * Breaks text into at most `maximum` lines, none wider than `width`. Words wider than a line are broken. Text that
 * exceeds the last line is cut and ends in `…`.
 *
 * @category layout
 * @since 0.1.0
 */
export const linesOf = (
  text: string,
  {
    maximum,
    width,
    widthOf
  }: {
    readonly maximum: number
    readonly width: number
    readonly widthOf: (line: string) => number
  }
): ReadonlyArray<string> => {
  // Text may have a million characters; a line of a page has room for fewer than 400.
  const maxLength = maximum * 400
  const head = text.slice(0, maxLength)
  const lines: Array<string> = []
  for (const paragraph of head.split(/\r\n|[\n\r\u2028\u2029]/)) {
    lines.push(...wrapped(printable(paragraph).slice(0, maxLength).trim(), maximum + 1 - lines.length, width, widthOf))
    if (lines.length > maximum) break
  }
  if (lines.length <= maximum && head.length === text.length) return lines
  const fitting = lines.slice(0, maximum)
  const last = fitting.pop()
  return last === undefined ? [] : [...fitting, cut(last, width, widthOf)]
}

function wrapped(
  text: string,
  maximum: number,
  width: number,
  widthOf: (line: string) => number
): ReadonlyArray<string> {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/ +/)) {
    const longer = line === "" ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== "") lines.push(line)
    line = word
    while (widthOf(line) > width && lines.length < maximum) {
      const length = Math.max(
        fittingLength(line, (prefix) => widthOf(prefix) <= width),
        1
      )
      lines.push(line.slice(0, length))
      line = line.slice(length)
    }
    if (lines.length >= maximum) return lines.slice(0, maximum)
  }
  return [...lines, line]
}

function cut(line: string, width: number, widthOf: (line: string) => number): string {
  const fitting = line.slice(
    0,
    fittingLength(line, (prefix) => widthOf(`${prefix}…`) <= width)
  )
  return `${fitting.trimEnd()}…`
}

/** Returns the length of the longest prefix that fits, by binary search, because measuring is expensive. */
function fittingLength(line: string, fits: (prefix: string) => boolean): number {
  let fitting = 0
  let tooLong = line.length + 1
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2)
    if (fits(line.slice(0, middle))) fitting = middle
    else tooLong = middle
  }
  return fitting
}
