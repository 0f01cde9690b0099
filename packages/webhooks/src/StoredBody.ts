/**
 * The signed body of a delivery as it is stored: every byte of it, and yet without its `confirmHash`.
 *
 * A store of deliveries should hold no secret, and a signature can be verified again only over the very bytes that came.
 * So each occurrence of the `confirmHash` is replaced by a control character, which JSON cannot contain unescaped, and
 * a receiver that has the configured `confirmHash` puts it back.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"

/**
 * The text of a body with each occurrence of `confirmHash` replaced. `text` has to be valid JSON.
 *
 * **Details**
 *
 * `restore` gives the text back, byte for byte. The exception is a `confirmHash` whose letters are written as `\u` escapes:
 * it is taken out for good, and the signature of such a body cannot be verified again.
 *
 * @category conversions
 * @since 0.1.0
 */
export const mask = (text: string, confirmHash: Redacted.Redacted<string>): string => {
  const value = Redacted.value(confirmHash)
  if (value === "") return text
  const masked = formsOf(value).reduce((masked, [mark, form]) => masked.replaceAll(form, mark), text)
  if (formsOf(value).some(([mark]) => masked.includes(mark))) return masked
  return masked.replace(stringLiteral, (literal) => (parsed(literal) === value ? `"${lost}"` : literal))
}

/**
 * The text of a body as it was signed.
 *
 * @category conversions
 * @since 0.1.0
 */
export const restore = (masked: string, confirmHash: Redacted.Redacted<string>): string =>
  formsOf(Redacted.value(confirmHash)).reduce((text, [mark, form]) => text.replaceAll(mark, () => form), masked)

/**
 * The masked text as JSON that can be parsed; what was masked is empty.
 *
 * @category conversions
 * @since 0.1.0
 */
export const withoutMarks = (masked: string): string => masked.replace(marks, "")

/**
 * Whether one text was masked and no more, in the form that it is expected in.
 *
 * @category conversions
 * @since 0.1.0
 */
export const isMaskedOnce = (masked: string): boolean => {
  const first = masked.indexOf(plain)
  return (
    first !== -1 &&
    masked.indexOf(plain, first + 1) === -1 &&
    !masked.includes(slashesEscaped) &&
    !masked.includes(lost)
  )
}

// SUBSTITUTE, and two of its neighbours: below U+0020, so that valid JSON has them in escaped form only.
const plain = "\u001a"
const slashesEscaped = "\u001c"
const lost = "\u001d"
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const marks = /[\u001a\u001c\u001d]/gu
const stringLiteral = /"(?:[^"\\]|\\.)*"/gu

/** How JSON writers put a text between quotation marks: PHP's escapes slashes too. */
const formsOf = (value: string): ReadonlyArray<readonly [mark: string, form: string]> => {
  const form = JSON.stringify(value).slice(1, -1)
  return form.includes("/")
    ? [
        [slashesEscaped, form.replaceAll("/", "\\/")],
        [plain, form]
      ]
    : [[plain, form]]
}

const parsed = (literal: string): unknown => {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}
