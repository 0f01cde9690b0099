/**
 * Duplicate keys in JSON objects. `JSON.parse` silently takes the last value. With two values for an amount, the
 * intended value is unknown (RFC 8259, section 4).
 *
 * @since 0.1.0
 */

/** An open object or list, and the current position in it. */
interface Level {
  /** Keys of the object so far; undefined for a list. */
  readonly keys: Set<string> | undefined
  at: string | number
}

const [quote, backslash, colon, comma, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x3a, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d
]

/**
 * Returns the paths of duplicate keys in a JSON text, one per repetition.
 *
 * @category getters
 * @since 0.1.0
 */
export const repeatedKeys = (json: string): ReadonlyArray<ReadonlyArray<string | number>> => {
  const open: Array<Level> = []
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
 *
 * @category getters
 * @since 0.1.0
 */
export const endOfText = (json: string, start: number): number => {
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
