/**
 * Text output: colours if the terminal supports them, no control characters, and the progress of long operations as one line
 * on standard error.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { Context, Effect, Option, Terminal, Stdio, Stream } from "effect"
import { CliOutput, TerminalCapabilities } from "effect/cli"
import { Json } from "./GlobalFlags.ts"

type Colour = "red" | "green" | "yellow" | "cyan" | "dim" | "bold"

const codes: { readonly [C in Colour]: number } = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

export interface Paint {
  (colour: Colour, text: string): string
  /** The width of a line; unlimited without a terminal. */
  readonly columns: number
}

/** Colours text, unless NO_COLOR or a pipe forbids it. */
export const paint: Effect.Effect<Paint> = Effect.gen(function* () {
  const { canColor } = Context.get(yield* Effect.context<never>(), TerminalCapabilities.TerminalCapabilities)
  const terminal = yield* Effect.serviceOption(Terminal.Terminal)
  // A pipe has no columns.
  const columns = Option.isNone(terminal) ? 0 : yield* terminal.value.columns
  const colour = canColor
    ? (colour: Colour, text: string) => `\u001b[${codes[colour]}m${text}\u001b[0m`
    : (_colour: Colour, text: string) => text
  return Object.assign(colour, { columns: columns > 0 ? columns : Number.POSITIVE_INFINITY })
})

/** Removes control characters, because a response must not control the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")

const meanings: ReadonlyArray<readonly [statuses: RegExp, colour: Colour]> = [
  [/^(captured|payed|pay|active|moreValue|on$|delivered|done|applied|2\d\d$)/u, "green"],
  [
    /^(denied|chargeback|cancel|notCompensated|unavailable|reversed|lessValue|stopped|inactive|off$|abandoned|unmatched|5\d\d$)/u,
    "red"
  ],
  [/^closed$/u, "dim"]
]

/** Returns the colour of a status of a payment, a delivery or HTTP. */
export const colourOf = (status: string): Colour =>
  meanings.find(([statuses]) => statuses.test(status))?.[1] ?? "yellow"

/** Cuts text to the width in terminal columns, with an ellipsis. */
export const cut = (text: string, width: number): string => {
  if (CliOutput.displayWidth(text) <= width) return text
  let fitting = ""
  for (const character of text) {
    if (CliOutput.displayWidth(fitting + character) > width - 1) break
    fitting += character
  }
  return `${fitting}…`
}

/** Returns the items of a list with commas after all but the last. */
export const listed = (items: ReadonlyArray<string>): ReadonlyArray<string> =>
  items.map((item, index) => (index < items.length - 1 ? `${item},` : item))

/** A value, or words that wrap to the next line. */
type Fact = string | ReadonlyArray<string>

/** Formats names and values in lines, without missing values. Values are never cut, because users copy them. */
export const facts = (
  paint: Paint,
  entries: ReadonlyArray<readonly [name: string, value: Fact | undefined]>
): string => {
  const shown = entries.filter((entry): entry is readonly [string, Fact] => (entry[1] ?? "").length > 0)
  const width = Math.max(...shown.map(([name]) => name.length))
  const linesOf = (value: Fact): ReadonlyArray<string> =>
    typeof value === "string" ? [plain(value)] : wrapped(value.map(plain).join(" "), paint.columns - width - 2)
  return shown
    .map(([name, value]) => `${paint("dim", name.padEnd(width))}  ${linesOf(value).join(`\n${" ".repeat(width + 2)}`)}`)
    .join("\n")
}

const eraseLine = "\r\u001b[K"

/** Overwrites the line; does nothing in a pipe or with `--json`. */
export const progress = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const { canAnimate } = Context.get(yield* Effect.context<never>(), TerminalCapabilities.TerminalCapabilities)
  const isShown = canAnimate && (yield* stdio.stderrIsTerminal) && !(yield* Json)
  return (line: string): Effect.Effect<void> =>
    isShown
      ? Effect.ignore(Stream.run(Stream.make(`${eraseLine}${line}`), stdio.stderr({ endOnDone: false })))
      : Effect.void
})
