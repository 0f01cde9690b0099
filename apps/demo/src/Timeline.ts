/**
 * What happened, in the order in which it happened, as lines that a person enjoys reading.
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

/** One line: something the client asked for, or something the receiver got. */
export interface Entry {
  /** Milliseconds since the scenario began. */
  readonly at: number
  readonly who: "client" | "receiver"
  /** Which server was asked, where there are several. */
  readonly server?: number | undefined
  readonly what: string
  /** The HTTP status of a call; of a delivery its number. */
  readonly mark: string
  readonly status: string
  readonly remark: string
}

export interface Timeline {
  readonly note: (entry: Omit<Entry, "at">) => Effect.Effect<void>
  readonly entries: Effect.Effect<ReadonlyArray<Entry>>
}

/** A timeline that begins now; `seen` gets each entry as it is noted. */
export const make = (seen: (entry: Entry) => Effect.Effect<void>): Effect.Effect<Timeline> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const entries = yield* Ref.make<ReadonlyArray<Entry>>([])
    return {
      entries: Ref.get(entries),
      note: Effect.fnUntraced(function* (noted) {
        const entry = { ...noted, at: (yield* Clock.currentTimeMillis) - began }
        yield* Ref.update(entries, (all) => [...all, entry])
        yield* seen(entry)
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
  /** What stands before a remark. */
  readonly remark: string
}

const wide: Layout = {
  who: ({ server = "", who }) => (who === "client" ? `client ${server} ->`.padEnd(11) : "receiver <-"),
  what: 46,
  mark: 4,
  status: 14,
  remark: "  "
}

/** For a terminal of 80 columns, which would break most of the wide lines. */
const narrow: Layout = {
  who: ({ server = "", who }) => (who === "client" ? `->${server}` : "<-").padEnd(3),
  what: 44,
  mark: 3,
  status: 0,
  remark: `\n${" ".repeat(16)}`
}

const narrowest = 120

/** Prints entries in columns, with colour when asked to, in lines that a terminal of so many columns does not break. */
export const printer = (colour: boolean, columns: number) => {
  const layout = columns < narrowest ? narrow : wide
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

/** Cents as people write them; nothing when it is no amount. */
export const money = (value: unknown): string => (isCents(value) ? format(value) : "")
