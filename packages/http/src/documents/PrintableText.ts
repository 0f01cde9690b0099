/**
 * Text of any origin as the fonts that every PDF reader has can print it.
 *
 * @since 0.1.0
 */

// What WinAnsiEncoding has beside ASCII and Latin-1 (ISO 32000-1, annex D).
const extras = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"

const fits = (character: string): boolean =>
  /^[ -~\u00a1-\u00ac\u00ae-\u00ff]$/.test(character) || extras.includes(character)

const replaced = (character: string): string => {
  if (fits(character)) return character
  if (/^\s$/u.test(character)) return " "
  // Control characters, directions, joiners: nothing to see.
  if (/^[\p{Cc}\p{Cf}\p{M}]$/u.test(character)) return ""
  const plain = [...character.normalize("NFKD").replace(/\p{M}/gu, "")]
  return plain.length > 0 && plain.every(fits) ? plain.join("") : "?"
}

/**
 * One line of text with only the characters of WinAnsiEncoding: others become their plain letters, or `?`.
 *
 * **Gotchas**
 *
 * The PDF library writes any other character as broken hex, which garbles the whole line; so everything printed comes
 * through here.
 *
 * @category conversions
 * @since 0.1.0
 */
export const printable = (text: string): string => [...text.normalize("NFC")].map(replaced).join("")

/**
 * Text broken into at most `maximum` lines, none wider than `width`. Words too wide for a line are broken, and what
 * does not fit at all is cut, which `…` shows.
 *
 * @category layout
 * @since 0.1.0
 */
export const linesOf = (
  text: string,
  {
    maximum,
    width,
    widthOf
  }: {
    readonly maximum: number
    readonly width: number
    readonly widthOf: (line: string) => number
  }
): ReadonlyArray<string> => {
  // A text may have a million characters; no line of a page has room for 400.
  const longest = maximum * 400
  const head = text.slice(0, longest)
  const lines: Array<string> = []
  for (const paragraph of head.split(/\r\n|[\n\r\u2028\u2029]/)) {
    lines.push(...wrapped(printable(paragraph).slice(0, longest).trim(), maximum + 1 - lines.length, width, widthOf))
    if (lines.length > maximum) break
  }
  if (lines.length <= maximum && head.length === text.length) return lines
  const kept = lines.slice(0, maximum)
  const last = kept.pop()
  return last === undefined ? [] : [...kept, cut(last, width, widthOf)]
}

function wrapped(
  text: string,
  maximum: number,
  width: number,
  widthOf: (line: string) => number
): ReadonlyArray<string> {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/ +/)) {
    const longer = line === "" ? word : `${line} ${word}`
    if (widthOf(longer) <= width) {
      line = longer
      continue
    }
    if (line !== "") lines.push(line)
    line = word
    while (widthOf(line) > width && lines.length < maximum) {
      const fitting = Math.max(
        longestFit(line, (prefix) => widthOf(prefix) <= width),
        1
      )
      lines.push(line.slice(0, fitting))
      line = line.slice(fitting)
    }
    if (lines.length >= maximum) return lines.slice(0, maximum)
  }
  return [...lines, line]
}

function cut(line: string, width: number, widthOf: (line: string) => number): string {
  const kept = line.slice(
    0,
    longestFit(line, (prefix) => widthOf(`${prefix}…`) <= width)
  )
  return `${kept.trimEnd()}…`
}

/** Length of the longest beginning of a line that fits, by halving: to measure is what costs. */
function longestFit(line: string, fits: (prefix: string) => boolean): number {
  let fitting = 0
  let tooLong = line.length + 1
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2)
    if (fits(line.slice(0, middle))) fitting = middle
    else tooLong = middle
  }
  return fitting
}
