/**
 * Keys that are there or not.
 *
 * @since 0.1.0
 */

/** The key with its value, or no key where the value is null. */
export const present = <K extends string, A>(key: K, value: A | null): { readonly [P in K]?: A } =>
  // A computed key has the type of any text.
  (value === null ? {} : { [key]: value }) as { readonly [P in K]?: A }
