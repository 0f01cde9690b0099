/**
 * A token for other programs.
 *
 * @since 0.1.0
 */

/**
 * An access token of one's own.
 *
 * @category models
 * @since 0.1.0
 */
export interface AccessToken {
  readonly accessToken: string
  /** Lifetime in seconds. */
  readonly expiresIn: number
  /** The scopes granted, separated by spaces. */
  readonly scope: string | undefined
}
