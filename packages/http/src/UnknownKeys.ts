/**
 * The response header that names the keys of a request that nothing reads.
 *
 * @since 0.1.0
 */
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * The header's name.
 *
 * @category headers
 * @since 0.1.0
 */
export const unknownKeysName = "x-unknown-keys"

const mostNames = 20
const longestName = 60

/** A client wrote it: what could end a header is encoded, and digits that may be of a card are not shown. */
const shown = (field: string): string => {
  const hidden = field.toWellFormed().replace(/\d{6,}/gu, "…")
  const points = Array.from(hidden)
  return encodeURIComponent(points.length <= longestName ? hidden : `${points.slice(0, longestName - 1).join("")}…`)
}

/**
 * The response with `X-Unknown-Keys`: names only, as `Entity.field`, percent-encoded and joined by commas; of more than 20 the
 * first, and how many there are.
 *
 * @category headers
 * @since 0.1.0
 */
export const unknownKeysHeader = (
  response: HttpServerResponse.HttpServerResponse,
  unknownKeys: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse => {
  const names = unknownKeys.slice(0, mostNames).map(shown)
  const more = unknownKeys.length - names.length
  return HttpServerResponse.setHeader(
    response,
    unknownKeysName,
    more > 0 ? `${names.join(", ")}, and ${more} more` : names.join(", ")
  )
}
