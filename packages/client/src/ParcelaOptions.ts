/**
 * What a client is made with, and what it shows of each response.
 *
 * @since 0.1.0
 */

/**
 * A response as it came, before it is decoded.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedResponse {
  /** Such as `transactions.add`. */
  readonly operation: string
  readonly status: number
  readonly requestId: string | undefined
  /** Of this try, in milliseconds. */
  readonly duration: number
  /** The body's JSON as it came; `undefined` when it was no JSON. */
  readonly body: unknown
  /** Where something in a successful response could not be read and was left out. */
  readonly unread: ReadonlyArray<{ readonly path: string; readonly found: string; readonly expected: string }>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ParcelaOptions {
  /** With the version segment: `https://api.example.com/v2`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Scopes to ask for, separated by spaces; absent asks for all that the credentials allow but `balance.write` and `pos.write`. */
  readonly scope?: string | undefined
  /** How long one try may take, in milliseconds: 30,000 when absent. */
  readonly timeout?: number | undefined
  /** How often a request is sent again at most: 2 when absent. */
  readonly retries?: number | undefined
  /** The name that the service uses on the wire in place of `svcPay`, such as `galaxPay`. The names here stay the same. */
  readonly naming?: string | undefined
  /** Sees every response of an operation, as it came. Responses of `token` hold the token. */
  readonly onResponse?: ((response: ReceivedResponse) => void) | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}
