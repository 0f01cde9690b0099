/**
 * Replacements for the messages of the schema library, which users never see.
 *
 * @since 0.1.0
 */

/** Library phrases and their replacements. The first matching row applies. */
const rows: ReadonlyArray<readonly [theirs: RegExp, ours: string]> = [
  [/^an integer$/u, "a whole number"],
  [/^a (?:string representing a |string that will be decoded as a )?(?:finite )?number$/u, "a number"],
  [/^a value between (\S+) and (\S+)$/u, "from $1 to $2"],
  [/^a value greater than or equal to (.+)$/u, "at least $1"],
  [/^a value less than or equal to (.+)$/u, "at most $1"],
  [/^a value greater than (.+)$/u, "more than $1"],
  [/^a value less than (.+)$/u, "less than $1"],
  [/^a string with at (least|most) (\d+) code points$/u, "text of at $1 $2 characters"],
  [/^a value with a length of at least 1$/u, "not empty"],
  [/^a value with a length of at (least|most) (\d+)$/u, "of a length of at $1 $2"],
  [/^an array with unique (?:items|keys)$/u, "a list in which nothing stands twice"],
  [/^(?:JSON value|a valid JSON (?:string|body))$/u, "valid JSON"],
  [/^a base64 encoded string.*$/u, "text in base64"],
  [/^a string (?:starting with|ending with|including) .*$/u, "text of another form"]
]

/** True for a library message: such messages mention values, strings or type names. */
const isTechnical = (words: string): boolean =>
  /[<>|&]|^an? (?:value|string|array|valid|readable)\b|\b(?:string|array|decoded|RegExp|schema|excess|member)\b|^[A-Z]\w*(?:\.\w+)*$/u.test(
    words
  )

/**
 * Describes an expected value, to follow "must be", without library terms.
 *
 * @category conversions
 * @since 0.1.0
 */
export const plain = (expected: string): string => {
  for (const [theirs, ours] of rows) if (theirs.test(expected)) return expected.replace(theirs, ours)
  return expected === "" || isTechnical(expected) ? "a value of another form" : expected
}
