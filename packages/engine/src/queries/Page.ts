/**
 * Which part of a list is wanted, and in which order.
 *
 * @since 0.1.0
 */

/**
 * @category models
 * @since 0.1.0
 */
export interface Page<Field extends string> {
  /** How many to pass over, from 0. */
  readonly startAt: number
  /** How many at most, 1 to 100. */
  readonly limit: number
  /** Most significant first; ties are broken by identifier. Empty means by identifier. */
  readonly order: ReadonlyArray<{ readonly field: Field; readonly direction: "asc" | "desc" }>
}

/**
 * A span of instants in milliseconds, `from` included, `before` not.
 *
 * @category models
 * @since 0.1.0
 */
export interface Span {
  readonly from?: number | undefined
  readonly before?: number | undefined
}
