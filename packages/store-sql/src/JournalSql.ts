/**
 * The journal in SQL: rows are added and never changed.
 *
 * **Details**
 *
 * A row is what one command wrote: all its entries. A cursor goes by the order of commits. On SQLite one writes at a time, and
 * numbers are in that order. On PostgreSQL a number may be given early and committed late, behind the back of a follower
 * that is past it. There a row has the number of its transaction too, and a follower reads in the order of both, only below
 * the oldest transaction that is under way: nothing can be committed there any more. A transaction that stays open, in any database of the server, so
 * delays followers, and no writer.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import {
  type ChangeCount,
  Journal,
  JournalCursor,
  type JournalEntry,
  UnknownCursor
} from "@parcela/engine/ports/Journal"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./sql/StoreErrors.ts"
import { columns, entriesOf } from "./tables/Journal.ts"

/**
 * A place by the numbers of transaction and row, behind all entries of the row, or behind so many of them. SQLite has no number
 * of the first kind.
 */
const cursorPattern = /^(0|[1-9]\d{0,19})-(0|[1-9]\d{0,15})(?:-([1-9]\d{0,8}))?$/

interface Place {
  readonly xid: string
  readonly id: string
  /** How many entries of the row were read; undefined for all of them. */
  readonly entries: number | undefined
}

/** Of a cursor of this kind. */
const placeOf = (cursor: string): Place => {
  const [, xid = "", id = "", entries] = cursorPattern.exec(cursor) ?? []
  return { xid, id, entries: entries === undefined ? undefined : Number(entries) }
}

/** The largest number of a transaction that PostgreSQL has. */
const lastXid = 2n ** 64n - 1n

/** Whether a database of this kind gives such places: another one is of another database, or made up. */
const isPlace = (cursor: string, isPg: boolean): boolean => {
  if (!cursorPattern.test(cursor)) return false
  const { id, xid } = placeOf(cursor)
  if (!Number.isSafeInteger(Number(id))) return false
  return isPg ? BigInt(xid) <= lastXid : xid === "0"
}

const beginning = "0-0"

/** How many rows are read at once to be counted. */
const countedAtOnce = 1_000

interface CountedRow {
  readonly place: string
  readonly actor: string
  readonly events: string
  /** Of the row in which the place is that is counted from. */
  readonly subjects: string | null
}

interface CountedEvent {
  readonly _tag: string
  readonly to?: unknown
}

/** How many events the first entries of a row have. */
const eventsOf = (subjects: string, entries: number): number => {
  const all: ReadonlyArray<{ readonly events: number }> = JSON.parse(subjects)
  return all.slice(0, entries).reduce((sum, { events }) => sum + events, 0)
}

/** The events that no client asked for. Counting takes the JSON as it was written: it asks for names alone. */
const unasked = (
  rows: ReadonlyArray<CountedRow>,
  { entries = 0 }: Place
): Effect.Effect<ReadonlyArray<CountedEvent>, StoreError> =>
  Effect.try({
    try: () =>
      rows.flatMap(({ actor, events, subjects }): ReadonlyArray<CountedEvent> =>
        JSON.parse(actor)._tag === "Client"
          ? []
          : JSON.parse(events).slice(subjects === null ? 0 : eventsOf(subjects, entries))
      ),
    catch: (cause) => new StoreError({ reason: new Corrupt({ table: "journal", cause }) })
  })

const count = (counts: Map<string, ChangeCount>, events: ReadonlyArray<CountedEvent>) => {
  for (const { _tag, to } of events) {
    const status = typeof to === "string" ? to : undefined
    const name = `${_tag} ${status}`
    // An entry holds events of ours.
    const event = _tag as ChangeCount["event"]
    counts.set(name, {
      event,
      ...(status === undefined ? {} : { to: status }),
      count: (counts.get(name)?.count ?? 0) + 1
    })
  }
}

/** Counts the events of all pages, but for those that clients asked for. */
const countAll = Effect.fnUntraced(function* <E>(
  pageAfter: (cursor: string) => Effect.Effect<ReadonlyArray<CountedRow>, E>,
  cursor: string
) {
  const counts = new Map<string, ChangeCount>()
  let after = cursor
  while (true) {
    const rows = yield* pageAfter(after)
    count(counts, yield* unasked(rows, placeOf(after)))
    if (rows.length < countedAtOnce) return [...counts.values()]
    after = rows.at(-1)?.place ?? after
    // A year of many subscriptions has tens of pages, and others wait for this thread.
    yield* Effect.yieldNow
  }
})

interface ReadRow {
  readonly place: string
  readonly entries: ReadonlyArray<JournalEntry>
}

