/**
 * The response of operations that return no entity.
 *
 * @since 0.1.0
 */

/**
 * @category views
 * @since 0.1.0
 */
export const isDone = (): { readonly type: true } => ({ type: true })
