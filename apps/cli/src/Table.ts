/**
 * Tables that fit the terminal if possible.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { CliOutput } from "effect/cli"
import { colourOf, cut, type Paint, plain } from "./Terminal.ts"

const gap = 2

/** Minimum width of a cut column while other columns can be left out. */
const narrowCut = 16

/** Minimum width of a cut column when no other column can be left out. */
const narrowestCut = 6

/** Minimum width of a wrapped column. */
const narrowestWrapped = 24

/**
 * The allowed reductions of a table for a narrow terminal. All other values are shown in full, because users copy them.
 */
export interface Narrow {
  /** Columns that may be left out, first column first. */
  readonly leftOut?: ReadonlyArray<string>
  /** Columns that may be cut, first column first. */
  readonly cut?: ReadonlyArray<string>
  /**
   * True if the last column may wrap. It moves below the row if its longest word does not fit next to the other
   * columns. If it is empty in every row, it is left out without a note.
   */
  readonly wraps?: boolean
  /**
   * The last resort: if the row is still too wide, this column moves below it, uncut.
   */
  readonly below?: string
  /**
   * Minimum width of each column, from earlier rows; of a wrapped column, the width of its longest word. A wrapped
   * column with a minimum width is shown even if it is empty in these rows.
   */
  readonly least?: ReadonlyArray<number>
}

/** The columns of a list, and each item's cells. */
export interface Columns<A> {
  readonly headings: ReadonlyArray<string>
  readonly cells: (item: A) => ReadonlyArray<string>
  readonly narrow?: Narrow
}

/** The lines of a table. */
interface Laid {
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
  /** The note about columns that were left out. */
  readonly note: ReadonlyArray<string>
}

const sumOf = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1))

/** Returns widths that fit into a line, as far as possible, by reducing the columns at `first`. */
const fitted = (
  widths: ReadonlyArray<number>,
  columns: number,
  first: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const fitting = [...widths]
  let over = sumOf(widths) - columns
  for (const column of first) {
    const width = fitting[column] ?? 0
    const taken = Math.max(Math.min(over, width - narrowestCut), 0)
    fitting[column] = width - taken
    over -= taken
  }
  return fitting
}

/** Returns the full width of each column. */
const widthsOf = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  least: ReadonlyArray<number> = []
): ReadonlyArray<number> =>
  headings.map((heading, column) =>
    Math.max(
      CliOutput.displayWidth(heading),
      least[column] ?? 0,
      ...rows.map((row) => CliOutput.displayWidth(row[column] ?? ""))
    )
  )

/** Returns the minimum width of each column for `Narrow.least`, from these rows and earlier ones. */
export const neededOf = <A>(
  { cells, headings, narrow }: Columns<A>,
  items: ReadonlyArray<A>,
  before: ReadonlyArray<number> = []
): ReadonlyArray<number> => {
  const last = headings.length - 1
  const wrapsAt = narrow?.wraps === true ? last : headings.length
  const needed = items
    .map(cells)
    .map((row) => row.map((text, column) => (column === wrapsAt ? widestWord(text) : text)))
  return widthsOf(
    headings,
    needed.map((row) => row.map(plain)),
    before
  )
}

/** Returns the columns to leave out, so that the others fit. */
const awayOf = (
  headings: ReadonlyArray<string>,
  needed: ReadonlyArray<number>,
  columns: number,
  leftOut: ReadonlyArray<string>
): ReadonlyArray<string> =>
  leftOut.filter(
    (_, index) =>
      sumOf(needed.filter((_, column) => !leftOut.slice(0, index).includes(headings[column] ?? ""))) > columns
  )

/**
 * Formats rows under headings, in columns as wide as needed and as the terminal allows. The last column is not padded.
 * A note names columns that were left out. A value that may not be reduced can exceed the line; terminals copy it in
 * full.
 */
export const table = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  narrow: Narrow = {}
): string => {
  const { head, note, rows: shown } = laidOut(paint, headings, rows, narrow)
  return [...head, ...shown, ...note].join("\n")
}

/** Formats the table of a list. */
export const tableOf = <A>(paint: Paint, { cells, headings, narrow }: Columns<A>, items: ReadonlyArray<A>): string =>
  table(paint, headings, items.map(cells), narrow)

/** Returns the lines of a table. */
export const laidOut = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  narrow: Narrow = {}
): Laid => {
  const { below, least: needed = [], leftOut = [], wraps = false, cut: cutFirst = [] } = narrow
  if (wraps && needed.length === 0 && rows.every((row) => (row.at(-1) ?? "") === "")) {
    const before = (row: ReadonlyArray<string>) => row.slice(0, -1)
    return laidOut(paint, before(headings), rows.map(before), { ...narrow, wraps: false })
  }
  const shown = rows.map((row) => row.map(plain))
  const whole = widthsOf(headings, shown, needed)
  const last = headings.length - 1
  const wrappedLeast = wraps
    ? Math.max(needed[last] ?? 0, leastWrapped(shown.map((row) => row[last] ?? "")))
    : Number.POSITIVE_INFINITY
  const least = (width: number, column: number) =>
    cutFirst.includes(headings[column] ?? "")
      ? Math.min(width, narrowCut)
      : column === last
        ? Math.min(width, wrappedLeast)
        : width
  const away = awayOf(headings, whole.map(least), paint.columns, leftOut)
  if (away.length > 0) {
    const remaining = (row: ReadonlyArray<string>) => row.filter((_, column) => !away.includes(headings[column] ?? ""))
    const still = needed.filter((_, column) => !away.includes(headings[column] ?? ""))
    const narrower = laidOut(paint, remaining(headings), rows.map(remaining), { ...narrow, least: still, leftOut: [] })
    const note = wrapped(`In a wider terminal and with --json also: ${away.join(", ")}`, paint.columns)
    return { ...narrower, note: note.map((line) => paint("dim", line)) }
  }
  // A wrapped column can also move below its row, and does so first.
  const besides = wraps ? whole.slice(0, last) : whole.map(least)
  if (below !== undefined && headings.includes(below) && sumOf(besides) > paint.columns) {
    return withBelow(paint, headings, shown, { at: headings.indexOf(below), cut: cutFirst, needed, wraps })
  }
  const firstAt = cutFirst.map((heading) => headings.indexOf(heading))
  return wraps
    ? wrapping(paint, headings, shown, { firstAt, whole, least: wrappedLeast })
    : lines(paint, headings, shown, fitted(whole, paint.columns, firstAt))
}

