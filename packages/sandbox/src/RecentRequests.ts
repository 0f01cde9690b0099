/**
 * The last requests of a sandbox with their responses, in a bounded list in memory.
 *
 * @since 0.1.0
 */
import type { RequestLine, RequestSink } from "@parcela/service/ActivityLog"

/** Maximum number of stored requests; the oldest are dropped. */
const maxRequests = 1_000

/**
 * A request with its number, which increases with each response, and the machine's time of the response.
 *
 * @category models
 * @since 0.1.0
 */
export interface RecentRequest extends RequestLine {
  readonly id: number
  readonly at: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface RecentRequests {
  readonly add: RequestSink
  /** Returns requests with numbers above `after`, or the latest ones when `after` is absent; both oldest first. */
  readonly list: (
    after: number | undefined,
    limit: number,
    matches: (one: RecentRequest) => boolean
  ) => ReadonlyArray<RecentRequest>
  /** Returns the number of the newest request; zero if the list is empty. */
  readonly newest: () => number
}

/**
 * Returns an empty list.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): RecentRequests => {
  const stored: Array<RecentRequest> = []
  let last = 0
  return {
    add: (line, at) => {
      last += 1
      stored.push({ ...line, id: last, at })
      if (stored.length > maxRequests) stored.shift()
    },
    newest: () => last,
    list: (after, limit, matches) =>
      after === undefined
        ? stored.filter(matches).slice(-limit)
        : stored.filter((one) => one.id > after && matches(one)).slice(0, limit)
  }
}
