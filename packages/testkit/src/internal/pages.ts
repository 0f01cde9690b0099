/** All entries of a list of the controls. */

/** Asks for page after page, each after the place where the one before ended, until one brings no place or nothing. */
export const allPages = async <A, Place>(
  first: Place | undefined,
  page: (
    after: Place | undefined
  ) => Promise<{ readonly items: ReadonlyArray<A>; readonly next: Place | null | undefined }>
): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let after = first; ;) {
    const { items, next } = await page(after)
    all.push(...items)
    if (next === null || next === undefined || items.length === 0) return all
    after = next
  }
}
