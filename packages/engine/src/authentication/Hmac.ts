/**
 * HMAC-SHA-256 and SHA-256 as functions: they are computed for each request, where Effects around it would cost as much as it does.
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
    /** The HMAC under a key: of a text in UTF-8, as 64 hex digits in lower case. */
    readonly under: (key: Uint8Array) => (text: string) => string
    /** The SHA-256, which has no key, written the same way. */
    readonly digest: (text: string) => string
  }
>()("@parcela/engine/authentication/Hmac") {
  /** Of the functions of `@parcela/webhooks/node/HmacKeys`, or of others like them. */
  static readonly layerOf = (functions: {
    readonly hmacSha256: Hmac["Service"]["under"]
    readonly sha256: Hmac["Service"]["digest"]
  }): Layer.Layer<Hmac> => Layer.succeed(Hmac, { under: functions.hmacSha256, digest: functions.sha256 })
}
