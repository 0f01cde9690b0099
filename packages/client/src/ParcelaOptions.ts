/**
 * Options of a client and of single calls, and the values that they name: an entity, a response, an access token.
 *
 * @since 0.1.0
 */

/**
 * @category models
 * @since 0.1.0
 */
export interface ParcelaOptions {
  /** The URL with the version segment: `https://api.example.com/v2`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /**
   * The requested scopes, separated by spaces. By default all scopes of the credentials except `balance.write` and
   * `pos.write`.
   */
  readonly scope?: string | undefined
  /** Maximum milliseconds of one attempt; default 30,000. */
  readonly timeout?: number | undefined
  /** Maximum number of retries of a request; default 2. */
  readonly retries?: number | undefined
  /** The name that the service uses on the wire in place of `svcPay`, such as `galaxPay`. The names here stay the same. */
  readonly naming?: string | undefined
  /** Receives every response of an operation before it is decoded. Responses of `token` contain the token. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * The options of a call. They override those of the client.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReadOptions {
  /** Maximum milliseconds of one attempt. */
  readonly timeout?: number | undefined
  /** Maximum number of retries of the request; 0 sends it once. */
  readonly retries?: number | undefined
  /**
   * Aborts the call. A write that may have happened is rejected with `UnknownOutcomeError`, every other call with the
   * reason of the signal.
   */
  readonly signal?: AbortSignal | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface WriteOptions extends ReadOptions {
  /**
   * The `Idempotency-Key` of this write, 1 to 255 visible ASCII characters. The service executes writes with the same key
   * at most once. Set and store a key if the write must survive a crash; by default the client generates one.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * The reference to an entity, by the service's identifier or by the client system's:
 * `{ typeId: "myId", id: "payment-1" }`.
 *
 * @category models
 * @since 0.1.0
 */
export type Ref =
  | { readonly typeId: "svcPayId"; readonly id: number }
  | { readonly typeId: "myId"; readonly id: string }

/**
 * A response before it is decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedResponse {
  /** The operation by group and name, such as `transactions.add`. */
  readonly operation: string
  readonly status: number
  readonly requestId: string | undefined
  /** Milliseconds of this attempt. */
  readonly duration: number
  /** The JSON of the body; `undefined` if the body is not JSON. */
  readonly body: unknown
  /** Parts of a successful response that the client could not decode and left out. */
  readonly undecoded: ReadonlyArray<{ readonly path: string; readonly found: string; readonly expected: string }>
}

/**
 * An access token for use outside of this client.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessToken {
  readonly accessToken: string
  /** Lifetime in seconds. */
  readonly expiresIn: number
  /** The granted scopes, separated by spaces. */
  readonly scope: string | undefined
}
