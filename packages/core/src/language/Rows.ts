/**
 * The row type of translation tables.
 *
 * @since 0.1.0
 */

/**
 * Translations by English sentence. `{}` is a part that is copied, `{>}` a part that is translated, and `{~}` a part
 * that is translated if a translation exists. The parts stay in order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rows {
  readonly [english: string]: string
}
