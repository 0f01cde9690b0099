/**
 * The public URL of the server for payers, if it differs from the listening address.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"

/**
 * Maximum length of a public URL. The longest link below the URL adds 56 characters, and the interface limits links to
 * 255 (section 3, `Boleto.pdf`).
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
 * An http or https URL without user name, query and fragment, of at most 180 characters. Decoding drops a final slash
 * and normalizes the host name.
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