/** Returns a table with one column below its rows, and the wrapped column below that. */
const withBelow = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  {
    at,
    cut: cutFirst,
    needed,
    wraps
  }: {
    readonly at: number
    readonly cut: ReadonlyArray<string>
    readonly needed: ReadonlyArray<number>
    readonly wraps: boolean
  }
): Laid => {
  const lastAt = headings.length - 1
  const isBelow = (column: number) => column === at || (wraps && column === lastAt)
  const inRow = <A>(row: ReadonlyArray<A>) => row.filter((_, column) => !isBelow(column))
  const below = (row: ReadonlyArray<string>) => [
    ...(row[at] === "" ? [] : [row[at] ?? ""]),
    ...(wraps ? broken(row[lastAt] ?? "", paint.columns - indent.length) : [])
  ]
  const indented = (row: ReadonlyArray<string>) => below(row).map((text) => `${indent}${text}`)
  const names = inRow(headings)
  const remaining = rows.map(inRow)
  const firstAt = cutFirst.map((heading) => names.indexOf(heading))
  const widths = fitted(widthsOf(names, remaining, inRow(needed)), paint.columns, firstAt)
  return lines(paint, names, remaining, widths, (index) => indented(rows[index] ?? []), indented(headings))
}

/** The columns of states, which are coloured by their state. */
const coloured = new Set(["STATUS", "PAYMENT", "RESPONSE"])

/** Returns headings and rows in columns of the given widths. */
const lines = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  widths: ReadonlyArray<number>,
  below: (row: number) => ReadonlyArray<string> = () => [],
  headingsBelow: ReadonlyArray<string> = []
): Laid => {
  const isColoured = (column: number, text: string) => text !== "" && coloured.has(headings[column] ?? "")
  const cellOf = (text: string, column: number) => {
    const width = widths[column] ?? 0
    const fits = cut(text, width)
    return column === headings.length - 1 ? fits : fits + " ".repeat(Math.max(0, width - CliOutput.displayWidth(fits)))
  }
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((text, column) =>
        isColoured(column, text) ? paint(colourOf(text), cellOf(text, column)) : cellOf(text, column)
      )
      .join(" ".repeat(gap))
      .trimEnd()
  const head = [headings.map(cellOf).join(" ".repeat(gap)).trimEnd(), ...headingsBelow]
  return {
    head: head.map((text) => paint("bold", text)),
    rows: rows.flatMap((row, index) => [line(row), ...below(index)]),
    note: []
  }
}

/** Returns a table whose last column is wrapped or moved below its row. */
const wrapping = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  {
    firstAt,
    least,
    whole
  }: { readonly firstAt: ReadonlyArray<number>; readonly least: number; readonly whole: ReadonlyArray<number> }
): Laid => {
  const lastAt = headings.length - 1
  const wholeLast = whole[lastAt] ?? 0
  const fitting = fitted(whole.with(lastAt, Math.min(wholeLast, least)), paint.columns, firstAt)
  const before = sumOf(fitting) - (fitting[lastAt] ?? 0)
  const last = rows.map((row) => row[lastAt] ?? "")
  if (sumOf(fitting) > paint.columns) {
    const others = fitted(whole.slice(0, lastAt), paint.columns, firstAt)
    const below = (index: number) =>
      broken(last[index] ?? "", paint.columns - indent.length).map((text) => `${indent}${text}`)
    const remaining = rows.map((row) => row.slice(0, lastAt))
    return lines(paint, headings.slice(0, lastAt), remaining, others, below, [`${indent}${headings[lastAt] ?? ""}`])
  }
  const lastWidth = Math.min(wholeLast, paint.columns - before)
  const parts = last.map((text) => broken(text, lastWidth))
  const inFirst = rows.map((row, index) => row.with(lastAt, parts[index]?.[0] ?? ""))
  return lines(paint, headings, inFirst, fitting.with(lastAt, lastWidth), (index) =>
    (parts[index] ?? []).slice(1).map((text) => `${" ".repeat(before)}${text}`)
  )
}

const indent = "    "

/** Returns the lines of a text; an empty text has no lines. */
const broken = (text: string, width: number): ReadonlyArray<string> => (text === "" ? [] : wrapped(text, width))

/** Returns the minimum width of a wrapped column: that of its longest word, because words are not broken. */
const leastWrapped = (texts: ReadonlyArray<string>): number =>
  Math.max(narrowestWrapped, ...texts.map(widestWord).map(CliOutput.displayWidth))

const widestWord = (text: string): string =>
  text
    .split(" ")
    .reduce((longest, word) => (CliOutput.displayWidth(word) > CliOutput.displayWidth(longest) ? word : longest), "")
