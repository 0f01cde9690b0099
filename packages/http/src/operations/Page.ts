/**
 * The response of a list.
 *
 * @since 0.1.0
 */

/**
 * Returns one page of a list, as `page` of the contract describes it. `plural` is the key of the entities.
 *
 * @category views
 * @since 0.1.0
 */
export const pageOf = <const Plural extends string, Item>(plural: Plural, found: ReadonlyArray<Item>) => ({
  totalQtdFoundInPage: found.length,
  // TypeScript widens a computed key to `string`.
  ...({ [plural]: found } as { readonly [Key in Plural]: ReadonlyArray<Item> })
})
