/**
 * The timeline of the demo: requests and deliveries in order, formatted for a terminal.
 *
 * @since 0.1.0
 */
import { Cents, format } from "@parcela/core/money/Cents"
import { wrapped } from "@parcela/core/language/Wrapping"
import { transactionGroups, TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"

/** A request of the client, or a delivery to the receiver. */
export interface Entry {
  /** Milliseconds since the start of the scenario. */
  readonly at: number
  readonly who: "client" | "receiver"
  /** The number of the server, if there are several. */
  readonly server?: number | undefined
  readonly what: string
  /** The HTTP status of a request, or the number of a delivery. */
  readonly mark: string
  readonly status: string
  readonly remark: string
}

export interface Timeline {
  readonly note: (entry: Omit<Entry, "at">) => Effect.Effect<void>
  readonly entries: Effect.Effect<ReadonlyArray<Entry>>
}

/** Returns a timeline that starts now. `onEntry` receives each new entry. */
export const make = (onEntry: (entry: Entry) => Effect.Effect<void>): Effect.Effect<Timeline> =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    const entries = yield* Ref.make<ReadonlyArray<Entry>>([])
    return {
      entries: Ref.get(entries),
      note: Effect.fnUntraced(function* (noted) {
        const entry = { ...noted, at: (yield* Clock.currentTimeMillis) - start }
        yield* Ref.update(entries, (all) => [...all, entry])
        yield* onEntry(entry)
      })
    }
  })

type Style = "dim" | "bold" | "cyan" | "magenta" | "green" | "yellow" | "red"

const codes: Record<Style, readonly [number, number]> = {
  dim: [2, 22],
  bold: [1, 22],
  cyan: [36, 39],
  magenta: [35, 39],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39]
}

const styleOfGroup = {
  open: "yellow",
  authorized: "yellow",
  paid: "green",
  denied: "red",
  reversed: "red",
  disputed: "red",
  void: "dim"
} as const

const isStatus = Schema.is(TransactionStatus)

interface Layout {
  readonly who: (entry: Entry) => string
  readonly what: number
  readonly mark: number
  readonly status: number
  /** Separator before a remark. */
  readonly remark: string
}

const wide: Layout = {
  who: ({ server = "", who }) => (who === "client" ? `client ${server} ->`.padEnd(11) : "receiver <-"),
  what: 46,
  mark: 4,
  status: 14,
  remark: "  "
}

/** For a terminal of 80 columns. */
const narrow: Layout = {
  who: ({ server = "", who }) => (who === "client" ? `->${server}` : "<-").padEnd(3),
  what: 44,
  mark: 3,
  status: 0,
  remark: `\n${" ".repeat(16)}`
}

/** Minimum number of columns for the wide layout. */
const minWideColumns = 120

/** Returns the formatter of a terminal with this number of columns. */
export const printer = (colour: boolean, columns: number) => {
  const layout = columns < minWideColumns ? narrow : wide
  const paint = (style: Style, text: string): string =>
    colour ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text
  const styleOfStatus = (status: string): Style => (isStatus(status) ? styleOfGroup[transactionGroups[status]] : "bold")
  const shown = (style: Style) => (text: string) =>
    wrapped(text, columns)
      .map((line) => paint(style, line))
      .join("\n")
  return {
    title: shown("bold"),
    aside: shown("dim"),
    line: (entry: Entry): string => {
      const { at, mark, remark, status, what, who } = entry
      const columns = [
        paint("dim", `${(at / 1000).toFixed(3).padStart(7)} s`),
        paint(who === "client" ? "cyan" : "magenta", layout.who(entry)),
        what.padEnd(layout.what),
        paint("dim", mark.padStart(layout.mark)),
        paint(styleOfStatus(status), status.padEnd(layout.status))
      ]
      return `${columns.join("  ")}${remark.trim() === "" ? "" : layout.remark}${remark.trim()}`.trimEnd()
    }
  }
}

const isCents = Schema.is(Cents)

/** Formats cents. Returns an empty text for any other value. */
export const money = (value: unknown): string => (isCents(value) ? format(value) : "")
