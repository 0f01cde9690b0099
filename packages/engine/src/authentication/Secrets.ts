/**
 * Secrets: random values, and values derived from the master key. The master key is not in the database, and the
 * database contains only keyed hashes.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { MyId } from "@parcela/core/values/Identifier"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

/**
 * The master key of the deployment, at least 32 bytes.
 *
 * @category settings
 * @since 0.1.0
 */
export class MasterKey extends Context.Service<MasterKey, Redacted.Redacted<Uint8Array>>()(
  "@parcela/engine/MasterKey"
) {}

const timeText = (now: MachineTime): string => now.toString(36).padStart(9, "0")

/**
 * Returns the time prefix of a token, so that tokens of similar age share an index page. A token without a time prefix
 * has 43 random characters.
 */
const timeOfToken = (token: string): string => /^[\da-z]{9}(?=[\w-]{43}$)/.exec(token)?.[0] ?? ""

/**
 * The purpose of a hash. Hashes of different purposes never match.
 *
 * @category models
 * @since 0.1.0
 */
export type SecretKind = "access token" | "client secret" | "command"

/**
 * @category services
 * @since 0.1.0
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** Returns a new access token: its creation time and 256 random bits as 43 characters. */
    readonly newAccessToken: (now: MachineTime) => Effect.Effect<Redacted.Redacted>
    /** Returns the stored form of an access token: its time prefix and a keyed hash. */
    readonly accessTokenHash: (token: string) => Effect.Effect<string>
    readonly newAttemptId: Effect.Effect<AttemptId>
    /** A unique `myId` for an entity that the service creates itself. */
    readonly newMyId: Effect.Effect<MyId>
    /** The secret part of a public address: 128 random bits as 22 characters. */
    readonly newDocumentKey: Effect.Effect<string>
    /** Returns a keyed hash as hex. The same text has the same hash, and the hash is useless without the master key. */
    readonly hash: (kind: SecretKind, text: string) => Effect.Effect<string>
    /** Returns the SHA-256 of an unguessable text as hex, for in-memory keys. Costs a quarter of `hash`. */
    readonly digest: (text: string) => Effect.Effect<string>
    /** Compares a text with a hash in constant time. */
    readonly matches: (kind: SecretKind, text: string, hash: string) => Effect.Effect<boolean>
    /** Returns the `confirmHash` of a company (interface section 2.12): 32 hex characters, always the same. */
    readonly confirmHash: (companyId: CompanyId) => Effect.Effect<Redacted.Redacted>
    /** A random salt that makes a signing secret unique: 128 bits as 22 characters. A salt is not secret. */
    readonly newSalt: Effect.Effect<string>
    /**
     * Returns the Standard Webhooks secret of a company for a salt. Without a salt, returns the first secret of the
     * default endpoint.
     */
    readonly signingSecret: (companyId: CompanyId, salt?: string) => Effect.Effect<WebhookSecret.WebhookSecret>
  }
>()("@parcela/engine/authentication/Secrets") {
  static readonly layer: Layer.Layer<Secrets, never, Digest.Digest | Mac.Mac | MasterKey | SecureRandom.SecureRandom> =
    Layer.effect(
      Secrets,
      Effect.gen(function* () {
        const random = yield* SecureRandom.SecureRandom
        const mac = yield* Mac.Mac
        const digests = yield* Digest.Digest
        // A master key is not empty, and a runtime without HMAC or SHA-256 is a defect.
        const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, Redacted.value(yield* MasterKey)))
        const encoder = new TextEncoder()
        const derive = (text: string) => Effect.map(Effect.orDie(mac.sign(key, encoder.encode(text))), Hex.encode)
        const hash = (kind: SecretKind, text: string) => derive(`${kind}:${text}`)
        return Secrets.of({
          newAccessToken: (now) =>
            Effect.map(random.randomBytes(32), (bytes) => Redacted.make(`${timeText(now)}${Base64Url.encode(bytes)}`)),
          accessTokenHash: (token) => Effect.map(hash("access token", token), (hex) => `${timeOfToken(token)}${hex}`),
          // A UUID is a non-empty text, as AttemptId requires.
          newAttemptId: random.uuidV7() as Effect.Effect<AttemptId>,
          // A UUID has 36 characters, as MyId permits.
          newMyId: random.uuidV7() as Effect.Effect<MyId>,
          newDocumentKey: Effect.map(random.randomBytes(16), Base64Url.encode),
          hash,
          digest: (text) => Effect.orDie(digests.digestHex(Digest.sha256, encoder.encode(text))),
          matches: (kind, text, tag) =>
            Effect.map(hash(kind, text), (hex) => Mac.timingSafeEqual(encoder.encode(hex), encoder.encode(tag))),
          confirmHash: (companyId) =>
            Effect.map(derive(`confirm hash:${companyId}`), (hex) => Redacted.make(hex.slice(0, 32))),
          newSalt: Effect.map(random.randomBytes(16), Base64Url.encode),
          signingSecret: (companyId, salt = "") =>
            Effect.map(derive(`webhook signature:${companyId}${salt === "" ? "" : `:${salt}`}`), (hex) =>
              // An HMAC-SHA-256 has 32 bytes, which is a valid secret length.
              Result.getOrThrow(WebhookSecret.fromBytes(Result.getOrThrow(Hex.decode(hex))))
            )
        })
      })
    )
}
