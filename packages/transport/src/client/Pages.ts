/**
 * Paged lists as streams of pages or items.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { fieldsOf, type Operation } from "./Operation.ts"
import { firstPage, isPaged } from "./RequestEncoder.ts"

type Page = Readonly<Record<string, unknown>>
type Item = { readonly svcPayId?: unknown }

/**
 * Requests one page.
 *
 * @category models
 * @since 0.1.0
 */
export type ListPage<E> = (query: object, options: unknown) => Effect.Effect<Page, E>

/**
 * Returns the key of a page's items; `undefined` if the operation is not a paged list.
 *
 * @category getters
 * @since 0.1.0
 */
export const itemsKeyOf = ({ query, success }: Pick<Operation, "query" | "success">): string | undefined =>
  isPaged(query) ? Object.entries(fieldsOf(success)).find(([, { ast }]) => ast._tag === "Arrays")?.[0] : undefined

/**
 * Returns a stream of pages from `startAt` until a page has fewer items than `limit`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const pagesOf = <E>(list: ListPage<E>, itemsKey: string, query: object = {}, options?: unknown) => {
  const { limit, startAt }: { readonly startAt: number; readonly limit: number } = { ...firstPage, ...query }
  return Stream.paginate(startAt, (at) =>
    Effect.map(list({ ...query, startAt: at, limit }, options), (page) => [
      [page],
      itemsIn(page, itemsKey).length < limit ? Option.none() : Option.some(at + limit)
    ])
  )
}

/**
 * Returns a stream of the items of all pages.
 *
 * **Details**
 *
 * Items that are inserted during the iteration shift earlier items to the next page. The stream skips items that it has
 * already returned.
 *
 * @category constructors
 * @since 0.1.0
 */
export const itemsOf = <E>(list: ListPage<E>, itemsKey: string, query?: object, options?: unknown) =>
  pagesOf(list, itemsKey, query, options).pipe(
    Stream.mapAccum(
      () => new Set<unknown>(),
      (seen, page) => {
        const items = itemsIn(page, itemsKey)
        const ids = new Set<unknown>(items.map(({ svcPayId }) => svcPayId))
        return [ids, items.filter(({ svcPayId }) => svcPayId === undefined || !seen.has(svcPayId))]
      }
    )
  )

const itemsIn = (page: Page, itemsKey: string): ReadonlyArray<Item> => {
  const items = page[itemsKey]
  return Array.isArray(items) ? items : []
}
