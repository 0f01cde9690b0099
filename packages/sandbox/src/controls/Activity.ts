/**
 * The latest requests and the journal of a company, over HTTP.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/time/Instant"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { Transactions } from "@parcela/engine/ports/Transactions"
import { Journal, JournalCursor, type JournalEntry } from "@parcela/engine/ports/Journal"
import type { Operations } from "@parcela/http/Operation"
import { BadRequest } from "@parcela/transport/ApiError"
import type { EventsGroup, RequestsGroup } from "@parcela/transport/sandbox/ActivityControls"
import { maxPageSize } from "@parcela/transport/sandbox/Control"
import * as Effect from "effect/Effect"
import { SandboxCompanies, companyIdOf, keysOf, present } from "../SandboxCompanies.ts"
import type { RequestLine, RequestSink } from "@parcela/service/ActivityLog"

type Entries = ReadonlyArray<JournalEntry>

const shownRequest = ({ at, company, faultyFields, id, method, ms, path, requestId, ...one }: RecentRequest) => ({
  id,
  at: EpochMillis.make(at),
  method,
  path,
  ...present("status", one.status),
  milliseconds: ms,
  requestId,
  ...present("companyId", company),
  unknownKeys: one.unknownKeys,
  faultyFields
})

/**
 * @category operations
 * @since 0.1.0
 */
export const requests = (
  recent: RecentRequests
): Effect.Effect<Operations<typeof RequestsGroup>, never, SandboxCompanies> =>
  Effect.map(SandboxCompanies, (companies) => ({
    "requests.list": Effect.fnUntraced(function* ({ query: { after, clientId, limit = maxPageSize, status } }) {
      const company = clientId === undefined ? undefined : (yield* keysOf(companies, clientId)).companyId
      const found = recent.list(
        after,
        limit,
        (one) => (company === undefined || one.company === company) && (status === undefined || one.status === status)
      )
      return {
        requests: found.map(shownRequest),
        next: found.at(-1)?.id ?? Math.min(after ?? Infinity, recent.newest())
      }
    })
  }))

/** Returns the names of changed fields without their values, which are confidential. */
const shownEvent = (
  { after = {}, at, before = {}, businessAt, events, origin, subject }: JournalEntry,
  transaction: TransactionState | undefined
) => ({
  subject,
  // For other entities the page shows a `myId` only if the event sets it; a page runs no further queries.
  ...present("myId", transaction?.myId ?? (typeof after["myId"] === "string" ? after["myId"] : undefined)),
  ...present("status", statusIn(events)),
  ...present("value", transaction?.value),
  at,
  businessAt,
  events,
  ...present("actor", origin.actor._tag),
  ...present("work", origin.actor._tag === "Worker" ? origin.actor.kind : undefined),
  ...present("requestId", origin.requestId),
  changed: [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
})

/** Returns the status after the last event that changed one. */
const statusIn = (events: JournalEntry["events"]) => events.findLast((event) => "to" in event)?.to

/** Returns the transactions of the entries by number, with one query for a page. */
const transactionsOf = (transactions: Transactions["Service"], companyId: CompanyId, entries: Entries) => {
  const ids = new Set(entries.flatMap(({ subject }) => (subject.kind === "transaction" ? [Number(subject.id)] : [])))
  return Effect.map(
    transactions.ofIds(
      [companyId],
      Array.from(ids, (id) => SvcPayId.make(id))
    ),
    (found) => new Map(found.map((transaction) => [String(transaction.id), transaction]))
  )
}

/**
 * @category operations
 * @since 0.1.0
 */
export const events: Effect.Effect<
  Operations<typeof EventsGroup>,
  never,
  Journal | SandboxCompanies | Transactions
> = Effect.gen(function* () {
  const companies = yield* SandboxCompanies
  const journal = yield* Journal
  const transactions = yield* Transactions
  return {
    "events.list": Effect.fnUntraced(function* (request) {
      const { after, limit = maxPageSize } = request.query
      const company = yield* companyIdOf(companies, request)
      if (after === "end") return { events: [], ...present("next", yield* journal.end(company)) }
      const cursor = after === undefined ? undefined : JournalCursor.make(after)
      const { entries, next } = yield* journal
        .follow(cursor, limit, company)
        .pipe(
          Effect.catchTag("UnknownCursor", ({ message }) =>
            Effect.fail(new BadRequest({ message: "The request is invalid", details: { "Event.after": [message] } }))
          )
        )
      const about = yield* transactionsOf(transactions, company, entries)
      return {
        events: entries.map((entry) =>
          shownEvent(entry, entry.subject.kind === "transaction" ? about.get(entry.subject.id) : undefined)
        ),
        ...present("next", next)
      }
    })
  }
})

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
export const makeRecentRequests = (): RecentRequests => {
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
