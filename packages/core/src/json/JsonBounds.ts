/**
 * Limits of a JSON text, checked in one pass before it is parsed.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "../errors/ErrorNode.ts"
import { keyOf } from "../errors/ErrorDetails.ts"
import { endOfText } from "./RepeatedKeys.ts"

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

/** An open list or object. */
interface Level {
  readonly isList: boolean
  /** Number of members before the current member. */
  members: number
  /** Position of the last text on this level: the key, if the current member is a list or an object. */
  keyStart: number
  keyEnd: number
}

const [quote, comma, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Returns the first limit that a JSON text exceeds, under its `Entity.field`; undefined if the text is within all
 * limits. In a text that is not JSON, brackets and commas are counted.
 *
 * @category getters
 * @since 0.1.0
 */
export const oversized = (text: string, entity: string): ErrorDetails | undefined => {
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
        return { [`${entity}.body`]: [`is nested deeper than ${maxLevels} levels, which is the most that is read`] }
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
    if (values > maxValues) return { [`${entity}.body`]: [`has more than ${maxValues} items and fields in all`] }
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
