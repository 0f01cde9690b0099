/**
 * Help pages: the command's own flags first, common flags last, with lines that fit the terminal.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { Option } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import { bodyExampleOf } from "./Body.ts"
import { exitCodeMeanings } from "./Failure.ts"
import { globalFlags } from "./GlobalFlags.ts"
import type { Paint } from "./Terminal.ts"

/** Maximum line length; longer lines are hard to read. */
const widest = 100

interface Row {
  readonly left: string
  readonly right: string
}

/** Formats names and descriptions in two columns. */
const rows = (paint: Paint, all: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const width = Math.min(Math.max(...all.map(({ left }) => left.length)), 28)
  const rest = Math.min(paint.columns, widest) - width - 4
  return all.flatMap(({ left, right }) => {
    const [first = "", ...others] = wrapped(right, rest)
    const below = others.map((line) => `${" ".repeat(width + 4)}${line}`)
    const name = `  ${paint("green", left)}`
    return left.length > width
      ? [name, `${" ".repeat(width + 4)}${first}`, ...below]
      : [`${name}${" ".repeat(width - left.length)}  ${first}`, ...below]
  })
}

const flagRow = ({ aliases, description, name, type }: HelpDoc.FlagDoc): Row => ({
  left: [[`--${name}`, ...aliases].join(", "), ...(type === "boolean" ? [] : [type])].join(" "),
  right: Option.getOrElse(description, () => "")
})

const ours = new Set(["help", ...globalFlags.map(({ id }) => id)])

/**
 * Returns the global flags of a page. Pages of commands leave out the flags of `parcela` itself (`--completions`, ..).
 */
const globalsOf = ({ commandPath = [], globalFlags = [] }: HelpDoc.HelpDoc) =>
  commandPath.length > 1 ? globalFlags.filter(({ name }) => ours.has(name)) : globalFlags

/** Returns the examples of a page. A group without examples refers to the help of its commands. */
const examplesOf = ({ commandPath = [], examples = [], subcommands = [] }: HelpDoc.HelpDoc) => {
  const [first] = subcommands.flatMap(({ commands }) => commands)
  return examples.length > 0 || first === undefined
    ? examples
    : [{ command: [...commandPath, first.name, "--help"].join(" "), description: "Flags and examples of a subcommand" }]
}

const helpOf = (paint: Paint, doc: HelpDoc.HelpDoc): string => {
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : [[paint("bold", title), ...lines].join("\n")]
  const table = (title: string, all: ReadonlyArray<Row>) => section(title, all.length === 0 ? [] : rows(paint, all))
  const subcommands = (doc.subcommands ?? []).flatMap(({ commands }) => commands)
  return [
    ...section(
      "DESCRIPTION",
      wrapped(doc.description, Math.min(paint.columns, widest) - 2).map((line) => `  ${line}`)
    ),
    ...section("USAGE", [`  ${paint("cyan", doc.usage)}`]),
    ...table(
      "ARGUMENTS",
      (doc.args ?? []).map(({ description, name, required, type }) => ({
        left: `${name} ${type}`,
        right: `${Option.getOrElse(description, () => "")}${required ? "" : " (optional)"}`
      }))
    ),
    ...table("FLAGS", [...doc.flags, ...(doc.inheritedFlags ?? [])].map(flagRow)),
    ...table(
      "SUBCOMMANDS",
      subcommands.map(({ description, name, shortDescription }) => ({
        left: name,
        right: shortDescription ?? description
      }))
    ),
    ...section(
      "EXAMPLES",
      examplesOf(doc).flatMap(({ command, description = "" }) => [
        `  ${paint("dim", `# ${description}`)}`,
        `  ${paint("cyan", command)}`
      ])
    ),
    ...section("EXAMPLE OF A FILE", bodyExampleOf(doc.annotations)?.map((line) => `  ${line}`) ?? []),
    ...table("GLOBAL FLAGS", globalsOf(doc).map(flagRow)),
    ...table(
      "EXIT CODES",
      Object.entries(exitCodeMeanings).map(([left, right]) => ({ left, right }))
    )
  ].join("\n\n")
}

/** Returns Effect's formatter with our help pages. */
export const formatter = (paint: Paint): CliOutput.Formatter => ({
  ...CliOutput.defaultFormatter({ colors: paint("bold", "") !== "" }),
  formatHelpDoc: (doc) => helpOf(paint, doc)
})
