/**
 * The journal in SQL: rows are added and never changed.
 *
 * **Details**
 *
 * A cursor goes by the order of commits. On SQLite one writes at a time, and numbers are in that order. On PostgreSQL a
 * number may be given early and committed late, behind the back of a follower that is past it. There an entry has the
 * number of its transaction too, and a follower reads in the order of both, only below the oldest transaction that is
 * under way: nothing can be committed there any more. A transaction that stays open, in any database of the server, so
 * delays followers, and no writer.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { type ChangeCount, Journal, JournalCursor, UnknownCursor } from "@parcela/engine/ports/Journal"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { toStoreError } from "./internal/StoreErrors.ts"
import { columns, entriesOf } from "./tables/Journal.ts"

/** A place by the numbers of transaction and entry; SQLite has no number of the first kind. */
const cursorPattern = /^(0|[1-9]\d{0,19})-(0|[1-9]\d{0,15})$/

/** The largest number of a transaction that PostgreSQL has. */
const lastXid = 2n ** 64n - 1n

/** Whether a database of this kind gives such places: another one is of another database, or made up. */
const isPlace = (cursor: string, isPg: boolean): boolean => {
  const [, xid, id] = cursorPattern.exec(cursor) ?? []
  if (xid === undefined || !Number.isSafeInteger(Number(id))) return false
  return isPg ? BigInt(xid) <= lastXid : xid === "0"
}

const beginning = "0-0"

/** How many entries are read at once to be counted. */
const countedAtOnce = 1_000

interface CountedRow {
  readonly place: string
  readonly actor: string | null
  readonly events: string
}

interface CountedEvent {
  readonly _tag: string
  readonly to?: unknown
}

/** The events that no client asked for. Counting takes the JSON as it was written: it asks for names alone. */
const unasked = (rows: ReadonlyArray<CountedRow>): Effect.Effect<ReadonlyArray<CountedEvent>, StoreError> =>
  Effect.try({
    try: () =>
      rows.flatMap(({ actor, events }): ReadonlyArray<CountedEvent> =>
        actor === null || JSON.parse(actor)._tag === "Client" ? [] : JSON.parse(events)
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
    count(counts, yield* unasked(rows))
    if (rows.length < countedAtOnce) return [...counts.values()]
    after = rows.at(-1)?.place ?? after
    // A year of many subscriptions has tens of pages, and others wait for this thread.
    yield* Effect.yieldNow
  }
})

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

    const after = (cursor: string) => {
      const [, xid = "", id = ""] = cursorPattern.exec(cursor) ?? []
      return isPg
        ? sql`(xid, id) > (${xid}::text::xid8, ${id}::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())`
        : sql`id > ${Number(id)}`
    }

    const following = Effect.fnUntraced(function* (cursor: string, limit: number, companyId: CompanyId | undefined) {
      const ofCompany = companyId === undefined ? sql`` : sql`company_id = ${companyId} AND`
      const rows = yield* sql<{ readonly place: string }>`
        SELECT ${place} AS place, ${sql.literal(columns)}
        FROM journal WHERE ${ofCompany} ${after(cursor)} ORDER BY ${order("ASC")} LIMIT ${limit}
      `
      return { entries: yield* entriesOf(rows), place: rows.at(-1)?.place }
    }, storeErrors)

    /** Whose entries these are, and their events, without the states. */
    const eventsAfter = (companyId: CompanyId, cursor: string) => {
      const [, xid = "", id = ""] = cursorPattern.exec(cursor) ?? []
      const isLater = isPg ? sql`(xid, id) > (${xid}::text::xid8, ${id}::bigint)` : sql`id > ${Number(id)}`
      return sql<CountedRow>`
        SELECT ${place} AS place, actor, events FROM journal
        WHERE company_id = ${companyId} AND ${isLater} ORDER BY ${order("ASC")} LIMIT ${countedAtOnce}
      `
    }

    return Journal.of({
      end: Effect.fn("Journal.end")(function* (companyId: CompanyId) {
        const [newest] = yield* sql<{ readonly place: string }>`
          SELECT ${place} AS place FROM journal WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT 1
        `
        return newest === undefined ? undefined : JournalCursor.make(newest.place)
      }, storeErrors),

      countUnasked: Effect.fn("Journal.countUnasked")(
        (companyId: CompanyId, cursor) => countAll((after) => eventsAfter(companyId, after), cursor ?? beginning),
        storeErrors
      ),

      latest: Effect.fn("Journal.latest")(function* (companyId: CompanyId, limit: number) {
        const rows = yield* sql`
          SELECT ${sql.literal(columns)} FROM journal
          WHERE company_id = ${companyId} ORDER BY ${order("DESC")} LIMIT ${limit}
        `
        return (yield* entriesOf(rows)).toReversed()
      }, storeErrors),

      follow: Effect.fn("Journal.follow")(function* (cursor, limit, companyId) {
        if (cursor !== undefined && !isPlace(cursor, isPg)) return yield* new UnknownCursor({ cursor })
        const { entries, place } = yield* following(cursor ?? beginning, limit, companyId)
        return { entries, next: place === undefined ? cursor : JournalCursor.make(place) }
      })
    })
  })
)
