/** The version of this package, as in its package.json, which cannot be imported from here; a test compares them. */
export const version = "0.0.0"
