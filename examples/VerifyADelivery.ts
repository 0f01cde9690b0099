/** Verifies a delivery with Node alone, for a receiver in a program without Effect. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

const tolerance = 5 * 60

/** Whether a delivery was signed with `secret` (`whsec_..`) in the five minutes before `now`. `body` is as it came, before any parsing. */
export const isSigned = (
  body: Uint8Array,
  headers: IncomingHttpHeaders,
  secret: string,
  now: number = Date.now()
): boolean => {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    String(headers[name])
  )
  const age = Math.abs(now / 1000 - Number(timestamp))
  // A timestamp that is no number has no age.
  if (!(age <= tolerance)) return false
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest()
  // During a rotation there are several.
  return String(signatures)
    .split(" ")
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64")
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}
