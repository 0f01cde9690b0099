/**
 * The journal in SQL. Rows are added and never changed.
 *
 * **Details**
 *
 * A row has all entries of one command. A cursor is a position in the order of the commits. SQLite has one writer at a time, so its row
 * numbers have that order. On PostgreSQL a row may get its number early and be committed late, after a follower has passed the number. So a
 * row also has the number of its transaction. A follower reads in the order of both numbers, and only below the oldest open transaction,
 * where nothing more can be committed. An open transaction, in any database of the server, delays followers but no writer.
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
import { dialectOf } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { columns, entriesOf } from "./tables/Journal.ts"
import * as Spans from "@parcela/engine/Spans"

/**
 * A position: the numbers of a transaction and of a row, and how many entries of the row were read, if not all. On SQLite the number of the
 * transaction is 0.
 */
const cursorPattern = /^(0|[1-9]\d{0,19})-(0|[1-9]\d{0,15})(?:-([1-9]\d{0,8}))?$/

interface Position {
  readonly xid: string
  readonly id: string
  /** The number of entries of the row that were read; undefined if all. */
  readonly entries: number | undefined
}

const positionOf = (cursor: string): Position => {
  const [, xid = "", id = "", entries] = cursorPattern.exec(cursor) ?? []
  return { xid, id, entries: entries === undefined ? undefined : Number(entries) }
}

/** The largest transaction number of PostgreSQL. */
const lastXid = 2n ** 64n - 1n

/** True if this kind of database creates such cursors. Another cursor is from another database, or invented. */
const isCursor = (cursor: string, isPg: boolean): boolean => {
  if (!cursorPattern.test(cursor)) return false
  const { id, xid } = positionOf(cursor)
  if (!Number.isSafeInteger(Number(id))) return false
  return isPg ? BigInt(xid) <= lastXid : xid === "0"
}

const beginning = "0-0"

/** The rows of one page of a count. */
const countPageSize = 1_000

interface CountedRow {
  readonly position: string
  readonly actor: string
  readonly events: string
  /** Only in the row of the start position. */
  readonly subjects: string | null
}

interface CountedEvent {
  readonly _tag: string
  readonly to?: unknown
}

/** The number of events of the first entries of a row. */
const eventsOf = (subjects: string, entries: number): number => {
  const all: ReadonlyArray<{ readonly events: number }> = JSON.parse(subjects)
  return all.slice(0, entries).reduce((sum, { events }) => sum + events, 0)
}

/** The events that no client requested. The JSON is not decoded by its schema, because a count needs only names. */
const unrequested = (
  rows: ReadonlyArray<CountedRow>,
  { entries = 0 }: Position
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
    // An entry has only events of this program.
    const event = _tag as ChangeCount["event"]
    counts.set(name, {
      event,
      ...(status === undefined ? {} : { to: status }),
      count: (counts.get(name)?.count ?? 0) + 1
    })
  }
}

/** Counts the events of all pages that no client requested. */
const countAll = Effect.fnUntraced(function* <E>(
  pageAfter: (cursor: string) => Effect.Effect<ReadonlyArray<CountedRow>, E>,
  cursor: string
) {
  const counts = new Map<string, ChangeCount>()
  let after = cursor
  while (true) {
    const rows = yield* pageAfter(after)
    count(counts, yield* unrequested(rows, positionOf(after)))
    if (rows.length < countPageSize) return [...counts.values()]
    after = rows.at(-1)?.position ?? after
    // A year of many subscriptions has tens of pages. Other fibers run between the pages.
    yield* Effect.yieldNow
  }
})

interface ReadRow {
  readonly position: string
  readonly entries: ReadonlyArray<JournalEntry>
}

/** The entries after a cursor, and the position after the last of them; undefined if there is no entry. */
const pageOf = (cursor: string, limit: number, rows: ReadonlyArray<ReadRow>) => {
  const { entries: read = 0, id, xid } = positionOf(cursor)
  const page: Array<JournalEntry> = []
  let position: string | undefined
  for (const row of rows) {
    const start = row.position === `${xid}-${id}` ? read : 0
    const end = Math.min(row.entries.length, start + limit - page.length)
    page.push(...row.entries.slice(start, end))
    position = end < row.entries.length ? `${row.position}-${end}` : row.position
    if (page.length === limit) break
  }
  return { entries: page, position }
}

