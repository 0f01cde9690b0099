/**
 * What the server did, a line at a time: one for each request, one for each event of the log. For people in columns, for
 * programs as JSON.
 *
 * **Details**
 *
 * A line holds no header, no query, no body and no part of an address that opens a document; what a client wrote into
 * the path or as a key is bounded, printable and without what may be the number of a card.
 *
 * @since 0.1.0
 */
import { isLuhn } from "@parcela/core/cards/CardNumber"
import { wrapped } from "@parcela/core/language/Wrapping"
import { recordOf } from "@parcela/http/RequestRecord"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { isLoopback } from "./LocalOnly.ts"
import type { Responded } from "@parcela/node-server/NodeServer"

/**
 * @category options
 * @since 0.1.0
 */
export interface ActivityLogOptions {
  readonly format: "text" | "json"
  /** Whether text has colours. */
  readonly colour: boolean
  /** How wide the terminal is that text is for: what is longer is broken between words, and of requests the least is left out. */
  readonly columns?: number | undefined
  /** Takes whole lines; it must not wait for their reader. */
  readonly write: (lines: string) => void
}

/**
 * Takes each request that was responded to, with the machine's time of the response; it must not wait.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestSink = (line: RequestLine, at: number) => void

const longestPath = 120
const longestName = 40
const mostNames = 10

/**
 * An address without its query, and without the key of a document or the secret of a callback, which is all that they take.
 * Routes take several slashes for one, and clients may send the whole address.
 */
const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const clear = withoutEscapes(path)
  if (!/\/(?:documents|pix-callbacks)/i.test(clear)) return printable(path, longestPath)
  const open = clear.replace(/(\/documents\/+[^/]*\/+)[^/]+/gi, "$1…").replace(/(\/pix-callbacks[^/]*\/).+/i, "$1…")
  return printable(open, longestPath)
}

const isEscape = (text: string): boolean => /^%[0-7][\da-f]$/i.test(text)

/**
 * What an address says when its escapes are read, and those that come of reading them: so a secret is not written around. In
 * one pass, as a stranger may nest them as deep as an address is long.
 */
const withoutEscapes = (path: string): string => {
  if (!path.includes("%")) return path
  const clear: Array<string> = []
  for (const character of path) {
    clear.push(character)
    // What was read may end an escape that began before it.
    while (clear.at(-3) === "%" && isEscape(clear.slice(-3).join(""))) {
      const code = Number.parseInt(clear.slice(-2).join(""), 16)
      clear.splice(-3, 3, String.fromCharCode(code))
    }
  }
  return clear.join("")
}

/** Thirteen to nineteen digits, as people separate them, and as an address or `printable` writes a space. */
const longNumber = /\d(?:(?:%20|[?+.-])?\d){12,18}/gi

/** Without what may be a card's number, wherever a client put it. */
const withoutCards = (text: string): string =>
  text.replace(longNumber, (found) => (isLuhn(found.replace(/%20|\D/g, "")) ? "…" : found))

/** Letters, slashes and short numbers: nothing to replace, and no number of a card. One such path is in most lines. */
const plain = /^[A-Z_/]*(?:\d{1,9}[A-Z_/]+)*\d{0,9}$/i

