/**
 * The address under which payers reach the server, when that is not the address it listens on.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/**
 * The longest public address. The longest link below it has 56 characters more with the largest identifier, and the
 * interface gives a link 255 (section 3, `Boleto.pdf`).
 */
const maximumLength = 180

const isPublic = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.username === "" &&
    url.password === "" &&
    !/[?#\\\s]/.test(text)
  )
}

const withoutSlash = (text: string): string => (isPublic(text) ? new URL(text).href.replace(/\/+$/, "") : text)

/**
 * An http or https address without user name, query and fragment, of at most 180 characters. A slash at its end is
 * dropped, and a host name is written as it is looked up.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PublicUrl = Schema.String.pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.makeFilter(isPublic, {
        expected: "an http or https address without user name, query and fragment, such as https://billing.example.com"
      }),
      Schema.isMaxLength(maximumLength, { expected: `at most ${maximumLength} characters` })
    ),
    { decode: SchemaGetter.transform(withoutSlash), encode: SchemaGetter.passthrough() }
  )
)
