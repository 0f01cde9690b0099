/**
 * Secrets: random values, and values derived from the master key. The master key is not in the database, and the
 * database contains only keyed hashes.
 *
 * @since 0.1.0
 */
import { memoize } from "@parcela/core/values/Memoize"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { MyId } from "@parcela/core/values/Identifier"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Context from "effect/Context"
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

/**
 * HMAC-SHA-256 and SHA-256 as plain functions. Every request computes them, and an Effect would double the cost.
 *
 * @category services
 * @since 0.1.0
 */
export class Hmac extends Context.Service<
  Hmac,
  {
    /** Returns the HMAC of a UTF-8 text under a key, as 64 lower-case hex digits. */
    readonly under: (key: Uint8Array) => (text: string) => string
    /** Returns the SHA-256 of a UTF-8 text in the same form. */
    readonly digest: (text: string) => string
  }
>()("@parcela/engine/authentication/Hmac") {
  /** Makes a layer from `@parcela/webhooks/node/HmacKeys` or compatible functions. */
  static readonly layerOf = (functions: {
    readonly hmacSha256: Hmac["Service"]["under"]
    readonly sha256: Hmac["Service"]["digest"]
  }): Layer.Layer<Hmac> => Layer.succeed(Hmac, { under: functions.hmacSha256, digest: functions.sha256 })
}

const timeText = (now: MachineTime): string => now.toString(36).padStart(9, "0")

/**
 * Returns the time prefix of a token, so that tokens of similar age share an index page. A token without a time prefix
 * has 43 random characters.
 */
const timeOfToken = (token: string): string => /^[\da-z]{9}(?=[\w-]{43}$)/.exec(token)?.[0] ?? ""

/** Maximum number of cached hashes, one per company. */
const maxConfirmHashes = 1_000

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
    readonly accessTokenHash: (token: string) => string
    readonly newAttemptId: Effect.Effect<AttemptId>
    /** A unique `myId` for an entity that the service creates itself. */
    readonly newMyId: Effect.Effect<MyId>
    /** The secret part of a public address: 128 random bits as 22 characters. */
    readonly newDocumentKey: Effect.Effect<string>
    /** Returns a keyed hash as hex. The same text has the same hash, and the hash is useless without the master key. */
    readonly hash: (kind: SecretKind, text: string) => string
    /** Returns the SHA-256 of an unguessable text as hex, for in-memory keys. Costs a quarter of `hash`. */
    readonly digest: (text: string) => string
    /** Compares a text with a hash in constant time. */
    readonly matches: (kind: SecretKind, text: string, hash: string) => boolean
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
  static readonly layer: Layer.Layer<Secrets, never, Hmac | MasterKey | SecureRandom.SecureRandom> = Layer.effect(
    Secrets,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const { digest, under } = yield* Hmac
      const derive = under(Redacted.value(yield* MasterKey))
      const hash = (kind: SecretKind, text: string) => derive(`${kind}:${text}`)
      const encoder = new TextEncoder()
      // A derived hash never changes.
      const derivedConfirmHash = memoize(maxConfirmHashes, (companyId: CompanyId) =>
        Redacted.make(derive(`confirm hash:${companyId}`).slice(0, 32))
      )
      return Secrets.of({
        newAccessToken: (now) =>
          Effect.map(random.randomBytes(32), (bytes) => Redacted.make(`${timeText(now)}${Base64Url.encode(bytes)}`)),
        accessTokenHash: (token) => `${timeOfToken(token)}${hash("access token", token)}`,
        // A UUID is a non-empty text, as AttemptId requires.
        newAttemptId: random.uuidV7() as Effect.Effect<AttemptId>,
        // A UUID has 36 characters, as MyId permits.
        newMyId: random.uuidV7() as Effect.Effect<MyId>,
        newDocumentKey: Effect.map(random.randomBytes(16), Base64Url.encode),
        hash,
        digest,
        matches: (kind, text, tag) => Mac.timingSafeEqual(encoder.encode(hash(kind, text)), encoder.encode(tag)),
        confirmHash: (companyId) => Effect.sync(() => derivedConfirmHash(companyId)),
        newSalt: Effect.map(random.randomBytes(16), Base64Url.encode),
        signingSecret: (companyId, salt = "") =>
          Effect.sync(() => {
            const hex = derive(`webhook signature:${companyId}${salt === "" ? "" : `:${salt}`}`)
            // An HMAC-SHA-256 has 32 bytes, which is a valid secret length.
            return Result.getOrThrow(WebhookSecret.fromBytes(Result.getOrThrow(Hex.decode(hex))))
          })
      })
    })
  )
}
