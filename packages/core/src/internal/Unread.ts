/**
 * Parts of a response that could not be decoded. In its own file because the decoder and its public module both use it.
 *
 * @since 0.1.0
 */

/**
 * A part of a response that could not be decoded and is absent from `value`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unread {
  /** Path in `raw`: `Subscription.Customer.phones[0]`. */
  readonly path: string
  /** Kind of the value; never the value itself, which may be a secret. */
  readonly found: "nothing" | "text" | "a number" | "true or false" | "a list" | "an object"
  /** Description of the expected value. */
  readonly expected: string
}
