/**
 * What a request's header fields may not be, where Node takes them: fields that two parties could read differently.
 *
 * @since 0.1.0
 */
import { type ApiError, BadRequest } from "@parcela/transport/ApiError"
import type { IncomingMessage } from "node:http"

/**
 * @category models
 * @since 0.1.0
 */
export interface InvalidHeaders {
  readonly status: number
  readonly error: ApiError
}

const twice = (name: string): InvalidHeaders => ({
  status: 400,
  error: new BadRequest({ message: `The request has more than one ${name} header field` })
})

const twoHosts = twice("Host")
const twoAuthorizations = twice("Authorization")

const unknownCoding: InvalidHeaders = {
  status: 501,
  error: new BadRequest({ message: "Of all transfer codings only chunked is understood" })
}

const noHost: InvalidHeaders = { status: 400, error: new BadRequest({ message: "The request has no Host" }) }

/**
 * What is wrong with a request's header fields, if anything is: no Host or more than one (RFC 9112, section 3.2), a
 * transfer coding that is not read here (section 6.1), or two Authorization fields, of which Node keeps the first.
 *
 * @category getters
 * @since 0.1.0
 */
export const invalidHeadersOf = ({ httpVersion, rawHeaders }: IncomingMessage): InvalidHeaders | undefined => {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    // Node lists each name with its value.
    const name = rawHeaders[index]!
    // Lengths first: they are cheap, and this runs for each field of each request.
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
    else if (
      name.length === 17 &&
      name.toLowerCase() === "transfer-encoding" &&
      // Node lists each name with its value.
      rawHeaders[index + 1]!.trim().toLowerCase() !== "chunked"
    ) {
      return unknownCoding
    }
  }
  if (hosts > 1) return twoHosts
  if (hosts === 0 && httpVersion === "1.1") return noHost
  return authorizations > 1 ? twoAuthorizations : undefined
}
