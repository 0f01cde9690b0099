/**
 * The options of a single call: each stands in for the option of the client.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"

/**
 * @category models
 * @since 0.1.0
 */
export interface ReadOptions {
  /** How long one try may take. */
  readonly timeout?: Duration.Input | undefined
  /** How often the request is sent again at most; 0 sends it once. */
  readonly retries?: number | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface WriteOptions extends ReadOptions {
  /**
   * The name of this write, 1 to 255 visible ASCII characters. Give one and keep it wherever the write must survive a
   * crash of the caller; when absent one is generated.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Runs with the key, given or generated, before the write is sent. For a caller that may interrupt the write where
   * nobody sees its exit, as `Effect.timeout` and a race do: without it a generated key is lost with the write.
   */
  readonly onKey?: ((idempotencyKey: string) => Effect.Effect<void>) | undefined
}
