/**
 * Why a delivery's signature is not accepted, and what to do about it. No error shows the body, a secret or a signature.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The three headers of a signed delivery.
 *
 * @category models
 * @since 0.1.0
 */
export const SignatureHeader = Schema.Literals(["webhook-id", "webhook-timestamp", "webhook-signature"])

/**
 * @category models
 * @since 0.1.0
 */
export type SignatureHeader = typeof SignatureHeader.Type

/**
 * A header of a signed delivery is not there, or empty.
 *
 * @category errors
 * @since 0.1.0
 */
export class MissingHeader extends Schema.TaggedError<MissingHeader>()("MissingHeader", { header: SignatureHeader }) {
  override get message() {
    return `The header ${this.header} is missing: only a delivery that is signed by Standard Webhooks is accepted`
  }
}

/**
 * `webhook-id` is not one plain identifier.
 *
 * @category errors
 * @since 0.1.0
 */
export class BadId extends Schema.TaggedError<BadId>()("BadId", {}) {
  override get message() {
    return "The header webhook-id is sent once: 1 to 255 visible ASCII characters without full stop or comma"
  }
}

/**
 * `webhook-timestamp` is not a whole number of seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class BadTimestamp extends Schema.TaggedError<BadTimestamp>()("BadTimestamp", {}) {
  override get message() {
    return "The header webhook-timestamp is sent once, as whole seconds since 1970-01-01T00:00:00Z"
  }
}

/**
 * The delivery was signed too long ago: an old one is repeated, or a clock is wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooOld extends Schema.TaggedError<TooOld>()("TooOld", {
  ageSeconds: Schema.Int,
  toleranceSeconds: Schema.Finite
}) {
  override get message() {
    return (
      `The delivery was signed ${this.ageSeconds} s ago and ${this.toleranceSeconds} s are tolerated: ` +
      "sign each try anew, and set the clocks of both ends by NTP"
    )
  }
}

/**
 * The delivery was signed in the receiver's future: a clock is wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooNew extends Schema.TaggedError<TooNew>()("TooNew", {
  aheadSeconds: Schema.Int,
  toleranceSeconds: Schema.Finite
}) {
  override get message() {
    return (
      `The delivery was signed ${this.aheadSeconds} s in the future and ${this.toleranceSeconds} s are ` +
      "tolerated: set the clocks of both ends by NTP"
    )
  }
}

/**
 * No signature of the delivery fits the body under any secret.
 *
 * @category errors
 * @since 0.1.0
 */
export class NoSignatureMatches extends Schema.TaggedError<NoSignatureMatches>()("NoSignatureMatches", {}) {
  override get message() {
    return "No v1 signature fits: compare the secrets of both ends, and verify the body as it came, before any parsing"
  }
}

/**
 * @category errors
 * @since 0.1.0
 */
export class SignatureError extends Schema.TaggedError<SignatureError>()("SignatureError", {
  reason: Schema.Union([MissingHeader, BadId, BadTimestamp, TooOld, TooNew, NoSignatureMatches])
}) {
  override get message() {
    return this.reason.message
  }
}
