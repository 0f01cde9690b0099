/**
 * Refuses requests that Node accepts although two parties could interpret their headers differently.
 *
 * @since 0.1.0
 */
import type { IncomingMessage } from "node:http"

/**
 * The status and message of a request that the server refuses itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refusal {
  readonly status: number
  readonly message: string
}

const unknownCoding: Refusal = { status: 501, message: "Of all transfer codings only chunked is understood" }

const noHost: Refusal = { status: 400, message: "The request has no Host" }

const twoHosts: Refusal = { status: 400, message: "The request has more than one Host header field" }

const twoAuthorizations: Refusal = { status: 400, message: "The request has more than one Authorization header field" }

/**
 * Returns the refusal of a request with invalid headers: no Host or more than one (RFC 9112, section 3.2), an unknown
 * transfer coding (section 6.1), or two Authorization headers, of which Node uses the first.
 *
 * @category getters
 * @since 0.1.0
 */
export const refusalOf = ({ httpVersion, rawHeaders }: IncomingMessage): Refusal | undefined => {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    // Node lists each name with its value.
    const name = rawHeaders[index]!
    // Lengths are compared first because this runs for each field of each request.
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
