/**
 * The position of the first syntax error in a JSON text (RFC 8259), for messages to users.
 *
 * **Details**
 *
 * The error contains the position and the expected token, but nothing of the text, which may contain a card number.
 *
 * @since 0.1.0
 */

/**
 * A syntax error.
 *
 * @category models
 * @since 0.1.0
 */
export interface JsonSyntaxError {
  /** Line number from 1. A line feed, a carriage return, or both end a line. */
  readonly line: number
  /** Column from 1, in code points. */
  readonly column: number
  /** True if the text ends at this position. */
  readonly isEnd: boolean
  /** The expected token, with its article: "a value", "a comma or }". */
  readonly belongs: string
}

/**
 * Returns the first syntax error that `JSON.parse` would find; undefined if the text is JSON.
 *
 * @category getters
 * @since 0.1.0
 */
export const jsonSyntaxError = (text: string): JsonSyntaxError | undefined => {
  const open: Array<Bracket> = []
  let state: State = "value"
  let at = afterSpace(text, 0)
  while (true) {
    if (state === "end" && at === text.length) return undefined
    const read: Token = next(text, at, state, open)
    if ("belongs" in read) return faultAt(text, read.at, read.belongs)
    state = read.state
    at = afterSpace(text, read.at)
  }
}

/**
 * The message of a syntax error, without its subject: `is not JSON: at line 1, column 9 should be a value`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const jsonSyntaxMessage = ({ belongs, column, isEnd, line }: JsonSyntaxError): string =>
  isEnd
    ? `is not JSON: it ends at line ${line}, column ${column}, where ${belongs} should follow`
    : `is not JSON: at line ${line}, column ${column} should be ${belongs}`

type Bracket = "{" | "["

/** The parser state: the kind of token expected next. */
type State = "value" | "item" | "member" | "key" | "colon" | "more" | "end"

type Token = { readonly at: number; readonly state: State } | { readonly at: number; readonly belongs: string }

const closing = { "{": "}", "[": "]" } as const

const next = (text: string, at: number, state: State, open: Array<Bracket>): Token => {
  const character = text[at]
  const within = open.at(-1)
  switch (state) {
    case "value":
      return value(text, at, open, "a value")
    case "item":
      return character === "]" ? closed(at, open) : value(text, at, open, "a value or ]")
    case "member":
      return character === "}" ? closed(at, open) : key(text, at, "a key in double quotes or }")
    case "key":
      return key(text, at, "a key in double quotes")
    case "colon":
      return character === ":" ? { at: at + 1, state: "value" } : { at, belongs: "a colon" }
    case "more": {
      // An open bracket always surrounds this state; without a bracket the state would be "end".
      const end = closing[within!]
      if (character === end) return closed(at, open)
      return character === ","
        ? { at: at + 1, state: within === "{" ? "key" : "value" }
        : { at, belongs: `a comma or ${end}` }
    }
    case "end":
      return { at, belongs: "nothing more" }
  }
}

const closed = (at: number, open: Array<Bracket>): Token => {
  open.pop()
  return { at: at + 1, state: afterValue(open) }
}

const afterValue = (open: ReadonlyArray<Bracket>): State => (open.length === 0 ? "end" : "more")

const key = (text: string, at: number, belongs: string): Token => {
  if (text[at] !== '"') return { at, belongs }
  const read = quoted(text, at)
  return "belongs" in read ? read : { at: read.at, state: "colon" }
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

const value = (text: string, at: number, open: Array<Bracket>, belongs: string): Token => {
  const character = text[at]
  if (character === "{" || character === "[") {
    open.push(character)
    return { at: at + 1, state: character === "{" ? "member" : "item" }
  }
  if (character === '"') {
    const read = quoted(text, at)
    return "belongs" in read ? read : { at: read.at, state: afterValue(open) }
  }
  scalar.lastIndex = at
  return scalar.test(text) ? { at: scalar.lastIndex, state: afterValue(open) } : { at, belongs }
}

/** Characters that may follow a backslash. */
const escaped = new Set('"\\/bfnrt')

const hexadecimal = /[0-9a-fA-F]{4}/y

/** Returns the end of an escape sequence; undefined if it is invalid. */
const endOfEscape = (text: string, at: number): number | undefined => {
  const character = text[at + 1] ?? ""
  if (escaped.has(character)) return at + 2
  hexadecimal.lastIndex = at + 2
  return character === "u" && hexadecimal.test(text) ? at + 6 : undefined
}

const quoted = (
  text: string,
  from: number
): { readonly at: number } | { readonly at: number; readonly belongs: string } => {
  for (let at = from + 1; at < text.length; at++) {
    // The index is below the length of the text.
    const character = text[at]!
    if (character === '"') return { at: at + 1 }
    if (character < " ") return { at, belongs: "the rest of a text, with escaped control characters" }
    if (character !== "\\") continue
    const end = endOfEscape(text, at)
    if (end === undefined) return { at, belongs: 'an escape such as \\n, \\" or \\u00e9' }
    at = end - 1
  }
  return { at: text.length, belongs: "a closing double quote" }
}

const afterSpace = (text: string, from: number): number => {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** Space, tab, line feed and carriage return only (RFC 8259, section 2). */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d

const faultAt = (text: string, at: number, belongs: string): JsonSyntaxError => {
  let line = 1
  let column = 1
  for (let index = 0; index < at; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(index + 1) !== 0x0a)) {
      line++
      column = 1
    } else if (!isSecondHalf(text, index)) column++
  }
  return { line, column, isEnd: at === text.length, belongs }
}

/** True for the second code unit of a surrogate pair. */
const isSecondHalf = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index)
  if (code < 0xdc00 || code > 0xdfff || index === 0) return false
  const before = text.charCodeAt(index - 1)
  return before >= 0xd800 && before <= 0xdbff
}
