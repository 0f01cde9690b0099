/**
 * Equality of JSON values.
 *
 * @since 0.1.0
 */

/**
 * True if both values are the same JSON, independent of the order of fields. A field that is `undefined` counts as
 * absent.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  for (const name of Object.keys(one)) if (!isSameJson(one[name], other[name])) return false
  for (const name of Object.keys(other)) if (one[name] === undefined && other[name] !== undefined) return false
  return true
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null
