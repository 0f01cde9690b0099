/**
 * How large a JSON value may be before anybody looks at what it holds: checking each of 300,000 wrong items costs a
 * second, counting them costs milliseconds.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "../errors/ErrorNode.ts"
import { keyOf } from "../errors/ErrorDetails.ts"

/**
 * Items of a list, and keys of an object: far more than any field of the interface takes.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostMembers = 1_000

/**
 * The first list or object in `json` that has too many members, under its `Entity.field`; undefined when none has.
 *
 * @category getters
 * @since 0.1.0
 */
export const oversized = (json: unknown, entity: string): ErrorDetails | undefined => {
  const waiting: Array<Node> = [{ value: json, key: "", parent: undefined }]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { value } = node
    if (typeof value !== "object" || value === null) continue
    const isList = Array.isArray(value)
    const count = isList ? value.length : Object.keys(value).length
    if (count > mostMembers) {
      const members = isList ? "items" : "fields"
      return { [keyOf(pathOf(node), entity)]: [`has ${count} ${members}, and at most ${mostMembers} are read`] }
    }
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === "object") waiting.push({ value: member, key: isList ? Number(key) : key, parent: node })
    }
  }
  return undefined
}

/**
 * How deep lists and objects may be nested: more than any operation's body.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostLevels = 64

/**
 * Whether JSON text is nested deeper than `mostLevels`: found without reading it as JSON, which takes half a second
 * for a mebibyte of brackets.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isTooDeep = (text: string): boolean => {
  let level = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isString) {
      // An escaped character ends no string.
      if (code === backslash) at++
      else if (code === quote) isString = false
    } else if (code === quote) isString = true
    else if (code === openBracket || code === openBrace) {
      if (++level > mostLevels) return true
    } else if (code === closeBracket || code === closeBrace) level--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** A value with its way back to the root: a path for each would cost the square of the depth. */
interface Node {
  readonly value: unknown
  readonly key: string | number
  readonly parent: Node | undefined
}

const pathOf = (node: Node): ReadonlyArray<string | number> => {
  const path: Array<string | number> = []
  for (let at = node; at.parent !== undefined; at = at.parent) path.unshift(at.key)
  return path
}
