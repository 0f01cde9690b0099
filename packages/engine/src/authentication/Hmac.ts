/**
 * HMAC-SHA-256 and SHA-256 as plain functions. Every request computes them, and an Effect would double the cost.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/**
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
