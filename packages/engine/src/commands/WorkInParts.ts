/**
 * Subjects of due work that is done in parts: each part writes the row of the next one, and then its own is ended. So a
 * crash loses none, and no unit grows with what there is to do. A part may be done twice, and must be such that this does
 * no harm.
 *
 * @since 0.1.0
 */

/**
 * How many payments of a subscription a unit looks at; the rest are left to the next part.
 *
 * @category constants
 * @since 0.1.0
 */
export const paymentsOfUnit = 100

/**
 * The entity that the work is about, and the place after which the part begins; the beginning when there is none.
 *
 * @category models
 * @since 0.1.0
 */
export interface Part {
  readonly id: number
  readonly after?: ReadonlyArray<number> | undefined
}

/**
 * The subject of a part: `12`, or `12 after 500` and `12 after 500,77`.
 *
 * @category formatting
 * @since 0.1.0
 */
export const subjectOf = ({ after, id }: Part): string =>
  after === undefined ? `${id}` : `${id} after ${after.join()}`

/**
 * Throws when it is no such subject, so a row that this service did not write.
 *
 * @category parsing
 * @since 0.1.0
 */
export const partOf = (subject: string): Part => {
  const [, id, after] = /^(\d+)(?: after (\d+(?:,\d+)*))?$/.exec(subject) ?? []
  if (id === undefined) throw new Error(`This is no subject of work that is done in parts: ${subject}`)
  return { id: Number(id), after: after?.split(",").map(Number) }
}
