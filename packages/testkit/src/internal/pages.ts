/** All entries of a list of the controls. */

/** Requests pages, each after the cursor of the previous one, until a page has no cursor or no items. */
export const allPages = async <A, Cursor>(
  first: Cursor | undefined,
  page: (
    after: Cursor | undefined
  ) => Promise<{ readonly items: ReadonlyArray<A>; readonly next: Cursor | null | undefined }>
): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let after = first; ;) {
    const { items, next } = await page(after)
    all.push(...items)
    if (next === null || next === undefined || items.length === 0) return all
    after = next
  }
}
