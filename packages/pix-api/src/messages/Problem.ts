/**
 * Errors of API Pix: `application/problem+json` (RFC 7807).
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * What is not there is absent: some providers leave out what the specification requires.
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
 * Where the types of problems are, each at its name below it.
 *
 * @category constants
 * @since 0.1.0
 */
export const problemTypes = "https://pix.bcb.gov.br/api/v2/error/"

const decode = Schema.decodeUnknownOption(Problem)
const longest = 255

/**
 * Code and message of a problem: the last part of its type, and what it says, without the values that it objects to, which
 * may be personal data. A body that is no problem has the status as its code.
 *
 * @category conversions
 * @since 0.1.0
 */
export const reasonOf = (status: number, body: unknown): { readonly code: string; readonly message: string } => {
  const { detail, title, type, violacoes = [] } = Option.getOrElse(decode(body), (): Problem => ({}))
  const said = [detail ?? title, ...violacoes.map(({ propriedade, razao }) => [propriedade, razao].join(": "))]
  const message = said.filter((part) => part !== undefined && part !== "").join("; ")
  return {
    code: type?.split("/").at(-1) || String(status),
    message: message === "" ? `The Pix provider responded with ${status}` : message.slice(0, longest)
  }
}
