/**
 * Objects of an EMV QR code: id (two digits), length (two digits), value. Values are printable ASCII here.
 *
 * @since 0.1.0
 */

/**
 * Writes one object. The value must have at most 99 characters.
 *
 * @category writing
 * @since 0.1.0
 */
export const object = (id: string, value: string): string => `${id}${String(value.length).padStart(2, "0")}${value}`

/**
 * Reads the objects of a text by id, in order; undefined if a length is invalid or an id is repeated.
 *
 * @category reading
 * @since 0.1.0
 */
export const readObjects = (text: string): ReadonlyMap<string, string> | undefined => {
  const objects = new Map<string, string>()
  for (let at = 0; at < text.length;) {
    const [, id, length] = /^(\d\d)(\d\d)$/.exec(text.slice(at, at + 4)) ?? []
    if (id === undefined || objects.has(id)) return undefined
    const from = at + 4
    at = from + Number(length)
    if (at > text.length) return undefined
    objects.set(id, text.slice(from, at))
  }
  return objects
}
