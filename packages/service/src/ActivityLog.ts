/**
 * The log of a server: one line for each request and each log event, as text columns for terminals or as JSON for
 * programs.
 *
 * **Details**
 *
 * A line contains no headers, no query, no body and no key of a document. Texts from clients, such as paths and names
 * of fields, are bounded, printable and without numbers that may be card numbers.
 *
 * @since 0.1.0
 */
import { isLuhn } from "@parcela/core/cards/CardNumber"
import { wrapped } from "@parcela/core/language/Wrapping"
import { recordOf } from "@parcela/http/ReceivedRequest"
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import { isLoopback } from "./OperatorAccess.ts"
import type { Responded } from "@parcela/node-server/NodeServer"

/**
 * @category options
 * @since 0.1.0
 */
export interface ActivityLogOptions {
  readonly format: "text" | "json"
  /** True if text has colours. */
  readonly colour: boolean
  /**
   * The width of the terminal. Longer events are wrapped between words, and lines of requests leave out the least
   * important columns.
   */
  readonly columns?: number | undefined
  /** Writes whole lines. It must not block until they are read. */
  readonly write: (lines: string) => void
}

/**
 * Receives each request after its response, with the machine's time of the response. It must not block.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestSink = (line: RequestLine, at: number) => void

const maxPathLength = 120
const maxNameLength = 40
const maxNames = 10

/**
 * Returns a URL without its query, and without the key of a document or the secret of a callback, because each alone
 * grants access. The router merges repeated slashes, and clients may send an absolute URL.
 */
const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const clear = withoutEscapes(path)
  if (!/\/(?:documents|pix-callbacks)/i.test(clear)) return printable(path, maxPathLength)
  const open = clear.replace(/(\/documents\/+[^/]*\/+)[^/]+/gi, "$1…").replace(/(\/pix-callbacks[^/]*\/).+/i, "$1…")
  return printable(open, maxPathLength)
}

const isEscape = (text: string): boolean => /^%[0-7][\da-f]$/i.test(text)

/**
 * Decodes the escapes of a path, including escapes that decoding creates, so that an escaped secret is found too. It
 * runs in one pass, because clients can nest escapes as deep as the path is long.
 */
const withoutEscapes = (path: string): string => {
  if (!path.includes("%")) return path
  const clear: Array<string> = []
  for (const character of path) {
    clear.push(character)
    // The decoded character may complete an earlier escape.
    while (clear.at(-3) === "%" && isEscape(clear.slice(-3).join(""))) {
      const code = Number.parseInt(clear.slice(-2).join(""), 16)
      clear.splice(-3, 3, String.fromCharCode(code))
    }
  }
  return clear.join("")
}

/** Matches 13 to 19 digits with the usual separators, and with a space as a URL or `printable` writes it. */
const longNumber = /\d(?:(?:%20|[?+.-])?\d){12,18}/gi

/** Hides possible card numbers. */
const withoutCards = (text: string): string =>
  text.replace(longNumber, (found) => (isLuhn(found.replace(/%20|\D/g, "")) ? "…" : found))

/** Matches a path of letters, slashes and short numbers, which needs no changes. Most lines have such a path. */
const plain = /^[A-Z_/]*(?:\d{1,9}[A-Z_/]+)*\d{0,9}$/i

const printable = (text: string, longest: number): string => {
  if (text.length <= longest && plain.test(text)) return text
  const clean = withoutCards(text.replace(/[^\p{L}\p{N}\p{P}\p{S}]/gu, "?"))
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1)}…`
}

/**
 * A request with its response, as the log may show it: no headers, no query, no body.
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
  names.length === 0 ? none : names.slice(0, maxNames).map((name) => printable(name, maxNameLength))

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

/** Red for errors of the server; yellow for errors of the client and aborted requests; green for all others. */
const colourOf = (status: number | undefined): number =>
  status === undefined ? 33 : status >= 500 ? 31 : status >= 400 ? 33 : 32

const two = (value: number): string => String(value).padStart(2, "0")

/** Returns the local time of day, for readers of a terminal. */
const timeOf = (at: number): string => {
  const date = new Date(at)
  const millis = String(date.getMilliseconds()).padStart(3, "0")
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`
}

/** Up to this width most lines would wrap. They then show seconds only, and the request id only for errors. */
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
  // The loopback address would be the same in every line.
  if (line.address !== undefined && !isLoopback(line.address)) end.push(`from ${line.address}`)
  if (!isNarrow || !isWell) end.push(dim(line.requestId))
  if (line.unknownKeys.length > 0) end.push(`unknown: ${line.unknownKeys.join(", ")}`)
  if (line.faultyFields.length > 0) end.push(`faulty: ${line.faultyFields.join(", ")}`)
  const gap = isNarrow ? " " : "  "
  return `${begin.join(gap)}${gap}${end.join("  ")}\n`
}

/** Cache of the last formatted instant, because several requests often end in one millisecond. */
let lastInstant = { at: Number.NaN, text: "" }

const instantOf = (at: number): string => {
  if (lastInstant.at !== at) lastInstant = { at, text: new Date(at).toISOString() }
  return lastInstant.text
}

const named = (name: string, names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `,"${name}":${JSON.stringify(names)}`

/** Matches text that JSON does not escape, which is the usual case. */
const clear = /^[\w/.:-]*$/

const quoted = (text: string): string => (clear.test(text) ? `"${text}"` : JSON.stringify(text))

/**
 * Concatenates the JSON by hand. `JSON.stringify` with a copied object takes three times as long, and every request has
 * a line.
 */
const asJson = (line: RequestLine, at: number): string =>
  // JSON has no undefined: an aborted request has a null status, and an unauthenticated one a null company.
  `{"time":"${instantOf(at)}","event":"request","method":${quoted(line.method)},"path":${quoted(line.path)}` +
  `,"status":${line.status ?? null},"ms":${line.ms},"company":${line.company ?? null}` +
  `,"address":${line.address === undefined ? null : quoted(line.address)},"requestId":${quoted(line.requestId)}` +
  `${named("unknownKeys", line.unknownKeys)}${named("faultyFields", line.faultyFields)}}\n`

/**
 * Returns a function that logs a response and passes its line to `onRequest`.
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
 * Logs the server's events in the same format and to the same output as requests.
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
 * Writes an event, also outside of an Effect runtime.
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

/** The width of the time and level before an event's text. */
const indent = "00:00:00.000  ERROR  ".length
