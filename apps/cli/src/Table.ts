/**
 * Tables for people, as wide as the terminal where that can be.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { CliOutput } from "effect/cli"
import { colourOf, cut, type Paint, plain } from "./Paint.ts"

const gap = 2

/** A column that is cut keeps so much, while another one can be left out; and so much where none can. */
const narrowCut = 16
const narrowestCut = 6

/** The least width of a column that goes on in the next line. */
const narrowestWrapped = 24

/** What a table may lose where a terminal is too narrow for it. Everything else is whole, as a person may copy it. */
export interface Narrow {
  /** Columns that are left out, the first one first. */
  readonly leftOut?: ReadonlyArray<string>
  /** Columns that are cut, the first one first. */
  readonly cut?: ReadonlyArray<string>
  /**
   * Whether the last column goes on in the next line, where it does not fit; below the row, where its longest word does not fit
   * beside the others. Where it is empty in each row it is left out, and nothing is said of it.
   */
  readonly wraps?: boolean
  /** A column that stands below its row, whole, where a row does not fit even without what may be left out and what wraps. */
  readonly below?: string
  /**
   * The least width of each column, as other rows have needed it that stand above: of one that wraps that of its longest word, and
   * then it is there although these rows have nothing in it.
   */
  readonly least?: ReadonlyArray<number>
}

/** The columns of a list, and what each item has in them. */
export interface Columns<A> {
  readonly headings: ReadonlyArray<string>
  readonly cells: (item: A) => ReadonlyArray<string>
  readonly narrow?: Narrow
}

/** The lines of a table. */
interface Laid {
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
  /** What it says below of columns that are left out. */
  readonly note: ReadonlyArray<string>
}

const sumOf = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1))

/** The widths that fit into a line, or nearly: the columns at `first` give way. */
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

/** How wide each column is, where all of it is shown. */
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

/** What rows need of each column, as `Narrow.least` has it, beside what others needed before. */
export const neededOf = <A>(
  { cells, headings, narrow }: Columns<A>,
  items: ReadonlyArray<A>,
  before: ReadonlyArray<number> = []
): ReadonlyArray<number> => {
  const last = headings.length - 1
  const wrapsAt = narrow?.wraps === true ? last : headings.length
  const needed = items
    .map(cells)
    .map((row) => row.map((text, column) => (column === wrapsAt ? longestWord(text) : text)))
  return widthsOf(
    headings,
    needed.map((row) => row.map(plain)),
    before
  )
}

/** The columns that are left out, so that the others fit. */
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
 * Rows under headings, in columns as wide as they need and the terminal allows; the last column is not padded. What is left
 * out is named below. What may be neither cut nor left out is longer than the line where it must be: terminals copy it whole.
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

/** The table of a list. */
export const tableOf = <A>(paint: Paint, { cells, headings, narrow }: Columns<A>, items: ReadonlyArray<A>): string =>
  table(paint, headings, items.map(cells), narrow)

/** The lines of a table. */
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
    const kept = (row: ReadonlyArray<string>) => row.filter((_, column) => !away.includes(headings[column] ?? ""))
    const still = needed.filter((_, column) => !away.includes(headings[column] ?? ""))
    const narrower = laidOut(paint, kept(headings), rows.map(kept), { ...narrow, least: still, leftOut: [] })
    const note = wrapped(`In a wider terminal and with --json also: ${away.join(", ")}`, paint.columns)
    return { ...narrower, note: note.map((line) => paint("dim", line)) }
  }
  // What wraps can stand below its row as well, and does so first.
  const besides = wraps ? whole.slice(0, last) : whole.map(least)
  if (below !== undefined && headings.includes(below) && sumOf(besides) > paint.columns) {
    return withBelow(paint, headings, shown, { at: headings.indexOf(below), cut: cutFirst, needed, wraps })
  }
  const firstAt = cutFirst.map((heading) => headings.indexOf(heading))
  return wraps
    ? wrapping(paint, headings, shown, { firstAt, whole, least: wrappedLeast })
    : lines(paint, headings, shown, fitted(whole, paint.columns, firstAt))
}

/** A table with one column below its rows, and what wraps below that. */
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
  const beside = <A>(row: ReadonlyArray<A>) => row.filter((_, column) => !isBelow(column))
  const below = (row: ReadonlyArray<string>) => [
    ...(row[at] === "" ? [] : [row[at] ?? ""]),
    ...(wraps ? broken(row[lastAt] ?? "", paint.columns - indent.length) : [])
  ]
  const indented = (row: ReadonlyArray<string>) => below(row).map((text) => `${indent}${text}`)
  const names = beside(headings)
  const kept = rows.map(beside)
  const firstAt = cutFirst.map((heading) => names.indexOf(heading))
  const widths = fitted(widthsOf(names, kept, beside(needed)), paint.columns, firstAt)
  return lines(paint, names, kept, widths, (index) => indented(rows[index] ?? []), indented(headings))
}

/** The columns that say how something stands, in the colour of that. */
const coloured = new Set(["STATUS", "PAYMENT", "RESPONSE"])

/** Headings and rows in columns of such widths. */
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

/** A table whose last column goes on in the next line, or stands below its row. */
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
    const kept = rows.map((row) => row.slice(0, lastAt))
    return lines(paint, headings.slice(0, lastAt), kept, others, below, [`${indent}${headings[lastAt] ?? ""}`])
  }
  const lastWidth = Math.min(wholeLast, paint.columns - before)
  const parts = last.map((text) => broken(text, lastWidth))
  const inFirst = rows.map((row, index) => row.with(lastAt, parts[index]?.[0] ?? ""))
  return lines(paint, headings, inFirst, fitting.with(lastAt, lastWidth), (index) =>
    (parts[index] ?? []).slice(1).map((text) => `${" ".repeat(before)}${text}`)
  )
}

const indent = "    "

/** The lines of a text, none of an empty one. */
const broken = (text: string, width: number): ReadonlyArray<string> => (text === "" ? [] : wrapped(text, width))

/** The least width of a column that goes on in the next line: that of its longest word, as words are whole. */
const leastWrapped = (texts: ReadonlyArray<string>): number =>
  Math.max(narrowestWrapped, ...texts.map(longestWord).map(CliOutput.displayWidth))

const longestWord = (text: string): string =>
  text
    .split(" ")
    .reduce((longest, word) => (CliOutput.displayWidth(word) > CliOutput.displayWidth(longest) ? word : longest), "")
