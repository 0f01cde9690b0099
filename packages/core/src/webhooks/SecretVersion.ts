/**
 * The numbered secrets of a webhook endpoint. A rotation creates a new secret; the earlier secrets stay valid for an
 * overlap, so that the receiver can switch without losing deliveries.
 *
 * A version contains no secret: the secret is derived from the master key and `salt`.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { latest, MachineTime } from "../time/Instant.ts"

/**
 * @category schemas
 * @since 0.1.0
 */
export const SecretVersion = Schema.Struct({
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** Random text; empty for the first secret of the default endpoint (`PUT /webhooks`). */
  salt: Schema.String,
  createdAt: MachineTime,
  /** End of validity: no delivery is signed with the secret from this instant on. Absent in the newest version. */
  notAfter: Schema.optionalKey(MachineTime)
})

/**
 * @category models
 * @since 0.1.0
 */
export type SecretVersion = typeof SecretVersion.Type

/**
 * All versions, newest first. The newest has no end, so there is always a secret for signing.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SecretVersions = Schema.NonEmptyArray(SecretVersion)

/**
 * @category models
 * @since 0.1.0
 */
export type SecretVersions = typeof SecretVersions.Type

/**
 * Maximum number of secrets that sign a delivery. Each adds 48 characters to the signature header.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxValid = 4

/** Maximum number of stored versions. Ended versions stay listed for a while, to explain refused signatures. */
const maxStored = 10

/**
 * A rotation was refused because too many earlier secrets are still valid. A rotation without overlap is never refused.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManySecrets extends Schema.TaggedError<TooManySecrets>()("TooManySecrets", {
  /** The next end of validity among the earlier secrets. */
  until: MachineTime
}) {
  override get message() {
    return (
      `${maxValid} secrets are valid, and the next of them ends at ${new Date(this.until).toISOString()}: ` +
      "rotate again after that, end the earlier ones first, or rotate without an overlap"
    )
  }
}

/**
 * The first version of an endpoint.
 *
 * @category constructors
 * @since 0.1.0
 */
export const first = (salt: string, now: MachineTime): SecretVersions => [{ version: 1, salt, createdAt: now }]

/**
 * The versions that sign deliveries at an instant, newest first.
 *
 * @category getters
 * @since 0.1.0
 */
export const validAt = ([newest, ...earlier]: SecretVersions, now: MachineTime): SecretVersions => [
  newest,
  ...earlier.filter(({ notAfter }) => notAfter !== undefined && notAfter > now)
]

/**
 * Adds a new version. The valid versions end at most `overlap` milliseconds from `now`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const rotate = (
  versions: SecretVersions,
  { now, overlap, salt }: { readonly now: MachineTime; readonly overlap: number; readonly salt: string }
): Result.Result<SecretVersions, TooManySecrets> => {
  const ended = endingBy(versions, MachineTime.make(Math.min(now + overlap, latest)))
  const newest: SecretVersion = { version: versions[0].version + 1, salt, createdAt: now }
  const [, ...stillValid] = validAt([newest, ...ended], now)
  return stillValid.length >= maxValid
    ? Result.fail(new TooManySecrets({ until: firstEnd(stillValid) }))
    : Result.succeed([newest, ...ended.slice(0, maxStored - 1)])
}

/**
 * Ends the overlap: only the newest version stays valid.
 *
 * @category decisions
 * @since 0.1.0
 */
export const endOverlap = ([newest, ...earlier]: SecretVersions, now: MachineTime): SecretVersions => [
  newest,
  ...endingBy(earlier, now)
]

const endingBy = (versions: ReadonlyArray<SecretVersion>, end: MachineTime): ReadonlyArray<SecretVersion> =>
  versions.map((one) => (one.notAfter !== undefined && one.notAfter <= end ? one : { ...one, notAfter: end }))

const firstEnd = (versions: ReadonlyArray<SecretVersion>): MachineTime =>
  MachineTime.make(Math.min(...versions.map(({ notAfter }) => notAfter ?? latest)))
