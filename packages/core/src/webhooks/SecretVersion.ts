/**
 * The numbered secrets of a webhook endpoint. A rotation makes a new one and lets the earlier ones stay valid for an
 * overlap, so that the receiver can change over while deliveries go on.
 *
 * What is here is no secret: the secret itself is derived from the master key and `salt`.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { latest } from "../time/EpochMillis.ts"
import { MachineTime } from "../time/MachineTime.ts"

/**
 * @category schemas
 * @since 0.1.0
 */
export const SecretVersion = Schema.Struct({
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** Random; empty for the first secret of the endpoint that `PUT /webhooks` edits. */
  salt: Schema.String,
  createdAt: MachineTime,
  /** From this instant on nothing is signed with it; absent while no later version is there. */
  notAfter: Schema.optionalKey(MachineTime)
})

/**
 * @category models
 * @since 0.1.0
 */
export type SecretVersion = typeof SecretVersion.Type

/**
 * Newest first. The newest has no end, so that there is always one to sign with.
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
 * How many secrets a delivery is signed with at most: each adds 48 characters to its signature header.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostValid = 4

/** Those that ended are listed for a while, for those who look for the reason of a refusal. */
const mostKept = 10

/**
 * A rotation is refused: too many earlier secrets are still valid. One without an overlap is never refused.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooManySecrets extends Schema.TaggedError<TooManySecrets>()("TooManySecrets", {
  /** When the next of them ends. */
  until: MachineTime
}) {
  override get message() {
    return (
      `${mostValid} secrets are valid, and the next of them ends at ${new Date(this.until).toISOString()}: ` +
      "rotate again after that, end the earlier ones first, or rotate without an overlap"
    )
  }
}

/**
 * The first version.
 *
 * @category constructors
 * @since 0.1.0
 */
export const first = (salt: string, now: MachineTime): SecretVersions => [{ version: 1, salt, createdAt: now }]

/**
 * The versions that deliveries are signed with at an instant, newest first.
 *
 * @category getters
 * @since 0.1.0
 */
export const validAt = ([newest, ...earlier]: SecretVersions, now: MachineTime): SecretVersions => [
  newest,
  ...earlier.filter(({ notAfter }) => notAfter !== undefined && notAfter > now)
]

/**
 * The versions after a rotation: a new one, and the valid ones end `overlap` milliseconds from now at the latest.
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
  return stillValid.length >= mostValid
    ? Result.fail(new TooManySecrets({ until: firstEnd(stillValid) }))
    : Result.succeed([newest, ...ended.slice(0, mostKept - 1)])
}

/**
 * The versions once the overlap is over: only the newest is valid.
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
