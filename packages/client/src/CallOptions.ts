/**
 * The options of a single call, and how an entity is named.
 *
 * @since 0.1.0
 */

/**
 * An identifier and which kind of identifier it is: `{ typeId: "myId", id: "payment-1" }`.
 *
 * @category models
 * @since 0.1.0
 */
export type Ref =
  | { readonly typeId: "svcPayId"; readonly id: number }
  | { readonly typeId: "myId"; readonly id: string }

/**
 * Each stands in for the option of the client.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReadOptions {
  /** How long one try may take, in milliseconds. */
  readonly timeout?: number | undefined
  /** How often the request is sent again at most; 0 sends it once. */
  readonly retries?: number | undefined
  /**
   * Gives the call up. A write that may have happened is rejected with `UnknownOutcomeError`, everything else with the
   * signal's reason.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface WriteOptions extends ReadOptions {
  /**
   * The name of this write, 1 to 255 visible ASCII characters: under the same name it is done at most once. Give one and
   * keep it wherever the write must survive a crash; when absent one is generated.
   */
  readonly idempotencyKey?: string | undefined
}
