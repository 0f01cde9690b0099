/**
 * What a reading left out; in a file of its own, as both the readings and their public face need it.
 *
 * @since 0.1.0
 */

/**
 * One place of a response that was not understood and is therefore missing in `value`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Unread {
  /** Where it stands in `raw`: `Subscription.Customer.phones[0]`. */
  readonly path: string
  /** What kind of value stands there; never the value itself, which may be a secret. */
  readonly found: "nothing" | "text" | "a number" | "true or false" | "a list" | "an object"
  /** What would have been understood, in words. */
  readonly expected: string
}
