/**
 * Errors of API Pix: `application/problem+json` (RFC 7807).
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * The body of an error. Every field is optional, because some providers omit required fields.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Problem = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.String),
  status: Schema.optionalKey(Schema.Int),
  detail: Schema.optionalKey(Schema.String),
  violacoes: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ razao: Schema.optionalKey(Schema.String), propriedade: Schema.optionalKey(Schema.String) })
    )
  )
})

/**
 * @category models
 * @since 0.1.0
 */
export type Problem = typeof Problem.Type

/**
 * The common prefix of problem types.
 *
 * @category constants
 * @since 0.1.0
 */
export const problemTypes = "https://pix.bcb.gov.br/api/v2/error/"

const decode = Schema.decodeUnknownOption(Problem)
const maxMessageLength = 255

/**
 * Returns code and message of a problem. The code is the last segment of its type, or the HTTP status of another body. The
 * message does not contain the refused values, which may be personal data.
 *
 * @category conversions
 * @since 0.1.0
 */
export const reasonOf = (status: number, body: unknown): { readonly code: string; readonly message: string } => {
  const { detail, title, type, violacoes = [] } = Option.getOrElse(decode(body), (): Problem => ({}))
  const texts = [detail ?? title, ...violacoes.map(({ propriedade, razao }) => [propriedade, razao].join(": "))]
  const message = texts.filter((part) => part !== undefined && part !== "").join("; ")
  return {
    code: type?.split("/").at(-1) || String(status),
    message: message === "" ? `The Pix provider responded with ${status}` : message.slice(0, maxMessageLength)
  }
}
