/**
 * Text in the character set of the standard PDF fonts.
 *
 * @since 0.1.0
 */

// Characters of WinAnsiEncoding in addition to ASCII and Latin-1 (ISO 32000-1, annex D).
const extras = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"

const fits = (character: string): boolean =>
  /^[ -~\u00a1-\u00ac\u00ae-\u00ff]$/.test(character) || extras.includes(character)

const replaced = (character: string): string => {
  if (fits(character)) return character
  if (/^\s$/u.test(character)) return " "
  // Control characters, directions and joiners are invisible.
  if (/^[\p{Cc}\p{Cf}\p{M}]$/u.test(character)) return ""
  const plain = [...character.normalize("NFKD").replace(/\p{M}/gu, "")]
  return plain.length > 0 && plain.every(fits) ? plain.join("") : "?"
}

/**
 * Returns one line of text with characters of WinAnsiEncoding only. Other characters become their plain letters, or
 * `?`.
 *
 * **Gotchas**
 *
 * The PDF library writes other characters as broken hex, which garbles the whole line. All printed text must pass
 * through this function.
 *
 * @category conversions
 * @since 0.1.0
 */
export const printable = (text: string): string => [...text.normalize("NFC")].map(replaced).join("")

/**
 * Breaks text into at most `maximum` lines, none wider than `width`. Words wider than a line are broken. Text that
 * exceeds the last line is cut and ends in `…`.
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
  // Text may have a million characters; a line of a page has room for fewer than 400.
  const maxLength = maximum * 400
  const head = text.slice(0, maxLength)
  const lines: Array<string> = []
  for (const paragraph of head.split(/\r\n|[\n\r\u2028\u2029]/)) {
    lines.push(...wrapped(printable(paragraph).slice(0, maxLength).trim(), maximum + 1 - lines.length, width, widthOf))
    if (lines.length > maximum) break
  }
  if (lines.length <= maximum && head.length === text.length) return lines
  const fitting = lines.slice(0, maximum)
  const last = fitting.pop()
  return last === undefined ? [] : [...fitting, cut(last, width, widthOf)]
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
      const length = Math.max(
        fittingLength(line, (prefix) => widthOf(prefix) <= width),
        1
      )
      lines.push(line.slice(0, length))
      line = line.slice(length)
    }
    if (lines.length >= maximum) return lines.slice(0, maximum)
  }
  return [...lines, line]
}

function cut(line: string, width: number, widthOf: (line: string) => number): string {
  const fitting = line.slice(
    0,
    fittingLength(line, (prefix) => widthOf(`${prefix}…`) <= width)
  )
  return `${fitting.trimEnd()}…`
}

/** Returns the length of the longest prefix that fits, by binary search, because measuring is expensive. */
function fittingLength(line: string, fits: (prefix: string) => boolean): number {
  let fitting = 0
  let tooLong = line.length + 1
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2)
    if (fits(line.slice(0, middle))) fitting = middle
    else tooLong = middle
  }
  return fitting
}