/** The entries after a cursor, of the rows from there on, and the place behind the last of them; none without an entry. */
const pageOf = (cursor: string, limit: number, rows: ReadonlyArray<ReadRow>) => {
  const { entries: read = 0, id, xid } = placeOf(cursor)
  const page: Array<JournalEntry> = []
  let place: string | undefined
  for (const row of rows) {
    const start = row.place === `${xid}-${id}` ? read : 0
    const end = Math.min(row.entries.length, start + limit - page.length)
    page.push(...row.entries.slice(start, end))
    place = end < row.entries.length ? `${row.place}-${end}` : row.place
    if (page.length === limit) break
  }
  return { entries: page, place }
}

/** A condition on the rows up to a place that is behind a whole row; none without a place. */
const upTo = (sql: SqlClient.SqlClient, cursor: string | undefined) => {
  if (cursor === undefined) return sql``
  const { id, xid } = placeOf(cursor)
  return sql.onDialectOrElse({
    pg: () => sql`AND (xid, id) <= (${xid}::text::xid8, ${id}::bigint)`,
    orElse: () => sql`AND id <= ${Number(id)}`
  })
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Journal, never, SqlClient.SqlClient> = Layer.effect(
  Journal,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("journal"))
    const isPg = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    const order = (direction: "ASC" | "DESC") =>
      sql.literal(isPg ? `xid ${direction}, id ${direction}` : `id ${direction}`)

    const place = sql.literal(isPg ? "xid::text || '-' || id" : "'0-' || id")

    /** The rows from a place on: the row in which it is too, where not all of its entries were read. */
    const from = (cursor: string) => {
      const { entries, id, xid } = placeOf(cursor)
      const isLater = sql.literal(entries === undefined ? ">" : ">=")
      return isPg ? sql`(xid, id) ${isLater} (${xid}::text::xid8, ${id}::bigint)` : sql`id ${isLater} ${Number(id)}`
    }

    const isCommitted = sql.literal(isPg ? "xid < pg_snapshot_xmin(pg_current_snapshot())" : "TRUE")

    const following = Effect.fnUntraced(function* (cursor: string, limit: number, companyId: CompanyId | undefined) {
      const ofCompany = companyId === undefined ? sql`` : sql`company_id = ${companyId} AND`
      const rows = yield* sql<{ readonly place: string }>`
        SELECT ${place} AS place, ${sql.literal(columns)}
        FROM journal WHERE ${ofCompany} ${from(cursor)} AND ${isCommitted} ORDER BY ${order("ASC")} LIMIT ${limit}
      `
      const entries = yield* entriesOf(rows)
      return pageOf(
        cursor,
        limit,
        rows.map(({ place }, index) => ({ place, entries: entries[index] ?? [] }))
      )
    }, storeErrors)

    /** Whose entries these are, and their events, without the states. */
    const eventsAfter = (companyId: CompanyId, cursor: string, until: string | undefined) => {
      const { entries, id } = placeOf(cursor)
      const partlyRead = entries === undefined ? sql`NULL` : sql`CASE WHEN id = ${Number(id)} THEN subjects END`
      return sql<CountedRow>`
        SELECT ${place} AS place, actor, events, ${partlyRead} AS subjects FROM journal
        WHERE company_id = ${companyId} AND ${from(cursor)} ${upTo(sql, until)}
        ORDER BY ${order("ASC")} LIMIT ${countedAtOnce}
      `
    }

    return Journal.of({
      end: Effect.fn("Journal.end")(function* (companyId: CompanyId) {
        const [newest] = yield* sql<{ readonly place: string }>`
          SELECT ${place} AS place FROM journal WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT 1
        `
        return newest === undefined ? undefined : JournalCursor.make(newest.place)
      }, storeErrors),

      countUnrequested: Effect.fn("Journal.countUnrequested")(
        (company: CompanyId, start, until) => countAll((at) => eventsAfter(company, at, until), start ?? beginning),
        storeErrors
      ),

      latest: Effect.fn("Journal.latest")(function* (companyId: CompanyId, limit: number) {
        const rows = yield* sql`
          SELECT ${sql.literal(columns)} FROM journal
          WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT ${limit}
        `
        return limit === 0 ? [] : (yield* entriesOf(rows)).toReversed().flat().slice(-limit)
      }, storeErrors),

      follow: Effect.fn("Journal.follow")(function* (cursor, limit, companyId) {
        if (cursor !== undefined && !isPlace(cursor, isPg)) return yield* new UnknownCursor({ cursor })
        const { entries, place } = yield* following(cursor ?? beginning, limit, companyId)
        return { entries, next: place === undefined ? cursor : JournalCursor.make(place) }
      })
    })
  })
)
