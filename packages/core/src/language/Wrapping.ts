/**
 * Text for people in lines of a terminal, which by itself breaks them within words.
 *
 * @since 0.1.0
 */

/**
 * A text in lines of so many columns, broken between words. A word that is longer is a line of its own, whole, as a person may copy it.
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