/** The condition for rows up to a position after a whole row; empty without a position. */
const upTo = (sql: SqlClient.SqlClient, cursor: string | undefined) => {
  if (cursor === undefined) return sql``
  const { id, xid } = positionOf(cursor)
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
    const isPg = dialectOf(sql).isPostgres
    const order = (direction: "ASC" | "DESC") =>
      sql.literal(isPg ? `xid ${direction}, id ${direction}` : `id ${direction}`)

    const position = sql.literal(isPg ? "xid::text || '-' || id" : "'0-' || id")

    /** The condition for rows after a position, including its row if not all of the row's entries were read. */
    const from = (cursor: string) => {
      const { entries, id, xid } = positionOf(cursor)
      const isLater = sql.literal(entries === undefined ? ">" : ">=")
      return isPg ? sql`(xid, id) ${isLater} (${xid}::text::xid8, ${id}::bigint)` : sql`id ${isLater} ${Number(id)}`
    }

    const isCommitted = sql.literal(isPg ? "xid < pg_snapshot_xmin(pg_current_snapshot())" : "TRUE")

    const following = Effect.fnUntraced(function* (cursor: string, limit: number, companyId: CompanyId | undefined) {
      const ofCompany = companyId === undefined ? sql`` : sql`company_id = ${companyId} AND`
      const rows = yield* sql<{ readonly position: string }>`
        SELECT ${position} AS position, ${sql.literal(columns)}
        FROM journal WHERE ${ofCompany} ${from(cursor)} AND ${isCommitted} ORDER BY ${order("ASC")} LIMIT ${limit}
      `
      const entries = yield* entriesOf(rows)
      return pageOf(
        cursor,
        limit,
        rows.map(({ position }, index) => ({ position, entries: entries[index] ?? [] }))
      )
    }, storeErrors)

    /** The actors and events of rows, without the states. */
    const eventsAfter = (companyId: CompanyId, cursor: string, until: string | undefined) => {
      const { entries, id } = positionOf(cursor)
      const partlyRead = entries === undefined ? sql`NULL` : sql`CASE WHEN id = ${Number(id)} THEN subjects END`
      return sql<CountedRow>`
        SELECT ${position} AS position, actor, events, ${partlyRead} AS subjects FROM journal
        WHERE company_id = ${companyId} AND ${from(cursor)} ${upTo(sql, until)}
        ORDER BY ${order("ASC")} LIMIT ${countPageSize}
      `
    }

    return Journal.of({
      end: Spans.fn("Journal.end")(function* (companyId: CompanyId) {
        const [newest] = yield* sql<{ readonly position: string }>`
          SELECT ${position} AS position FROM journal WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT 1
        `
        return newest === undefined ? undefined : JournalCursor.make(newest.position)
      }, storeErrors),

      countUnrequested: Spans.fn("Journal.countUnrequested")(
        (company: CompanyId, start, until) => countAll((at) => eventsAfter(company, at, until), start ?? beginning),
        storeErrors
      ),

      latest: Spans.fn("Journal.latest")(function* (companyId: CompanyId, limit: number) {
        const rows = yield* sql`
          SELECT ${sql.literal(columns)} FROM journal
          WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT ${limit}
        `
        return limit === 0 ? [] : (yield* entriesOf(rows)).toReversed().flat().slice(-limit)
      }, storeErrors),

      follow: Spans.fn("Journal.follow")(function* (cursor, limit, companyId) {
        if (cursor !== undefined && !isCursor(cursor, isPg)) return yield* new UnknownCursor({ cursor })
        const { entries, position } = yield* following(cursor ?? beginning, limit, companyId)
        return { entries, next: position === undefined ? cursor : JournalCursor.make(position) }
      })
    })
  })
)