const printable = (text: string, longest: number): string => {
  if (text.length <= longest && plain.test(text)) return text
  const clean = withoutCards(text.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, "?"))
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`
}

/**
 * A request that was responded to, as a log may have it: no header, no query, no body.
 *
 * @category models
 * @since 0.1.0
 */
export interface RequestLine {
  readonly method: string
  readonly path: string
  readonly status: number | undefined
  readonly ms: number
  readonly company: number | undefined
  readonly address: string | undefined
  readonly requestId: string
  readonly unknownKeys: ReadonlyArray<string>
  readonly faultyFields: ReadonlyArray<string>
}

const none: ReadonlyArray<string> = []

const bounded = (names: ReadonlyArray<string> = none): ReadonlyArray<string> =>
  names.length === 0 ? none : names.slice(0, mostNames).map((name) => printable(name, longestName))

const lineOf = ({ milliseconds, request, requestId, status }: Responded): RequestLine => {
  const notes = request === undefined ? undefined : recordOf(request)
  return {
    method: printable(request?.method ?? "-", 10),
    path: request === undefined ? "-" : pathOf(request.url ?? ""),
    status,
    ms: Math.round(milliseconds * 10) / 10,
    company: notes?.companyId,
    address: notes?.address,
    requestId,
    unknownKeys: bounded(notes?.unknownKeys),
    faultyFields: bounded(notes?.faultyFields)
  }
}

const paint = (code: number, text: string): string => `\u001b[${code}m${text}\u001b[39m`
const faint = (text: string): string => `\u001b[2m${text}\u001b[22m`

/** Red for what is our fault, yellow for the client's, and for one who hung up; green for the rest. */
const colourOf = (status: number | undefined): number =>
  status === undefined ? 33 : status >= 500 ? 31 : status >= 400 ? 33 : 32

const two = (value: number): string => String(value).padStart(2, "0")

/** The time of day here, as people who watch a terminal read it. */
const timeOf = (at: number): string => {
  const date = new Date(at)
  const millis = String(date.getMilliseconds()).padStart(3, "0")
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`
}

/** Up to here a terminal would break most lines: they have the time in seconds, and the id only to look for what went wrong. */
const narrow = 99

const asText = (line: RequestLine, at: number, { colour, columns = Infinity }: ActivityLogOptions): string => {
  const isNarrow = columns <= narrow
  const dim = colour ? faint : (text: string) => text
  const status = String(line.status ?? "gone").padEnd(4)
  const company = line.company === undefined ? "" : `company ${line.company}`
  const isWell = line.status !== undefined && line.status < 400
  const begin = [
    dim(isNarrow ? timeOf(at).slice(0, 8) : timeOf(at)),
    line.method.padEnd(6),
    colour ? paint(colourOf(line.status), status) : status,
    `${line.ms.toFixed(1).padStart(isNarrow ? 6 : 7)} ms`
  ]
  const end = isNarrow ? [line.path, ...(company === "" ? [] : [company])] : [company.padEnd(11), line.path]
  // At one's own machine it would say the same in every line.
  if (line.address !== undefined && !isLoopback(line.address)) end.push(`from ${line.address}`)
  if (!isNarrow || !isWell) end.push(dim(line.requestId))
  if (line.unknownKeys.length > 0) end.push(`unknown: ${line.unknownKeys.join(", ")}`)
  if (line.faultyFields.length > 0) end.push(`faulty: ${line.faultyFields.join(", ")}`)
  const gap = isNarrow ? " " : "  "
  return `${begin.join(gap)}${gap}${end.join("  ")}\n`
}

/** The same instant as the line before has the same text: with many requests several end in one millisecond. */
let lastInstant = { at: Number.NaN, text: "" }

const instantOf = (at: number): string => {
  if (lastInstant.at !== at) lastInstant = { at, text: new Date(at).toISOString() }
  return lastInstant.text
}

const named = (name: string, names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `,"${name}":${JSON.stringify(names)}`

/** What JSON writes as it is, as most of a line is. */
const clear = /^[\w/.:-]*$/

const quoted = (text: string): string => (clear.test(text) ? `"${text}"` : JSON.stringify(text))

/** Put together by hand, in a third of the time that a copy for `JSON.stringify` and its walk take: there is a line for each request. */
const asJson = (line: RequestLine, at: number): string =>
  // JSON has no undefined: who hung up got no status, and who is not known is nobody.
  `{"time":"${instantOf(at)}","event":"request","method":${quoted(line.method)},"path":${quoted(line.path)}` +
  `,"status":${line.status ?? null},"ms":${line.ms},"company":${line.company ?? null}` +
  `,"address":${line.address === undefined ? null : quoted(line.address)},"requestId":${quoted(line.requestId)}` +
  `${named("unknownKeys", line.unknownKeys)}${named("faultyFields", line.faultyFields)}}\n`

/**
 * Writes the line of a response, and hands it to who wants requests.
 *
 * @category logs
 * @since 0.1.0
 */
export const requests =
  (log: ActivityLogOptions | undefined, onRequest: RequestSink | undefined, clock: Clock.Clock) =>
  (responded: Responded): void => {
    const line = lineOf(responded)
    const at = clock.currentTimeMillisUnsafe()
    if (log !== undefined) log.write(log.format === "json" ? asJson(line, at) : asText(line, at, log))
    onRequest?.(line, at)
  }

const messageOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .map((part) => (part instanceof Error ? part.message : typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ")

const levels: { readonly [level: string]: number } = { Fatal: 31, Error: 31, Warn: 33 }

/**
 * Writes the events that the rest of the server logs, in the same form and to the same place as requests.
 *
 * @category logs
 * @since 0.1.0
 */
export const logger = (log: ActivityLogOptions): Logger.Logger<unknown, void> =>
  Logger.make(({ cause, date, fiber, logLevel, message }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    const trace = cause.reasons.length === 0 ? undefined : Cause.pretty(cause)
    writeEvent(log, { date, level: logLevel, text: messageOf(message), annotations, trace })
  })

/**
 * An event of the log.
 *
 * @category models
 * @since 0.1.0
 */
export interface Event {
  readonly date: Date
  readonly level: string
  readonly text: string
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly trace?: string | undefined
}

/**
 * Writes an event, also where there is no Effect any more that could log it.
 *
 * @category logs
 * @since 0.1.0
 */
export const writeEvent = (log: ActivityLogOptions, { annotations = {}, date, level, text, trace }: Event): void => {
  const { colour, columns: width = Infinity, format, write } = log
  if (format === "json") {
    const event = { time: date.toISOString(), level, message: text, ...annotations, cause: trace }
    write(`${JSON.stringify(event)}\n`)
    return
  }
  const label = level.toUpperCase().padEnd(5)
  const time = timeOf(date.getTime())
  const noted = Object.entries(annotations).map(([name, value]) => `${name}=${String(value)}`)
  const lines = wrapped([text, ...noted].join("  "), width - indent)
  const columns = [
    colour ? faint(time) : time,
    colour ? paint(levels[level] ?? 36, label) : label,
    lines.join(`\n${" ".repeat(indent)}`)
  ]
  write(`${columns.join("  ")}\n${trace === undefined ? "" : `${trace.replace(/^/gm, "    ")}\n`}`)
}

/** The time and the level stand before the text of an event. */
const indent = "00:00:00.000  ERROR  ".length
