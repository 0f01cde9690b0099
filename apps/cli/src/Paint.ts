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

/** What a status means: for the money, or for a delivery. */
export const colourOf = (status: string): Colour =>
  /^(captured|payed|pay|active|moreValue|on$|delivered|done)/u.test(status)
    ? "green"
    : /^(denied|chargeback|cancel|notCompensated|unavailable|reversed|lessValue|stopped|inactive|off$|given_up)/u.test(
          status
        )
      ? "red"
      : "yellow"

const gap = 2
const narrowest = 6

/** The widths that fit into a line: the last column, which is free text, gives way first, then the widest one. */
const fitted = (widths: ReadonlyArray<number>, columns: number): ReadonlyArray<number> => {
  const needed = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) - columns
  const last = widths.at(-1) ?? 0
  const taken = Math.min(Math.max(needed, 0), Math.max(last - narrowest, 0))
  const fitting = [...widths.slice(0, -1), last - taken]
  let over = needed - taken
  while (over > 0) {
    const widest = Math.max(...fitting)
    if (widest <= narrowest) break
    fitting[fitting.lastIndexOf(widest)] = widest - 1
    over -= 1
  }
  return fitting
}

/** The text, or its beginning and an ellipsis, in so many columns of a terminal. */
const cut = (text: string, width: number): string => {
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

/** Rows under headings, in columns as wide as they need and the terminal allows; the last column is not padded. */
export const table = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const whole = rows.map((row) => row.map(plain))
  const widths = fitted(
    headings.map((heading, column) =>
      Math.max(CliOutput.displayWidth(heading), ...whole.map((row) => CliOutput.displayWidth(row[column] ?? "")))
    ),
    paint.columns
  )
  const cells = whole.map((row) => row.map((cell, column) => cut(cell, widths[column] ?? 0)))
  const titles = headings.map((heading, column) => cut(heading, widths[column] ?? 0))
  const pad = (text: string, column: number) =>
    column === headings.length - 1
      ? text
      : text + " ".repeat(Math.max(0, (widths[column] ?? 0) - CliOutput.displayWidth(text)))
  const statusAt = headings.indexOf("STATUS")
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, column) => (column === statusAt ? paint(colourOf(cell), pad(cell, column)) : pad(cell, column)))
      .join("  ")
      .trimEnd()
  return [paint("bold", titles.map(pad).join("  ").trimEnd()), ...cells.map(line)].join("\n")
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
