/**
 * Checks of JSON: size limits and duplicate keys of a text before it is parsed, and equality of values. `JSON.parse`
 * silently takes the last of two values with the same key; with two values for an amount, the intended value is unknown
 * (RFC 8259, section 4).
 *
 * @since 0.1.0
 */
import { type ErrorDetails, keyOf } from "../errors/ErrorDetails.ts"

/**
 * Maximum number of items of a list, and of fields of an object. No field of the interface accepts more.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxMembers = 1_000

/** Maximum number of items and fields in the whole text. */
const maxValues = 10_000

/** Maximum nesting of lists and objects. */
const maxLevels = 64

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** An open list or object. */
interface Level {
  readonly isList: boolean
  /** Number of members before the current member. */
  members: number
  /** Position of the last text on this level: the key, if the current member is a list or an object. */
  keyStart: number
  keyEnd: number
}

/**
 * Returns the first limit that a JSON text exceeds, under its `Entity.field`; undefined if the text is within all
 * limits. In a text that is not JSON, brackets and commas are counted.
 *
 * @category getters
 * @since 0.1.0
 */
export const exceededLimit = (text: string, entity: string): ErrorDetails | undefined => {
  const open: Array<Level> = []
  let level: Level | undefined
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfText(text, at)
      if (level !== undefined) {
        level.keyStart = at
        level.keyEnd = end
      }
      at = end
    } else if (code === openBracket || code === openBrace) {
      if (open.length === maxLevels) {
        return { [`${entity}.body`]: [`is nested deeper than ${maxLevels} levels, the maximum`] }
      }
      level = { isList: code === openBracket, members: 0, keyStart: 0, keyEnd: 0 }
      open.push(level)
      values++
    } else if (code === closeBracket || code === closeBrace) {
      open.pop()
      level = open.at(-1)
    } else if (code === comma && level !== undefined) {
      values++
      // A comma separates two members.
      if (++level.members === maxMembers) {
        const kind = level.isList ? "items" : "fields"
        return { [keyOf(pathOf(text, open), entity)]: [`has more than ${maxMembers} ${kind}`] }
      }
    }
    if (values > maxValues) return { [`${entity}.body`]: [`has more than ${maxValues} items and fields in total`] }
  }
  return undefined
}

/** The path to the innermost open list or object. */
const pathOf = (text: string, open: ReadonlyArray<Level>): ReadonlyArray<string | number> =>
  open.slice(0, -1).map(({ isList, keyEnd, keyStart, members }) => (isList ? members : keyAt(text, keyStart, keyEnd)))

const keyAt = (text: string, start: number, end: number): string => {
  try {
    return String(JSON.parse(text.slice(start, end + 1)))
  } catch {
    return text.slice(start + 1, end)
  }
}

/** An open object or list, and the current position in it. */
interface KeyLevel {
  /** Keys of the object so far; undefined for a list. */
  readonly keys: Set<string> | undefined
  at: string | number
}

/**
 * Returns the paths of duplicate keys in a JSON text, one per repetition.
 *
 * @category getters
 * @since 0.1.0
 */
export const duplicateKeys = (json: string): ReadonlyArray<ReadonlyArray<string | number>> => {
  const open: Array<KeyLevel> = []
  const repeated: Array<ReadonlyArray<string | number>> = []
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      const end = endOfText(json, at)
      const level = open.at(-1)
      // A text followed by a colon is a key.
      if (level?.keys !== undefined && isColonNext(json, end + 1)) {
        level.at = textOf(json.slice(at, end + 1))
        if (level.keys.has(level.at)) repeated.push(open.map((outer) => outer.at))
        level.keys.add(level.at)
      }
      at = end
    } else if (code === openBrace) open.push({ keys: new Set(), at: "" })
    else if (code === openBracket) open.push({ keys: undefined, at: 0 })
    else if (code === closeBrace || code === closeBracket) open.pop()
    else if (code === comma) {
      const level = open.at(-1)
      if (typeof level?.at === "number") level.at++
    }
  }
  return repeated
}

/**
 * The position of the quote that ends the text starting at `start`: the first unescaped quote. Without an end, the
 * length of `json`.
 */
const endOfText = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}

const isColonNext = (json: string, from: number): boolean => {
  let at = from
  while (json.charCodeAt(at) <= 0x20) at++
  return json.charCodeAt(at) === colon
}

const textOf = (quoted: string): string => (quoted.includes("\\") ? String(JSON.parse(quoted)) : quoted.slice(1, -1))

/**
 * True if both values are the same JSON, independent of the order of fields. A field that is `undefined` counts as
 * absent.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  for (const name of Object.keys(one)) if (!isSameJson(one[name], other[name])) return false
  for (const name of Object.keys(other)) if (one[name] === undefined && other[name] !== undefined) return false
  return true
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
