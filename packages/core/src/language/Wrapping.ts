/**
 * Line breaks for text in a terminal, which breaks lines within words by itself.
 *
 * @since 0.1.0
 */

/**
 * Splits a text into lines of at most `width` columns, between words. A longer word stays whole on its own line, so
 * that users can copy it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
