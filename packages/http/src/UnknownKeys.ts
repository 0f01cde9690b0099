/**
 * The response header that names unknown keys of a request.
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

const maxNames = 20
const maxNameLength = 60

/**
 * Makes a client's text safe for a header: control characters are encoded, and digits that may be of a card are hidden.
 */
const shown = (field: string): string => {
  const hidden = field.toWellFormed().replace(/\d{6,}/gu, "…")
  const points = Array.from(hidden)
  return encodeURIComponent(points.length <= maxNameLength ? hidden : `${points.slice(0, maxNameLength - 1).join("")}…`)
}

/**
 * Adds `X-Unknown-Keys` to a response: names only, as `Entity.field`, percent-encoded and joined by commas. Of more
 * than 20 names, it lists the first 20 and the number of the others.
 *
 * @category headers
 * @since 0.1.0
 */
export const unknownKeysHeader = (
  response: HttpServerResponse.HttpServerResponse,
  unknownKeys: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse => {
  const names = unknownKeys.slice(0, maxNames).map(shown)
  const more = unknownKeys.length - names.length
  return HttpServerResponse.setHeader(
    response,
    unknownKeysName,
    more > 0 ? `${names.join(", ")}, and ${more} more` : names.join(", ")
  )
}
