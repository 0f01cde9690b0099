/**
 * The rows of a table of translations.
 *
 * @since 0.1.0
 */

/**
 * English sentences and what they are in another language. `{}` stands for a part that stays as it is, `{>}` for one that is
 * translated by itself, `{~}` for one that is translated if it is ours; all keep their order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rows {
  readonly [english: string]: string
}
