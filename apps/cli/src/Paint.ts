/**
 * Text for people: colour where the terminal takes it, and nothing in it that could steer the terminal.
 *
 * @since 0.1.0
 */
import { Context, Effect, Option, Terminal } from "effect"
import { CliOutput, TerminalCapabilities } from "effect/cli"

type Colour = "red" | "green" | "yellow" | "cyan" | "dim" | "bold"

const codes: { readonly [C in Colour]: number } = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

export interface Paint {
  (colour: Colour, text: string): string
  /** How many columns a line may have; endless where nobody looks at a terminal. */
  readonly columns: number
}

/** Paints, unless NO_COLOR or a pipe says otherwise. */
export const paint: Effect.Effect<Paint> = Effect.gen(function* () {
  const { canColor } = Context.get(yield* Effect.context<never>(), TerminalCapabilities.TerminalCapabilities)
  const terminal = yield* Effect.serviceOption(Terminal.Terminal)
  // A pipe has none.
  const columns = Option.isNone(terminal) ? 0 : yield* terminal.value.columns
  const colour = canColor
    ? (colour: Colour, text: string) => `\u001b[${codes[colour]}m${text}\u001b[0m`
    : (_colour: Colour, text: string) => text
  return Object.assign(colour, { columns: columns > 0 ? columns : Number.POSITIVE_INFINITY })
})

/** The text without control characters: a response of a service is not trusted with the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")

const meanings: ReadonlyArray<readonly [statuses: RegExp, colour: Colour]> = [
  [/^(captured|payed|pay|active|moreValue|on$|delivered|done|applied)/u, "green"],
  [
    /^(denied|chargeback|cancel|notCompensated|unavailable|reversed|lessValue|stopped|inactive|off$|given_up|unmatched)/u,
    "red"
  ],
  [/^closed$/u, "dim"]
]

/** What a status means: for the money, or for a delivery. */
export const colourOf = (status: string): Colour =>
  meanings.find(([statuses]) => statuses.test(status))?.[1] ?? "yellow"

const gap = 2
const narrowest = 6

/** The least width of a column that goes on in the next line: that of its longer words. */
const narrowestWrapped = 24

/** What a table may lose where a terminal is too narrow for it. */
export interface Narrow {
  /** Columns that are left out, the first one first. */
  readonly leftOut?: ReadonlyArray<string>
  /** Columns that are cut, the first one first; the last column when nothing is said. */
  readonly cut?: ReadonlyArray<string>
  /** Whether the last column goes on in the next line, where it does not fit. */
  readonly wraps?: boolean
}

const sumOf = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1))

/** The widths that fit into a line: the columns at `first` give way first, then the widest one. */
const fitted = (
  widths: ReadonlyArray<number>,
  columns: number,
  first: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const fitting = [...widths]
  let over = sumOf(widths) - columns
  for (const column of first) {
    const width = fitting[column] ?? 0
    const taken = Math.max(Math.min(over, width - narrowest), 0)
    fitting[column] = width - taken
    over -= taken
  }
  while (over > 0) {
    const widest = Math.max(...fitting)
    if (widest <= narrowest) break
    fitting[fitting.lastIndexOf(widest)] = widest - 1
    over -= 1
  }
  return fitting
}

/** The text, or its beginning and an ellipsis, in so many columns of a terminal. */
export const cut = (text: string, width: number): string => {
  if (CliOutput.displayWidth(text) <= width) return text
  let kept = ""
  for (const character of text) {
    if (CliOutput.displayWidth(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/** A text in lines of so many columns, broken between words. */
export const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** How wide each column is, where all of it is shown. */
const widthsOf = (headings: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> =>
  headings.map((heading, column) =>
    Math.max(CliOutput.displayWidth(heading), ...rows.map((row) => CliOutput.displayWidth(row[column] ?? "")))
  )

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
 * out is named below.
 */
export const table = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { leftOut = [], wraps = false, cut: first = wraps ? [] : headings.slice(-1) }: Narrow = {}
): string => {
  const lastAt = headings.length - 1
  const shown = rows.map((row) => row.map(plain))
  const whole = widthsOf(headings, shown)
  const wholeLast = whole[lastAt] ?? 0
  const needed = wraps ? whole.with(lastAt, Math.min(wholeLast, narrowestWrapped)) : whole
  const away = awayOf(headings, needed, paint.columns, leftOut)
  if (away.length > 0) {
    const kept = (row: ReadonlyArray<string>) => row.filter((_, column) => !away.includes(headings[column] ?? ""))
    const narrower = table(paint, kept(headings), rows.map(kept), { cut: first, wraps })
    return `${narrower}\n${paint("dim", `In a wider terminal and with --json also: ${away.join(", ")}`)}`
  }
  const fitting = fitted(
    needed,
    paint.columns,
    first.map((heading) => headings.indexOf(heading))
  )
  const before = sumOf(fitting) - (fitting[lastAt] ?? 0)
  const widths = wraps ? fitting.with(lastAt, Math.min(wholeLast, paint.columns - before)) : fitting
  const statusAt = headings.indexOf("STATUS")
  const cellOf = (text: string, column: number) => {
    const width = widths[column] ?? 0
    const fits = cut(text, width)
    return column === lastAt ? fits : fits + " ".repeat(Math.max(0, width - CliOutput.displayWidth(fits)))
  }
  const line = (row: ReadonlyArray<string>) => {
    const [inFirst = "", ...below] = wraps ? wrapped(row[lastAt] ?? "", widths[lastAt] ?? 0) : row.slice(-1)
    const cells = row
      .with(lastAt, inFirst)
      .map((text, column) => (column === statusAt ? paint(colourOf(text), cellOf(text, column)) : cellOf(text, column)))
    const more = below.map((text) => `${" ".repeat(before)}${cellOf(text, lastAt)}`)
    return [cells.join("  ").trimEnd(), ...more].join("\n")
  }
  return [paint("bold", headings.map(cellOf).join("  ").trimEnd()), ...shown.map(line)].join("\n")
}

/** Names and values under one another; what has no value is left out. */
export const facts = (
  paint: Paint,
  entries: ReadonlyArray<readonly [name: string, value: string | undefined]>
): string => {
  const shown = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== "")
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `${paint("dim", name.padEnd(width))}  ${plain(value)}`).join("\n")
}
