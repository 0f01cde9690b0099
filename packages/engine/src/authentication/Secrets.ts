/**
 * Everything secret: random, or derived from the one master key, which is not in the database. A copy of the database
 * holds keyed hashes and nothing that authenticates.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { MachineTime } from "@parcela/core/time/MachineTime"
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
import { Hmac } from "./Hmac.ts"

/**
 * The deployment's master key, at least 32 bytes.
 *
 * @category settings
 * @since 0.1.0
 */
export class MasterKey extends Context.Service<MasterKey, Redacted.Redacted<Uint8Array>>()(
  "@parcela/engine/MasterKey"
) {}

const timeText = (now: MachineTime): string => now.toString(36).padStart(9, "0")

/**
 * Tokens of one time are kept beside each other: by hashes alone, each would be written to another page of the index. One that was made
 * before tokens had a time is its 43 random characters.
 */
const timeOfToken = (token: string): string => /^[\da-z]{9}(?=[\w-]{43}$)/.exec(token)?.[0] ?? ""

/** One for each company that writes under keys or is delivered to. */
const mostConfirmHashes = 1_000

/**
 * What is hashed: a hash made for one purpose never matches for another.
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
    /** A new access token: when it was made, and 256 random bits as 43 characters. */
    readonly newAccessToken: (now: MachineTime) => Effect.Effect<Redacted.Redacted>
    /** What an access token is kept under: a keyed hash, after the time at which the token says that it was made. */
    readonly accessTokenHash: (token: string) => string
    readonly newAttemptId: Effect.Effect<AttemptId>
    /** For what the service makes by itself and the client system has no name for: no other entity has it. */
    readonly newMyId: Effect.Effect<MyId>
    /** The unguessable part of a public address: 128 random bits as 22 characters. */
    readonly newDocumentKey: Effect.Effect<string>
    /** A keyed hash as hex: the same for the same text, and useless without the master key. */
    readonly hash: (kind: SecretKind, text: string) => string
    /** The SHA-256 of a text that nobody can guess, as hex: for what is kept in memory alone. A quarter of the work of `hash`. */
    readonly digest: (text: string) => string
    /** Whether a hash is that of a text, in constant time. */
    readonly matches: (kind: SecretKind, text: string, hash: string) => boolean
    /** The company's `confirmHash` (interface section 2.12): 32 hex characters, always the same. */
    readonly confirmHash: (companyId: CompanyId) => Effect.Effect<Redacted.Redacted>
    /** What makes a signing secret one of its own: 128 random bits as 22 characters. It is no secret. */
    readonly newSalt: Effect.Effect<string>
    /**
     * A Standard Webhooks secret of a company, always the same for a salt. Without one it is that of the first version
     * of the endpoint that `PUT /webhooks` edits.
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
      /** Those that were derived. None changes, so none grows old; forgotten when there are so many. */
      const confirmHashes = new Map<CompanyId, Redacted.Redacted>()
      const derivedConfirmHash = (companyId: CompanyId) => {
        const derived = Redacted.make(derive(`confirm hash:${companyId}`).slice(0, 32))
        if (confirmHashes.size >= mostConfirmHashes) confirmHashes.clear()
        confirmHashes.set(companyId, derived)
        return derived
      }
      return Secrets.of({
        newAccessToken: (now) =>
          Effect.map(random.randomBytes(32), (bytes) => Redacted.make(`${timeText(now)}${Base64Url.encode(bytes)}`)),
        accessTokenHash: (token) => `${timeOfToken(token)}${hash("access token", token)}`,
        // A UUID is a text with characters.
        newAttemptId: Effect.map(random.uuidV7(), (uuid) => uuid as AttemptId),
        // Of 36 characters.
        newMyId: Effect.map(random.uuidV7(), (uuid) => uuid as MyId),
        newDocumentKey: Effect.map(random.randomBytes(16), Base64Url.encode),
        hash,
        digest,
        matches: (kind, text, tag) => Mac.timingSafeEqual(encoder.encode(hash(kind, text)), encoder.encode(tag)),
        confirmHash: (companyId) => Effect.sync(() => confirmHashes.get(companyId) ?? derivedConfirmHash(companyId)),
        newSalt: Effect.map(random.randomBytes(16), Base64Url.encode),
        signingSecret: (companyId, salt = "") =>
          Effect.sync(() => {
            const hex = derive(`webhook signature:${companyId}${salt === "" ? "" : `:${salt}`}`)
            // An HMAC-SHA256 is 32 bytes, which is a length that secrets may have.
            return Result.getOrThrow(WebhookSecret.fromBytes(Result.getOrThrow(Hex.decode(hex))))
          })
      })
    })
  )
}
