/**
 * Text for people: colour where the terminal takes it, and nothing in it that could steer the terminal.
 *
 * @since 0.1.0
 */
import { Context, Effect } from "effect"
import { CliOutput, TerminalCapabilities } from "effect/cli"

type Colour = "red" | "green" | "yellow" | "cyan" | "dim" | "bold"

const codes: { readonly [C in Colour]: number } = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

export interface Paint {
  (colour: Colour, text: string): string
}

/** Paints, unless NO_COLOR or a pipe says otherwise. */
export const paint: Effect.Effect<Paint> = Effect.map(Effect.context<never>(), (context): Paint => {
  const { canColor } = Context.get(context, TerminalCapabilities.TerminalCapabilities)
  return canColor ? (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m` : (_colour, text) => text
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

/** Rows under headings, in columns as wide as they need; the last column is not padded. */
export const table = (
  paint: Paint,
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const cells = rows.map((row) => row.map(plain))
  const widths = headings.map((heading, column) =>
    Math.max(CliOutput.displayWidth(heading), ...cells.map((row) => CliOutput.displayWidth(row[column] ?? "")))
  )
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
  return [paint("bold", headings.map(pad).join("  ").trimEnd()), ...cells.map(line)].join("\n")
}

/** Names and values under one another; what has no value is left out. */
export const facts = (
  paint: Paint,
  entries: ReadonlyArray<readonly [name: string, value: string | undefined]>
): string => {
  const told = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== "")
  const width = Math.max(...told.map(([name]) => name.length))
  return told.map(([name, value]) => `${paint("dim", name.padEnd(width))}  ${plain(value)}`).join("\n")
}
