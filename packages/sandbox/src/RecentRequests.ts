/**
 * The last requests that a sandbox responded to, to look at: in the memory of its process, and bounded.
 *
 * @since 0.1.0
 */
import type { RequestLine, RequestSink } from "@parcela/service/ActivityLog"

/** So many requests are kept; the oldest are dropped. */
const mostKept = 1_000

/**
 * A request with its number, which grows with each response, and the machine's time of the response.
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
  /** Requests whose number is above `after`, oldest first. */
  readonly list: (
    after: number,
    limit: number,
    isAsked: (one: RecentRequest) => boolean
  ) => ReadonlyArray<RecentRequest>
  /** The number of the newest one; zero when there is none. */
  readonly newest: () => number
}

/**
 * None yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (): RecentRequests => {
  const kept: Array<RecentRequest> = []
  let last = 0
  return {
    add: (line, at) => {
      last += 1
      kept.push({ ...line, id: last, at })
      if (kept.length > mostKept) kept.shift()
    },
    newest: () => last,
    list: (after, limit, isAsked) => kept.filter((one) => one.id > after && isAsked(one)).slice(0, limit)
  }
}
